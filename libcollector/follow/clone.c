/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of clone: a child with a copy of this process's memory records as a fork's does. One that shares the
   memory is not ours to follow until it execs. */
#include "collector.h"
#include "fork.h"
#include "interpose.h"
#include <sched.h>
#include <stdarg.h>
#include <sys/types.h>

struct beginning {
	int (*routine)(void *);
	void *argument;
};

/* In the child, on its own stack; `beginning` lies in the copy of its parent's. */
static int begin(void *beginning)
{
	struct beginning *copy = beginning;
	fork_after_in_child();
	int status = copy->routine(copy->argument);
	collector_close("clone"); /* libc ends the child by a system call */
	return status;
}

INTERPOSE int clone(int (*routine)(void *), void *stack, int flags, void *argument, ...)
{
	va_list list;
	va_start(list, argument);
	pid_t *parent_tid = va_arg(list, pid_t *);
	void *tls = va_arg(list, void *);
	pid_t *child_tid = va_arg(list, pid_t *);
	va_end(list);
	if (flags & CLONE_VM)
		return REAL(clone)(routine, stack, flags, argument, parent_tid, tls, child_tid);
	struct beginning beginning = {routine, argument};
	fork_before();
	int child = REAL(clone)(begin, stack, flags, &beginning, parent_tid, tls, child_tid);
	fork_after_in_parent();
	return child;
}
