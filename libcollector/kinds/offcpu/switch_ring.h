/* SPDX-License-Identifier: Apache-2.0 */
/* The records that the kernel writes when it switches a thread out and in again, and after a page fault of the thread that had to
   wait. No signal is sent for them, so no wait of the target is cut short. */
#ifndef SWITCH_RING_H
#define SWITCH_RING_H

#include "thread.h"

/* Has the switches of the calling thread recorded. The event counts nothing and sees no more than user mode, which the kernel lets
   everybody have. False: there is no descriptor for it, or the kernel refuses it. Async-signal-safe. */
bool switch_ring_open(struct thread_switches *switches);
/* In the thread itself. */
void switch_ring_close(struct thread_switches *switches);
/* No more records, from any thread of the process. */
void switch_ring_silence(struct thread_switches *switches);

/* Closes the event for now. Its memory stays where it is, with nothing in it, as what a handler of ours interrupts may be looking
   at it. In the thread itself; async-signal-safe. False: it is as it was. */
bool switch_ring_lay_aside(struct thread_switches *switches);
/* Opens it again, in the same place. */
bool switch_ring_take_up(struct thread_switches *switches);

struct switch_record {
	enum { SWITCHED_IN, SWITCHED_OUT, PAGE_FAULT, SWITCHES_LOST } what;
	uint64_t at;    /* its place among all that were ever written */
	bool preempted; /* of SWITCHED_OUT: the thread could have run on */
	uint32_t cpu;
	uint64_t time;        /* CLOCK_MONOTONIC */
	uint64_t lost;        /* of SWITCHES_LOST: how many records */
	uint64_t pc, address; /* of PAGE_FAULT: the instruction, and what it needed */
};
/* The place of the first record that is not taken. */
uint64_t switch_ring_first(const struct thread_switches *switches);
/* The next record from `place` on and before `head`, and the place after it; it stays there. False: there is none. */
bool switch_ring_look(
	const struct thread_switches *switches, uint64_t *place, uint64_t head, struct switch_record *record);
/* Takes the next record before that place out. False: there is none. */
bool switch_ring_take(struct thread_switches *switches, uint64_t head, struct switch_record *record);

#endif
