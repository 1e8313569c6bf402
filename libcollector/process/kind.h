/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a data kind at the turns of a process's life. One const struct kind_operations NAME_operations per row of
   kinds.def; a null pointer means "nothing to do". kind.c calls them in the table's order (stops in reverse).
   The kinds lie above everything that calls them: who collects them all (life/kind_table.c) says here which there are. */
#ifndef KIND_H
#define KIND_H

#include "kinds.h"
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

struct thread;
struct sample_values;

struct kind_operations {
	bool (*wanted)(void); /* do the settings ask for it? 0: always */
	bool file_is_late;    /* the kind makes its events file by itself, at its first event (lifetime.h) */
	void (*start)(void);  /* recording begins, before any thread_start */
	void (*stop)(void);   /* recording ends, after thread_stop of the calling thread */
	void (*thread_start)(struct thread *); /* in the thread itself (also for the first thread and after fork) */
	void (*thread_stop)(struct thread *);  /* in the thread itself, at its end */
	void (*thread_abandon)(
		struct thread *); /* by the closing thread, for another that still runs: take what is left */
	/* In the thread itself, before its recording is paused or goes on: what it has done until now belongs to the state
	   of now. The frame address is that of the function of ours that it called. */
	void (*thread_cut)(struct thread *, const void *frame_address);
	void (*thread_silence)(struct thread *); /* no more signals of ours in the thread itself; thread_stop follows */
	void (*sample)(struct sample_values *);  /* adds what the kind knows to a sample; async-signal-safe */

	/* Signals of OUR_SIGNAL's number, for kinds that have the kernel send them. The thread is the calling one, which may not
	   be known: 0. Whether a signal is one of the kind's, and not the target's own use of the number: */
	bool (*owns)(const struct thread *, const siginfo_t *);
	/* It is: record it in the thread that it interrupted. Only in the handler, all signals blocked. */
	void (*take)(struct thread *, const siginfo_t *, const ucontext_t *);
	/* It is, but a wait of the target took it from the queue before the handler could. */
	void (*skip)(struct thread *, const siginfo_t *);
	/* Whether the thread has something that the kernel may announce by a plain SIGIO, when it can queue no signal; and then
	   looking for it, in the handler. */
	bool (*may_fall_back)(const struct thread *);
	void (*take_fallen_back)(struct thread *, const ucontext_t *);
	/* The handler has taken its signal, and returns to the target next. */
	void (*handler_ends)(struct thread *);
	/* The handler has recorded a clock tick, with that stack. */
	void (*ticked)(struct thread *, const ucontext_t *, uint32_t stack);

	/* Somebody wants to know of waits (watched_wait.h): tells of those in the kind's calls, whether it is wanted or not. */
	void (*tell_waits)(void);
};

/* Names the kinds, by number. From the constructor, before all others. */
void kinds_are(const struct kind_operations *const table[KIND_COUNT]);

/* Whether this recording has the kind: its operations are called. */
bool kind_wanted(enum kind kind);
/* Whether its events file is to be made when recording begins. */
bool kind_has_file_at_start(enum kind kind);

void kinds_start(void);
void kinds_stop(void);
void kinds_thread_start(struct thread *thread);
void kinds_thread_stop(struct thread *thread);
void kinds_thread_abandon(struct thread *thread);
void kinds_thread_cut(struct thread *thread, const void *frame_address);
void kinds_thread_silence(struct thread *thread);
void kinds_sample(struct sample_values *values);

/* The kind that owns a signal of our number; 0: none does, it is the target's. */
const struct kind_operations *kinds_owner(const struct thread *thread, const siginfo_t *info);
bool kinds_may_fall_back(const struct thread *thread);
void kinds_take_fallen_back(struct thread *thread, const ucontext_t *context);
void kinds_skip_fallen_back(struct thread *thread, const siginfo_t *info);
void kinds_handler_ends(struct thread *thread);
void kinds_ticked(struct thread *thread, const ucontext_t *context, uint32_t stack);
void kinds_tell_waits(void);

#endif
