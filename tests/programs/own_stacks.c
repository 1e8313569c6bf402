// SPDX-License-Identifier: Apache-2.0
// Works for so much CPU time where a signal handler finds nothing that libc has made:
//   own_stacks pointer MILLISECONDS    with a thread pointer of its own, which points to the end of its only page
//   own_stacks fiber MILLISECONDS      on a stack with hardly any room: nothing below it may change
//   own_stacks scheduler MILLISECONDS  the same, while there is a small alternate signal stack
//   own_stacks end MILLISECONDS        beside the end of the first stack, whose pages it touches and throws away
//   own_stacks handlers MILLISECONDS   tells where its handlers run, with and without an alternate stack
//   own_stacks runtime MILLISECONDS    the same, having set its alternate stack past libc
// Prints what it saw.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, FIBER = 1024, BELOW = 65536, ALTERNATE = 13504, TOUCHED = 16 };

static volatile unsigned long sink;
static uint64_t wanted;

// System calls without errno.
static inline long call2(long number, long a, long b)
{
	long result;
#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
	result = x0;
#endif
	return result;
}

static inline __attribute__((always_inline)) uint64_t cpu_time(void)
{
	struct timespec now;
	call2(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline __attribute__((always_inline)) void work(void)
{
	uint64_t start = cpu_time();
	do
		for (int i = 0; i < 20000; i++)
			sink += (unsigned)i;
	while (cpu_time() - start < wanted);
}

__attribute__((noinline)) static void elsewhere(void)
{
	work();
}

static uintptr_t set_thread_pointer(uintptr_t pointer)
{
	uintptr_t before = 0;
#if defined(__x86_64__)
	call2(SYS_arch_prctl, 0x1003, (long)&before);
	call2(SYS_arch_prctl, 0x1002, (long)pointer);
#else
	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(before));
	__asm__ volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
#endif
	return before;
}

static int own_pointer(void)
{
	char *pages = mmap(0, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE) != 0)
		return 1;
	errno = 77;
	uintptr_t before = set_thread_pointer((uintptr_t)pages + 2 * PAGE - 8);
	elsewhere();
	set_thread_pointer(before);
	int code = errno, changed = 0;
	for (int i = 0; i < PAGE; i++)
		changed += pages[PAGE + i] != 0;
	printf("errno %d, %d bytes changed\n", code, changed);
	elsewhere();
	return 0;
}

static ucontext_t of_main, of_fiber;

static int fiber(void)
{
	static char memory[BELOW + FIBER] __attribute__((aligned(64)));
	volatile int changed = 0;
	memset(memory, 0x5a, BELOW);
	getcontext(&of_fiber);
	of_fiber.uc_stack.ss_sp = memory + BELOW;
	of_fiber.uc_stack.ss_size = FIBER;
	of_fiber.uc_link = &of_main;
	makecontext(&of_fiber, elsewhere, 0);
	swapcontext(&of_main, &of_fiber);
	for (int i = 0; i < BELOW; i++)
		changed = changed + (memory[i] != 0x5a);
	printf("%d bytes changed\n", changed);
	return 0;
}

static int scheduler(void)
{
	static char room[ALTERNATE];
	stack_t own = {.ss_sp = room, .ss_size = sizeof room}, before, now;
	int set = sigaltstack(&own, &before), asked = sigaltstack(0, &now);
	printf("%d %d: before flags %d, now %d, the same %d, size %zu\n", set, asked, before.ss_flags, now.ss_flags,
		now.ss_sp == room, now.ss_size);
	return fiber();
}

// The lowest pages that the stack may have, again and again.
__attribute__((noinline)) static void at_end(uintptr_t end)
{
	uint64_t start = cpu_time();
	volatile char *room = __builtin_alloca((uintptr_t)__builtin_frame_address(0) - end - 1024);
	char *low = (char *)((end + PAGE) & ~(uintptr_t)(PAGE - 1));
	do {
		for (int i = TOUCHED - 1; i >= 0; i--)
			low[i * PAGE] = 1;
		madvise(low, TOUCHED * PAGE, MADV_DONTNEED);
	} while (cpu_time() - start < wanted);
	sink += (unsigned char)room[0];
}

