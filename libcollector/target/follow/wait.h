/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU time of the children that this process waits for: the only news of a child that was not recorded. */
#ifndef WAIT_H
#define WAIT_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* This process has reaped the child PID, and the kernel says what that used with all that it had waited for. errno is left
   alone. Async-signal-safe. */
void wait_reaped(pid_t pid, const struct rusage *usage);

/* Where recording begins: what was used until now was another image's or is the parent's. */
void wait_start(void);

/* CPU time in nanoseconds of all children that this process has waited for, and of all that they had waited for. */
uint64_t wait_children_time(void);

#endif
