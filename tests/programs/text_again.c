/* SPDX-License-Identifier: Apache-2.0 */
/* text_again HOW SECONDS: maps a page of its own text a second time, as V8 does with its builtins, and works there.
   HOW: mmap; mprotect: mapped for reading first; raw: by system calls of its own, also unmapped by one before the end; moved: one
   place after the other, unmapped by libc. Prints the CPU time that it used there. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ul

/* Nothing in here depends on where it runs. */
__attribute__((section(".text.again"), aligned(4096), noinline, noclone)) uint64_t work_again(uint64_t turns)
{
	uint64_t sum = 1;
	for (uint64_t i = 0; i < turns; i++) {
		sum = sum * 6364136223846793005ull + i;
		__asm__ volatile("" : "+r"(sum));
	}
	return sum;
}
__attribute__((section(".text.again"), aligned(4096), used)) static void end_of_page(void)
{
}

static double used(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Where this executable's text is in its file, as maps says. */
static off_t offset_of(uintptr_t address)
{
	char line[4096];
	unsigned long start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && address >= start && address < end) {
			fclose(maps);
			return (off_t)(offset + (address - start));
		}
	exit(2);
}

static void work(void *there, double seconds)
{
	uint64_t (*again)(uint64_t) = (uint64_t(*)(uint64_t))(uintptr_t)there;
	for (double end = used() + seconds; used() < end;)
		again(2000000);
}

int main(int count, char **arguments)
{
	uintptr_t text = (uintptr_t)work_again;
	double seconds = count > 2 ? atof(arguments[2]) : 0.3, before;
	int fd = open("/proc/self/exe", O_RDONLY);
	off_t offset = offset_of(text);
	if (count < 2 || fd < 0 || text % PAGE)
		return 2;
	const char *how = arguments[1];
	before = used();
	if (!strcmp(how, "raw")) {
		long there = syscall(SYS_mmap, 0, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, offset);
		work((void *)there, seconds);
		syscall(SYS_munmap, there, PAGE);
	} else if (!strcmp(how, "mprotect")) {
		void *there = mmap(0, PAGE, PROT_READ, MAP_PRIVATE, fd, offset);
		mprotect(there, PAGE, PROT_READ | PROT_EXEC);
		work(there, seconds);
	} else if (!strcmp(how, "moved")) {
		void *place = mmap(0, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (unsigned i = 0; i < 4; i++) {
			void *there = mmap((char *)place + i * PAGE, PAGE, PROT_READ | PROT_EXEC,
				MAP_PRIVATE | MAP_FIXED, fd, offset);
			work(there, seconds / 4);
			munmap(there, PAGE);
		}
	} else {
		work(mmap(0, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, offset), seconds);
	}
	printf("%.3f\n", used() - before);
	return 0;
}