static int end_of_stack(void)
{
	struct rlimit limit;
	pthread_attr_t attributes;
	void *low;
	size_t size;
	if (getrlimit(RLIMIT_STACK, &limit) != 0 || pthread_getattr_np(pthread_self(), &attributes) != 0 ||
		pthread_attr_getstack(&attributes, &low, &size) != 0)
		return 1;
	at_end((uintptr_t)low + PAGE);
	return 0;
}

static const char *where;
static char *alternate;

static void on_signal(int signal)
{
	char here;
	stack_t now;
	(void)signal;
	sigaltstack(0, &now);
	int on_alternate = alternate && &here >= alternate && &here < alternate + BELOW;
	int small_on = !on_alternate && (now.ss_flags & SS_ONSTACK);
	printf("%s: flags %d%s", where, now.ss_flags, small_on ? "" : on_alternate ? ", there" : ", where it was");
}

__attribute__((noinline)) static void handled(const char *what, int signal)
{
	struct sigaction now;
	where = what;
	raise(signal);
	sigaction(signal, 0, &now);
	printf(", action %x\n", (unsigned)now.sa_flags & ~0x04000000u);
}

static int handlers(void)
{
	static char room[ALTERNATE];
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	alternate = mmap(0, BELOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t large = {.ss_sp = alternate, .ss_size = BELOW}, none = {.ss_flags = SS_DISABLE}, now = {0};
	stack_t small = {.ss_sp = room, .ss_size = sizeof room}, tiny = {.ss_sp = room, .ss_size = 1000},
		odd = {.ss_flags = 64};
	sigaction(SIGUSR1, &action, 0);
	sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_signal}, 0);
	handled("none", SIGUSR1);
	printf("refused: %d %d, %d %d, %d %d\n", sigaltstack(&tiny, 0), errno, sigaltstack(&odd, 0), errno,
		sigaltstack((void *)-8, 0), errno);
	printf("large: %d\n", sigaltstack(&large, &now));
	handled("large", SIGUSR1);
	handled("large, not asked for", SIGUSR2);
	now = small;
	stack_t *volatile same = &now; // one structure for both
	printf("small: %d", sigaltstack(&now, same));
	printf(", before: the same %d, size %zu, flags %d\n", now.ss_sp == alternate, now.ss_size, now.ss_flags);
	handled("small", SIGUSR1);
	printf("none: %d", sigaltstack(&none, &now));
	printf(", before: the same %d, size %zu, flags %d\n", now.ss_sp == room, now.ss_size, now.ss_flags);
	long result = syscall(SYS_sigaltstack, &small, &now);
	printf("by a system call: %ld, before: size %zu, flags %d\n", result, now.ss_size, now.ss_flags);
	result = syscall(SYS_sigaltstack, 0, &now);
	printf("asked: %ld, the same %d, size %zu, flags %d\n", result, now.ss_sp == room, now.ss_size, now.ss_flags);
	elsewhere();
	return 0;
}

// With system calls of its own, which nobody sees but the kernel.
static int run_time(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	alternate = mmap(0, BELOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t large = {.ss_sp = alternate, .ss_size = BELOW};
	sigaction(SIGUSR1, &action, 0);
	printf("by a bare system call: %ld\n", call2(SYS_sigaltstack, (long)&large, 0));
	handled("large", SIGUSR1);
	elsewhere();
	return 0;
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		int (*function)(void);
	} ways[] = {{"pointer", own_pointer}, {"fiber", fiber}, {"scheduler", scheduler}, {"end", end_of_stack},
		{"handlers", handlers}, {"runtime", run_time}};
	if (count != 3)
		return 2;
	wanted = (uint64_t)(atof(arguments[2]) * 1e6);
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, arguments[1]) == 0) {
			int failed = ways[i].function();
			puts(failed ? "failed" : "done");
			return failed;
		}
	return 2;
}
