// SPDX-License-Identifier: Apache-2.0
// Code made at run time, without tables and without frame pointers, whose frame is as large as a run-time's registers and full of
// what earlier calls have left there. It calls back, by a call or by pushing its address and jumping (as QEMU does), and what it
// calls allocates. Then other code, with a larger frame, stands at the same address. Prints the nanoseconds that an allocation and
// its release take, called directly and through either code. run_time_code TIMES
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

typedef void (*work_function)(long);
typedef void (*code_function)(long times, work_function work);

static unsigned char *code;
static void *volatile kept;

NOINLINE static void allocate_direct(long size)
{
	kept = malloc((size_t)size % 64 + 1);
	free(kept);
}

NOINLINE static void allocate_in_code(long size)
{
	kept = malloc((size_t)size % 64 + 1);
	free(kept);
	__asm__ volatile("");
}

NOINLINE static void allocate_in_other_code(long size)
{
	kept = malloc((size_t)size % 64 + 1);
	free(kept);
	__asm__ volatile("" ::: "memory");
}

/* Leaves return addresses of direct calls and of calls by pointers where the code's frame will be. */
NOINLINE static int leave_traces(int depth, int (*again)(int, void *))
{
	volatile char room[40];
	room[0] = (char)depth;
	return depth ? (depth % 2 ? again(depth - 1, (void *)again) : leave_traces(depth - 1, again)) + room[0]
		     : room[0];
}

static int leave_traces_again(int depth, void *again)
{
	return leave_traces(depth, (int (*)(int, void *))again) + 1;
}

#if defined(__x86_64__)
static void put(unsigned *at, const void *bytes, unsigned size)
{
	memcpy(code + *at, bytes, size);
	*at += size;
}

/* push rbx; push r12; sub rsp, frame; mov rbx, rdi; mov r12, rsi; again: mov rdi, rbx; call r12 (or its address pushed, and a
   jump); dec rbx; jnz again; add rsp, frame; pop r12; pop rbx; ret */
static void make_code(uint32_t frame, int by_jump)
{
	unsigned at = 0;
	put(&at, "\x53\x41\x54\x48\x81\xec", 6);
	put(&at, &frame, 4);
	put(&at, "\x48\x89\xfb\x49\x89\xf4", 6);
	unsigned again = at;
	put(&at, "\x48\x89\xdf", 3);
	if (by_jump) /* lea rax, [rip + 4]; push rax; jmp r12 */
		put(&at, "\x48\x8d\x05\x04\x00\x00\x00\x50\x41\xff\xe4", 11);
	else
		put(&at, "\x41\xff\xd4", 3);
	put(&at, "\x48\xff\xcb\x75", 4);
	int8_t back = (int8_t)((int)again - (int)at - 1);
	put(&at, &back, 1);
	put(&at, "\x48\x81\xc4", 3);
	put(&at, &frame, 4);
	put(&at, "\x41\x5c\x5b\xc3", 4);
}
#else
static void make_code(uint32_t frame, int by_jump)
{
	(void)frame, (void)by_jump;
	exit(77);
}
#endif

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

NOINLINE static void enter_code(long times, work_function work)
{
	((code_function)(void *)code)(times, work);
	__asm__ volatile("");
}

NOINLINE static double in_code(long times, work_function work, uint32_t frame, int by_jump)
{
	make_code(frame, by_jump);
	leave_traces(20, leave_traces_again);
	double begin = now();
	enter_code(times, work);
	return (now() - begin) / (double)times;
}

NOINLINE static double directly(long times)
{
	double begin = now();
	for (long i = times; i; i--)
		allocate_direct(i);
	return (now() - begin) / (double)times;
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? atol(argv[1]) : 10000;
	code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return 2;
	double direct = directly(times), first = in_code(times, allocate_in_code, 1208, 0);
	double other = in_code(times, allocate_in_other_code, 3000, 1);
	printf("%.0f %.0f %.0f\n", direct, first, other);
	return 0;
}
