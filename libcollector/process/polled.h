/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for many descriptors at once, in poll, select or epoll_wait: the objects that are waited for are marked, so that who gives
   them to others is recorded, and the descriptor that is ready first tells which object ended the wait. Async-signal-safe. */
#ifndef POLLED_H
#define POLLED_H

#include "blocking_call.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* The descriptors that a call waits for; members of other calls are 0. */
struct polled {
	const struct pollfd *fds;
	const fd_set *readable, *writable, *others;
	const struct epoll_event *events; /* room for what is ready */
	uint64_t count;                   /* of fds, or descriptors in the sets */
};
#define POLLED_fds(fds_, count_) ((struct polled){.fds = fds_, .count = count_})
#define POLLED_sets(count_, r_, w_, e_)                                                                                \
	((struct polled){.readable = r_, .writable = w_, .others = e_, .count = (uint64_t)(count_)})
#define POLLED_events(events_) ((struct polled){.events = events_})

/* The frame is that of the call's wrapper: the target's memory is above it. */
void polled_begin(const struct polled *polled, const void *frame);
/* After the call. The object that ended the wait, if the thread waited, is in its switches; OBJECT_POLLED: there were no
   descriptors, so it slept. */
void polled_end(const struct polled *polled, int result);

/* epoll_ctl() was called with success: `data` of an event stands for the descriptor. */
void polled_epoll_changed(int descriptor, const struct epoll_event *event);

/* The result of MADE, a call that waits for POLLED if WAITS. */
#define POLLED_CALL(polled_, waits_, made)                                                                             \
	({                                                                                                             \
		bool polls_ = (waits_) && has_states(current_thread);                                                  \
		struct polled set_ = polled_;                                                                          \
		if (polls_)                                                                                            \
			polled_begin(&set_, __builtin_frame_address(0));                                               \
		int ready_ = made;                                                                                     \
		if (polls_)                                                                                            \
			polled_end(&set_, ready_);                                                                     \
		ready_;                                                                                                \
	})

#endif
