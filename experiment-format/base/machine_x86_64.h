/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h for x86-64. */
#ifndef MACHINE_X86_64_H
#define MACHINE_X86_64_H

#include <cpuid.h>
#include <sys/prctl.h>

#define MACHINE_NAME               "x86_64"
#define MACHINE_ELF                EM_X86_64
#define MACHINE_LOADER             "ld-linux-x86-64.so.2"
#define MACHINE_LOADER_BY_STANDARD "ld-lsb-x86-64.so.3"    /* a link to it, for programs of the Linux Standard Base */
#define ARCHITECTURE_HEADER        "architecture_x86_64.h" /* what the collector alone needs to know */

/* The kernel's name of the counter as its clock, and what raw time is then. */
#define MACHINE_KERNEL_CLOCK "tsc"
#define MACHINE_TIME         TIME_TSC

static inline long system_call_always(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* May be read a little before what precedes it is done. */
static inline uint64_t cycle_counter(void)
{
	return __builtin_ia32_rdtsc();
}

/* Whether the counter runs at a constant rate in every power state (CPUID leaf 0x80000007, EDX bit 8; the kernel's flags
   constant_tsc and nonstop_tsc), and the process may read it. */
static inline bool cycle_counter_is_steady(void)
{
	unsigned a, b, c, d = 0;
	int permission = PR_TSC_ENABLE;
	prctl(PR_GET_TSC, &permission, 0, 0, 0);
	return permission == PR_TSC_ENABLE && __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

#endif
