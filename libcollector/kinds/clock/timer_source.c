/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks from a CPU-time timer of the thread: allowed everywhere, no finer than the kernel's own tick. */
#include "our_signal.h"
#include "source.h"
#include "system_calls.h"
#include <string.h>
#include <time.h>

#define NANOSECONDS_PER_SECOND 1000000000u

static char cookie; /* its address is the value that our timers' signals carry */

bool timer_begin(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval)
{
	struct sigevent event;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = OUR_SIGNAL;
	event.sigev_value.sival_ptr = &cookie;
	event._sigev_un._tid = tid;
	int timer = 0;
	if (system_call(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) < 0)
		return false;
	clock->timer = timer;
	clock->timer_made = true;
	if (timer_set(clock, first, interval))
		return true;
	timer_end(clock);
	return false;
}

bool timer_set(const struct thread_clock *clock, uint64_t first, uint64_t interval)
{
	struct itimerspec times = {
		.it_interval = {(time_t)(interval / NANOSECONDS_PER_SECOND), (long)(interval % NANOSECONDS_PER_SECOND)},
		.it_value = {(time_t)(first / NANOSECONDS_PER_SECOND), (long)(first % NANOSECONDS_PER_SECOND)},
	};
	return system_call(SYS_timer_settime, clock->timer, 0, &times, 0) == 0;
}

void timer_silence(struct thread_clock *clock)
{
	struct itimerspec never = {{0, 0}, {0, 0}};
	if (clock->timer_made)
		system_call(SYS_timer_settime, clock->timer, 0, &never, 0);
}

void timer_end(struct thread_clock *clock)
{
	if (clock->timer_made)
		system_call(SYS_timer_delete, clock->timer);
	clock->timer_made = clock->second = false;
}

__attribute__((hot)) bool timer_owns(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &cookie;
}
