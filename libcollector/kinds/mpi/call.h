/* SPDX-License-Identifier: Apache-2.0 */
/* One MPI call of the target, from the wrapper's entry to its return: what is measured and what becomes an event. The code of
   an operation (operations.h) runs before and after the real function and fills in the messages. Calls that MPI makes inside
   a call, of itself or by the target's callbacks, are part of that call. */
#ifndef CALL_H
#define CALL_H

#include "abi.h"
#include "function_table.h"
#include "kinds.h"
#include "mpi_file.h"
#include <stdbool.h>
#include <stdint.h>

#define ANY_NUMBER UINT32_MAX /* peer or tag of a receive that takes any */

enum mpi_role {
	ROLE_NONE = STATE_VALUE(MPI, role, none),
	ROLE_SEND = STATE_VALUE(MPI, role, send),
	ROLE_RECEIVE = STATE_VALUE(MPI, role, receive),
	ROLE_POST = STATE_VALUE(MPI, role, post),
	ROLE_SENT = STATE_VALUE(MPI, role, sent),
	ROLE_COLLECTIVE = STATE_VALUE(MPI, role, collective),
	ROLE_COMPLETED = STATE_VALUE(MPI, role, completed),
	ROLE_REMOTE = STATE_VALUE(MPI, role, remote),
	ROLE_FILE = STATE_VALUE(MPI, role, file),
	ROLE_CANCELLED = STATE_VALUE(MPI, role, cancelled),
	ROLE_PROBE = STATE_VALUE(MPI, role, probe),
	ROLE_SIGNAL = STATE_VALUE(MPI, role, signal),
	ROLE_AWAIT = STATE_VALUE(MPI, role, await),
	ROLE_LOCK = STATE_VALUE(MPI, role, lock),
	ROLE_FLUSH = STATE_VALUE(MPI, role, flush),
	ROLE_UNLOCK = STATE_VALUE(MPI, role, unlock)
};

struct mpi_message {
	enum mpi_role role;
	uint32_t peer, tag, communicator;
	uint64_t sent, received, order;
};

struct mpi_thread;

struct mpi_call {
	const struct mpi_function *function;
	enum mpi_number number;
	struct mpi_thread *thread;
	uint64_t *progress;        /* the thread's slot */
	const struct mpi_abi *abi; /* 0: the library is none that we know; only time is measured */
	long *arguments;
	uint64_t start;
	uint32_t stack;
	uint32_t communicator;
	uint64_t order; /* of the receive or collective that it is */
	bool failed;    /* the function said so */
	bool poll;      /* it asked and got nothing */
	bool written;   /* an event is there already (MPI_Abort) */
	unsigned message_count;
	struct mpi_message message;  /* the first; the others are the thread's */
	char status[MPI_STATUS_MAX]; /* where the target wants none */
};

/* Begins a call whose wrapper has this frame address. `arguments` may be changed before they are used. False: it is a call
   inside a call, or nothing is recorded; then mpi_call_end() is not called. */
bool mpi_call_begin(struct mpi_call *call, enum mpi_number number, const void *frame_address, long *arguments);
/* Ends it; `result` is the function's, and is returned. */
long mpi_call_end(struct mpi_call *call, long result);

/* An argument of the call, by its place. */
static inline long mpi_argument(const struct mpi_call *call, uint8_t place)
{
	return call->arguments[place - 1];
}
static inline int mpi_int(const struct mpi_call *call, uint8_t place)
{
	return (int)mpi_argument(call, place);
}

/* The place of one more message of the call, whose bytes the caller sets: to what the call did to it. It is built in place, because
   a copy of words that were just stored waits for each of them. Valid until the next one is asked for. */
struct mpi_message *mpi_call_further_message(struct mpi_call *call);
static inline struct mpi_message *mpi_call_message(struct mpi_call *call)
{
	return call->message_count++ ? mpi_call_further_message(call) : &call->message;
}
/* Shows in the thread's slot what a call waits for. */
static inline void mpi_call_progress(
	const struct mpi_call *call, enum mpi_role role, uint32_t peer, uint32_t tag, uint64_t sent)
{
	uint64_t *progress = call->progress;
	progress[MPI_PROGRESS_role] = role;
	progress[MPI_PROGRESS_peer] = peer;
	progress[MPI_PROGRESS_tag] = tag;
	progress[MPI_PROGRESS_sent] = sent;
}
/* Writes the call's event before it is over. */
void mpi_call_write(struct mpi_call *call, uint64_t duration);

/* Memory of the thread of at least `size` bytes, until the call ends; which: one of two. 0: there is none. */
void *mpi_call_memory(struct mpi_call *call, unsigned which, size_t size);

/* Whether several threads may be in MPI at once; then mpi_lock() keeps our tables whole. */
extern bool mpi_several_threads;
void mpi_lock_tables(void);
void mpi_unlock_tables(void);
static inline void mpi_lock(void)
{
	if (mpi_several_threads)
		mpi_lock_tables();
}
static inline void mpi_unlock(void)
{
	if (mpi_several_threads)
		mpi_unlock_tables();
}
/* Adds to a number that only mpi_lock() or one thread protects. Returns what it was. Most programs ask for less than
   MPI_THREAD_MULTIPLE, and an atomic addition would be the dearest instruction of a short call: so it is made only where several
   threads may be here. */
static inline uint64_t mpi_next(uint64_t *number)
{
	return mpi_several_threads ? __atomic_fetch_add(number, 1, __ATOMIC_RELAXED) : (*number)++;
}

/* The beginning and the end of MPI in the process (process.c). */
bool mpi_tracing_start(void);
extern struct mpi_file mpi_file;
extern bool mpi_stacks;          /* VT_STACKS */
extern uint64_t mpi_space_limit; /* VT_MAX_FLUSHES x VT_BUFFER_SIZE, bytes; 0: none */
void mpi_tracing_stop(const char *why);
extern bool mpi_stopped; /* no more events */

/* At the end of a thread, in it. */
void mpi_thread_end(void);
/* In a fork child. */
void mpi_threads_forget(void);

#endif
