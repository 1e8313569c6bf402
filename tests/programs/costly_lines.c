// SPDX-License-Identifier: Apache-2.0
// Loops of which one instruction costs by far the most: that of the line with the comment "costs". Each runs for about the
// milliseconds of the argument. The instructions around it are cheap, and depend on nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#define LOOP  static __attribute__((noinline)) void
#define TIMES for (long n = rounds; n; n--)
#define CHEAP(x)                                                                                                       \
	do {                                                                                                           \
		(x) += 3;                                                                                              \
		__asm__ volatile("" : "+r"(x));                                                                        \
	} while (0)

enum { RING = 1 << 18, APART = 64 };
struct link {
	struct link *next;
	char pad[APART - sizeof(struct link *)];
};
static struct link ring[RING], *at = ring;
static long counter, number = 1000003, divisor = 7;
static double root = 1.7, quotient = 1.9, ratio = 1.0001;
static char from[1 << 14], to[1 << 14];

LOOP dependent_load(long rounds)
{
	long a = 0, b = 0;
	struct link *p = at;
	TIMES
	{
		CHEAP(a);
		__asm__ volatile("mov (%0), %0" : "+r"(p)); // costs
		CHEAP(b);
		CHEAP(a);
	}
	at = p;
}

LOOP load_and_branch(long rounds)
{
	long a = 0, b = 0;
	struct link *p = at;
	TIMES
	{
		CHEAP(a);
		p = *(struct link *volatile *)&p->next; // costs
		if (!p)
			CHEAP(b);
		CHEAP(a);
	}
	at = p;
}

static inline __attribute__((always_inline)) struct link *following(struct link *p)
{
	return *(struct link *volatile *)&p->next; // costs
}

LOOP inlined_load(long rounds)
{
	long a = 0, b = 0;
	struct link *p = at;
	TIMES
	{
		CHEAP(a);
		p = following(p);
		CHEAP(b);
	}
	at = p;
}

LOOP integer_division(long rounds)
{
	long a = 0, b = 0, by = divisor;
	TIMES
	{
		long high = 0, low = number;
		CHEAP(a);
		__asm__ volatile("idiv %2" : "+a"(low), "+d"(high) : "r"(by)); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

LOOP square_root(long rounds)
{
	long a = 0, b = 0;
	double x = root;
	TIMES
	{
		CHEAP(a);
		__asm__ volatile("sqrtsd %0, %0" : "+x"(x)); // costs
		CHEAP(b);
		CHEAP(a);
	}
	root = x;
}

LOOP float_division(long rounds)
{
	long a = 0, b = 0;
	double x = quotient, by = ratio;
	TIMES
	{
		CHEAP(a);
		x /= by; // costs
		CHEAP(b);
		CHEAP(a);
	}
	quotient = x;
}

LOOP multiplication(long rounds)
{
	long a = 0, b = 0, x = number;
	TIMES
	{
		CHEAP(a);
		__asm__ volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0" : "+r"(x)); // costs
		CHEAP(b);
	}
	number = x | 1;
}

LOOP locked_addition(long rounds)
{
	long a = 0, b = 0;
	TIMES
	{
		CHEAP(a);
		__asm__ volatile("lock addq $1, %0" : "+m"(counter)); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

LOOP fence(long rounds)
{
	long a = 0, b = 0;
	TIMES
	{
		CHEAP(a);
		__asm__ volatile("mfence" : : : "memory"); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

LOOP pauses(long rounds)
{
	long a = 0, b = 0;
	TIMES
	{
		CHEAP(a);
		__asm__ volatile("pause"); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

LOOP system_call(long rounds)
{
	long a = 0, b = 0;
	TIMES
	{
		long asked = SYS_gettid;
		CHEAP(a);
		__asm__ volatile("syscall" : "+a"(asked) : : "rcx", "r11", "memory"); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

LOOP string_copy(long rounds)
{
	long a = 0, b = 0;
	TIMES
	{
		char *source = from, *target = to;
		long size = sizeof(from);
		CHEAP(a);
		__asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(size) : : "memory"); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

LOOP serialising(long rounds)
{
	long a = 0, b = 0;
	TIMES
	{
		uint32_t low, high, cpu;
		CHEAP(a);
		__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(cpu)); // costs
		CHEAP(b);
		CHEAP(a);
	}
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// Each link leads to one that is far from it: by steps of an odd number, all are on the ring.
static void make_ring(void)
{
	for (unsigned i = 0; i < RING; i++)
		ring[i].next = &ring[(i * 1103515245u + 12345u) % RING];
}

int main(int argc, char **argv)
{
	static void (*const loops[])(long) = {dependent_load, load_and_branch, inlined_load, integer_division,
		square_root, float_division, multiplication, locked_addition, fence, pauses, system_call, string_copy,
		serialising};
	double wanted = argc > 1 ? atof(argv[1]) : 100;
	make_ring();
	for (unsigned i = 0; i < sizeof(loops) / sizeof(*loops); i++)
		for (double start = now(); now() - start < wanted;)
			loops[i](1000);
	return 0;
}
