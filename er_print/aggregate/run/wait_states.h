/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes of thread states (kinds.def: OFFCPU, state). */
#ifndef WAIT_STATES_H
#define WAIT_STATES_H

#include "kinds.h"
#include <stdbool.h>

/* Whether the thread waited for a page of memory. */
static inline bool state_is_page_fault(uint64_t state)
{
	return state == STATE_VALUE(OFFCPU, state, text) || state == STATE_VALUE(OFFCPU, state, data);
}

/* Whether it waited for something, and not for a CPU, in a state that is neither User Lock nor a page fault. */
static inline bool state_is_other_wait(uint64_t state)
{
	return state != STATE_VALUE(OFFCPU, state, unexplained) && state != STATE_VALUE(OFFCPU, state, runnable) &&
	       state != STATE_VALUE(OFFCPU, state, lock) && state != STATE_VALUE(OFFCPU, state, waking) &&
	       !state_is_page_fault(state);
}

/* Whether it waited for something, and not for a CPU. */
static inline bool state_is_wait(uint64_t state)
{
	return state == STATE_VALUE(OFFCPU, state, lock) || state_is_page_fault(state) || state_is_other_wait(state);
}

/* Whether it did not run, for a reason that is known. */
static inline bool state_is_off_cpu(uint64_t state)
{
	return state == STATE_VALUE(OFFCPU, state, runnable) || state_is_wait(state);
}

#endif
