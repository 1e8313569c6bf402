/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of clone: a child with a copy of this process's memory records as a fork's does. One that shares the
   memory is not ours to follow until it execs. */
#include "collector.h"
#include "fork.h"
#include "interpose.h"
#include "lifetime.h"
#include "own_stack.h"
#include "pages.h"
#include <sched.h>
#include <stdarg.h>
#include <sys/types.h>

enum { ROOM_SIZE = 128 * 1024 };

/* Memory of ours that the child has a copy of: what it begins with is at its end, below that is the stack on which our work
   is done. The target may give its child a few KB, in the middle of a stack in use, and jump from there to where it was:
   Chromium and Firefox do. */
struct beginning {
	int (*routine)(void *);
	void *argument;
} __attribute__((aligned(16)));

static struct beginning *beginning_in(char *room)
{
	return (struct beginning *)(room + ROOM_SIZE) - 1;
}

static void give_back(struct beginning *beginning)
{
	pages_unmap((char *)(beginning + 1) - ROOM_SIZE, ROOM_SIZE);
}

static void record_child(void *unused)
{
	(void)unused;
	fork_after_in_child();
}

/* In the child, on the stack that the target has given it. The routine need not return. */
static int begin_child(void *room_end)
{
	struct beginning *beginning = room_end, copy = *beginning;
	own_stack_call(record_child, 0, beginning);
	give_back(beginning);
	int status = copy.routine(copy.argument);
	collector_end("clone"); /* libc ends the child by a system call */
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
	/* With thread-local storage of its own the child has none of our state. */
	char *room = flags & (CLONE_VM | CLONE_SETTLS) ? 0 : pages_map(ROOM_SIZE);
	if (!room)
		return REAL(clone)(routine, stack, flags, argument, parent_tid, tls, child_tid);
	struct beginning *beginning = beginning_in(room);
	*beginning = (struct beginning){routine, argument};
	fork_before();
	int child = REAL(clone)(begin_child, stack, flags, beginning, parent_tid, tls, child_tid);
	fork_after_in_parent();
	give_back(beginning);
	return child;
}
