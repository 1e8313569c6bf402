/* SPDX-License-Identifier: Apache-2.0 */
/* The use of another process so far, from its CPU clock and /proc. */
#ifndef PROCESS_USAGE_H
#define PROCESS_USAGE_H

#include "samples.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Tells a process from a later one of the same number, and from another program that it has become. */
struct process_identity {
	uint64_t started;       /* in the kernel's ticks */
	uint64_t device, inode; /* of its executable file */
};

/* False: there is no such process. */
bool process_identify(pid_t pid, struct process_identity *identity);
/* Adds all that is known from outside. Context switches and block I/O are not known of a process with several threads: those of
   threads that have ended cannot be had. False: it is gone, a zombie, or another by now. */
bool process_usage_read(pid_t pid, const struct process_identity *identity, struct sample_values *usage);

#endif
