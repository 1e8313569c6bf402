/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the target's threads: their states are made at their start, or when they are first seen. */
#ifndef THREADS_H
#define THREADS_H

#include "stack_bounds.h"
#include "thread.h"

/* Makes and starts the calling thread's state (kinds_thread_start). Called by collector_start for the first thread, and for
   a thread first seen in an interposed call. 0: no memory. */
struct thread *thread_begin(void);
/* As thread_begin(), for a thread whose stack is known. Called by the start routine of the pthread_create wrapper. */
struct thread *thread_begin_on(struct stack_bounds stack);
/* Stops it (kinds_thread_stop), recycles it. Called at the end of the thread's destructors; harmless when repeated. */
void thread_end(void);
/* The number and the stack of the calling thread, if thread_end has run in it: code that it still runs finds no state. Else
   zeros. */
struct thread_past {
	uint32_t number;
	struct stack_bounds stack;
};
struct thread_past thread_past(void);
/* Forgets every thread, closes their inherited clocks: in every fork child, before collector_start (which may follow). */
void threads_after_fork(void);
/* The live thread with this kernel's id, or 0. */
struct thread *thread_find(pid_t tid);
/* Calls f for each live thread but the caller, for the last time: their own thread_end then does nothing to their streams.
   By the closing thread. */
void threads_visit_others(void (*f)(struct thread *thread));

#endif
