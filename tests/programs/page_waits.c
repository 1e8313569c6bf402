/* SPDX-License-Identifier: Apache-2.0 */
/* Usage: page_waits [FILE]
   A program that waits for pages: of a file as slow_file.c makes it, as data and as code, and of memory that another thread fills.
   For each it prints the function, the metric and the seconds by its own clock. */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 64, FIRST = 16, DATA = 20, CODE = 40, WAIT = 60000 };
static unsigned char *file, *memory;
static int handler;

static void need(int success)
{
	if (!success)
		abort();
}

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define WAITS(name, metric, what)                                                                                      \
	__attribute__((noinline)) static void name(void)                                                               \
	{                                                                                                              \
		double begin = seconds();                                                                              \
		what;                                                                                                  \
		printf("%s %s %.6f\n", #name, #metric, seconds() - begin);                                             \
	}
WAITS(wait_for_data, datapfault, (void)*(volatile unsigned char *)(file + DATA * PAGE))
WAITS(wait_for_code, textpfault, ((void (*)(void))(file + CODE * PAGE + PAGE / 2))())
WAITS(wait_for_handler, unknownwait, (void)*(volatile unsigned char *)memory)

static void *fill_memory(void *unused)
{
	static unsigned char page[PAGE];
	struct uffd_msg message;
	need(read(handler, &message, sizeof message) == sizeof message);
	usleep(WAIT);
	struct uffdio_copy copy = {
		.dst = message.arg.pagefault.address & ~(PAGE - 1ull), .src = (uintptr_t)page, .len = PAGE};
	need(ioctl(handler, UFFDIO_COPY, &copy) == 0);
	return unused;
}

static void wait_for_thread(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	pthread_t thread;
	handler = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (handler < 0 || ioctl(handler, UFFDIO_API, &api) != 0)
		return;
	memory = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range = (struct uffdio_range){(uintptr_t)memory, PAGE};
	need(memory != MAP_FAILED && ioctl(handler, UFFDIO_REGISTER, &range) == 0);
	need(pthread_create(&thread, 0, fill_memory, 0) == 0);
	wait_for_handler();
	pthread_join(thread, 0);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		int descriptor = open(argv[1], O_RDONLY);
		need(descriptor >= 0);
		file = mmap(0, PAGES * PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, descriptor, 0);
		need(file != MAP_FAILED);
		/* The first wait of a thread has no stack of its own. */
		(void)*(volatile unsigned char *)(file + FIRST * PAGE);
		usleep(1000);
		wait_for_data();
		wait_for_code();
	}
	wait_for_thread();
	return 0;
}
