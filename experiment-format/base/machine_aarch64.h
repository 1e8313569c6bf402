/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h for arm64. */
#ifndef MACHINE_AARCH64_H
#define MACHINE_AARCH64_H

#define MACHINE_NAME               "aarch64"
#define MACHINE_ELF                EM_AARCH64
#define MACHINE_LOADER             "ld-linux-aarch64.so.1"
#define MACHINE_LOADER_BY_STANDARD MACHINE_LOADER
#define ARCHITECTURE_HEADER        "architecture_aarch64.h" /* what the collector alone needs to know */

/* The kernel's name of the counter as its clock, and what raw time is then. */
#define MACHINE_KERNEL_CLOCK "arch_sys_counter"
#define MACHINE_TIME         TIME_CNTVCT

static inline long system_call_always(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
}

/* May be read a little before what precedes it is done. */
static inline uint64_t cycle_counter(void)
{
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

static inline bool cycle_counter_is_steady(void)
{
	return true;
}

#endif
