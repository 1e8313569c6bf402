/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptors of perf events: high numbers that the target hardly meets, at most a quarter of what it may open, and
   never closed by the target's close, closefrom or dup2. Lock-free, async-signal-safe. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <stdbool.h>

/* Chooses the numbers from RLIMIT_NOFILE. */
void descriptors_start(void);

/* Moves a fresh descriptor (close-on-exec) to a number of ours, which the caller keeps in *owner: that is changed when the
   number must change, to -1 when it is lost. Returns the number, or -1 if all are in use; `fd` is closed either way. */
int descriptor_take(int fd, int *owner);
/* The same, from one half of the numbers: the others can always have the other half. */
int descriptor_take_spare(int fd, int *owner);
/* Closes it. */
void descriptor_release(int number);
/* Forgets it without closing: somebody else has done that already. */
void descriptor_forget(int number);

/* Whether the number is, or has been, one of ours (a signal that carries it is no business of the target's). */
bool descriptor_in_range(int number);
/* Whether it is one of ours now: the target does not know of it. */
bool descriptor_is_ours(int number);
/* The failure of a call of the target about one of ours: returns -1, and errno is EBADF. */
int descriptor_absent(void);

/* Makes way for the target, which wants this very number: its owner gets another one, or loses its event. */
void descriptor_give_way(int number);

/* In a fork child: closes all that were inherited. */
void descriptors_after_fork(void);

/* Has `closed` called for numbers that the target closes or has stand for something else, by the calls that we stand in front of
   here: before the real call, and after it, for what another thread has looked up meanwhile. At most two ask. */
void descriptors_watch(void (*closed)(unsigned first, unsigned last));

/* Calls f for each run of numbers in [first, last] without a descriptor of ours, in ascending order, while f returns 0.
   Returns f's last result. */
int descriptors_visit_gaps(
	unsigned first, unsigned last, int (*f)(unsigned first, unsigned last, void *context), void *context);

#endif
