/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that other threads do while the one that needs it later goes on: each errand is run once, by another thread, or by who
   waits for it where none has come to it. */
#ifndef ERRANDS_H
#define ERRANDS_H

#include <stdbool.h>

/* The caller's, as long as it is on its way. */
struct errand {
	void (*run)(struct errand *errand); /* in any thread */
	struct errand *next;                /* these are errands.c's own */
	enum { ERRAND_QUEUED, ERRAND_RUNNING, ERRAND_DONE } state;
};
struct errands;
/* Begins with at most so many other threads. Errands are taken up when `enough` of them wait: waking a thread takes time. */
struct errands *errands_begin(unsigned threads, unsigned enough);
void errands_send(struct errands *errands, struct errand *errand);
/* Returns when the errand has been run. */
void errands_wait(struct errands *errands, struct errand *errand);
/* Ends the threads. All errands have been waited for. */
void errands_end(struct errands *errands);

/* Ends all that goes on, before work is given up from afar (progress_checkpoint). */
void errands_give_up(void);

#endif
