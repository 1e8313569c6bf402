/* SPDX-License-Identifier: Apache-2.0 */
/* System calls without libc, which no library in front of it sees. */
#ifndef BARE_CALLS_H
#define BARE_CALLS_H

#include <sys/syscall.h>
#include <time.h>

/* Sleeps for less than a second. */
static inline __attribute__((always_inline)) void bare_nanosleep(long nanoseconds)
{
	struct timespec time = {0, nanoseconds};
#if defined __x86_64__
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"((long)SYS_nanosleep), "D"(&time), "S"(0L)
			 : "rcx", "r11", "memory");
#elif defined __aarch64__
	register long number __asm__("x8") = SYS_nanosleep, first __asm__("x0") = (long)&time, second __asm__("x1") = 0;
	__asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
#endif
}

#endif
