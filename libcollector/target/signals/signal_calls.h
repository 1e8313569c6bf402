/* SPDX-License-Identifier: Apache-2.0 */
/* Actions, masks and alternate stacks that the target sets by syscall(), not by libc's functions: programs that reset every signal
   in the child of a fork do (Chromium), for libc refuses its own two. */
#ifndef SIGNAL_CALLS_H
#define SIGNAL_CALLS_H

#include "target_signal.h"
#include <sys/syscall.h>

static inline bool signal_call_is(long number)
{
	return (number == SYS_rt_sigaction || number == SYS_rt_sigprocmask || number == SYS_sigaltstack) &&
	       signals_virtual;
}

/* Makes such a call: what is not about our signal is the kernel's. Its result as syscall()'s; errno is set. */
long signal_call(long number, long a, long b, long c, long size);

#endif
