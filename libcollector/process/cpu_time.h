/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of a thread: how much, and how much of it in user and in kernel mode. */
#ifndef CPU_TIME_H
#define CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>

/* Since the thread began, in nanoseconds. `user` and `system` are the kernel's accounting (a statistical split of the exact
   time), in whole microseconds: their sum is a little less than `cpu`. */
struct cpu_time {
	uint64_t cpu, user, system;
	bool accounted;  /* user, system and faults are known */
	uint64_t faults; /* page faults for which nothing had to be read */
};

/* The calling thread's. Async-signal-safe, one system call. */
struct cpu_time cpu_time_clock(void);
/* Adds the accounting at the moment of that reading; another system call. */
void cpu_time_account(struct cpu_time *time);

/* All threads' of the process together, also those that have ended; both clock and accounting. */
struct cpu_time cpu_time_process(void);

/* CPU time of another thread of this process; 0 if it is gone. */
uint64_t cpu_time_of(pid_t tid);

/* A time of the kernel's accounting, in nanoseconds. */
static inline uint64_t timeval_nanoseconds(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

#endif
