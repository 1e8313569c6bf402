/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU-time timer beside a perf event that sees user mode alone: the kernel gives no tick of it that hits the kernel, so that
   programs which are mostly there would have few ticks, none of them in a system call. The timer asks when no tick has come for an
   interval. Its signal counts where a system call has just ended, for then the kernel was what the timer found; and anywhere, if
   page faults explain most of the system time since it last counted. In user mode the perf event has its own ticks. */
#ifndef SECOND_TIMER_H
#define SECOND_TIMER_H

#include "source.h"
#include <stdbool.h>
#include <ucontext.h>

/* Beside a perf event that was begun: the first question comes after `first` nanoseconds of CPU time. Without a timer all is as it
   would be without this. */
void second_timer_begin(struct thread_clock *clock, pid_t tid, uint64_t first);
/* A tick has been recorded: the next question comes an interval later. */
void second_timer_rearm(struct thread_clock *clock, uint64_t interval);
/* Whether a signal is such a question. */
bool second_timer_asks(const struct thread_clock *clock, const siginfo_t *info);
/* Whether it found the thread in the kernel: a system call has just ended there, or is to be begun again; or a page fault, as far
   as that can be told. */
bool second_timer_hits(struct thread_clock *clock, const ucontext_t *context);
/* The mode that a tick of the perf event, or of the timer that asked, hit at `cpu`; `otherwise` without a second timer. System time
   that waits for a tick goes to the last of the timer's while these come, and else, as that of page faults, to what comes next. */
enum tick_mode second_timer_mode(struct thread_clock *clock, bool asked, uint64_t cpu, enum tick_mode otherwise);

#endif
