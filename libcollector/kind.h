/* SPDX-License-Identifier: Apache-2.0 */
/* What a data kind does at the turns of a process's life. One const struct kind_operations NAME_operations per row of
   kinds.def; a null pointer means "nothing to do". kind.c calls them in the table's order (stops in reverse). */
#ifndef KIND_H
#define KIND_H

#include "kinds.h"
#include <stdbool.h>

struct thread;
struct sample_values;

struct kind_operations {
	bool (*wanted)(void);                  /* do the settings ask for it? 0: always */
	void (*start)(void);                   /* recording begins, before any thread_start */
	void (*stop)(void);                    /* recording ends, after thread_stop of the calling thread */
	void (*thread_start)(struct thread *); /* in the thread itself (also for the first thread and after fork) */
	void (*thread_stop)(struct thread *);  /* in the thread itself, at its end */
	void (*thread_abandon)(
		struct thread *); /* by the closing thread, for another that still runs: take what is left */
	/* In the thread itself, before its recording is paused or goes on: what it has done until now belongs to the state
	   of now. The frame address is that of the function of ours that it called. */
	void (*thread_cut)(struct thread *, const void *frame_address);
	void (*thread_silence)(struct thread *); /* no more signals of ours in the thread itself; thread_stop follows */
	void (*sample)(struct sample_values *);  /* adds what the kind knows to a sample; async-signal-safe */
};

/* Whether this recording has the kind: its events file is made, its operations are called. */
bool kind_wanted(enum kind kind);

void kinds_start(void);
void kinds_stop(void);
void kinds_thread_start(struct thread *thread);
void kinds_thread_stop(struct thread *thread);
void kinds_thread_abandon(struct thread *thread);
void kinds_thread_cut(struct thread *thread, const void *frame_address);
void kinds_thread_silence(struct thread *thread);
void kinds_sample(struct sample_values *values);

#endif
