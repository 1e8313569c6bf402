/* SPDX-License-Identifier: Apache-2.0 */
/* A process that lets its parent trace it, as debuggers have their children do before they exec the program: from here on
   our signals would stop it in front of the debugger. The image that follows finds its tracer by itself (control/lifetime.c). */
#include "collector.h"
#include "interpose.h"
#include "kind.h"
#include <errno.h>
#include <sys/ptrace.h>

/* Not variadic, which is the same to callers. */
long ptrace_in_front(long request, long a, long b, long c) __asm__("ptrace");
INTERPOSE long ptrace_in_front(long request, long a, long b, long c)
{
	if (request == PTRACE_TRACEME && collector_recording() && current_thread) {
		int saved = errno;
		kinds_thread_silence(current_thread);
		errno = saved;
	}
	return REAL(ptrace)((enum __ptrace_request)request, a, b, c);
}
