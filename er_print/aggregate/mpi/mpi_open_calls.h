/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MPI calls of all threads of which it is not known yet whether they waited, and for whom, while their events are read. They
   are held as long as something may still tell it. For the files that make up mpi_waits.h. */
#ifndef MPI_OPEN_CALLS_H
#define MPI_OPEN_CALLS_H

#include "mpi_function_roles.h"
#include "mpi_waits.h"

#define MPI_NO_CALL UINT32_MAX

/* A call that another one may have waited for. */
struct mpi_late {
	uint64_t begin;
	uint32_t thread, stack; /* thread: its number among those that called MPI */
};
struct mpi_undecided {
	uint64_t begin, end;
	uint64_t inside; /* ns in it: less than its time where it is several that asked in vain */
	uint64_t until;  /* the wait that was offered ends then */
	struct mpi_late late;
	uint64_t sent, sent_after; /* when the first of its messages was sent; of those of calls that stood behind it */
	uint32_t thread, stack, key;
	uint32_t before, next; /* of the thread, in the order of time; next: also of those that are free */
	uint32_t polls;        /* calls that asked in vain before it, as one; MPI_NO_CALL: none did */
	uint32_t held;         /* so often */
	uint16_t function;
	unsigned char state; /* of the wait that was offered; MPI_WAIT_STATES: none yet */
	unsigned char role;  /* its function's */
	bool kept;
};
/* An event of a batch. */
struct mpi_event {
	const struct data_batch *batch;
	uint32_t i, experiment;
	uint32_t thread; /* its number */
	bool kept;
};
#define FIELD(event, name) ((event)->batch->field[FIELD_INDEX(MPI, name)][(event)->i])

struct mpi_open_calls;
/* Waits go to the reader; both must stay. The caller frees it. */
struct mpi_open_calls *mpi_open_calls_begin(
	const struct mpi_function_roles *roles, const struct mpi_wait_reader *reader);
void mpi_open_calls_free(struct mpi_open_calls *calls);

/* The number of the event's thread. */
uint32_t mpi_open_thread(struct mpi_open_calls *calls, uint32_t experiment, uint32_t thread);
/* An event of calls begins: ns in them and between them, key. */
void mpi_open_begins(
	struct mpi_open_calls *calls, const struct mpi_event *event, uint64_t inside, uint64_t between, uint32_t key);
/* The event's call, held once more. `asked`: calls that asked in vain from the same place until it began waited, too, where no
   other call of the thread was between. */
uint32_t mpi_open_call(struct mpi_open_calls *calls, const struct mpi_event *event, bool asked);
struct mpi_late mpi_open_event_late(const struct mpi_event *event);
const struct mpi_undecided *mpi_open_at(const struct mpi_open_calls *calls, uint32_t call);
struct mpi_late mpi_open_late(const struct mpi_open_calls *calls, uint32_t call);
uint32_t mpi_open_experiment(const struct mpi_open_calls *calls, uint32_t call);
void mpi_open_hold(struct mpi_open_calls *calls, uint32_t call);
/* It is held once less; MPI_NO_CALL: nothing. */
void mpi_open_release(struct mpi_open_calls *calls, uint32_t call);
/* `call` waited for what happened when `late` began, and so did those that asked in vain before it. */
void mpi_open_offer(
	struct mpi_open_calls *calls, uint32_t call, const struct mpi_late *late, enum mpi_wait_state state, bool kept);
/* Likewise a call that may have gone on before. */
void mpi_open_offer_if_held_up(
	struct mpi_open_calls *calls, uint32_t call, const struct mpi_late *late, enum mpi_wait_state state, bool kept);
/* It received a message that was sent then. */
void mpi_open_received(struct mpi_open_calls *calls, uint32_t call, uint64_t sent);

/* There are no more events: no thread needs its last call any more. */
void mpi_open_threads_end(struct mpi_open_calls *calls);
/* Whether it is time to let go of calls. */
bool mpi_open_calls_are_many(const struct mpi_open_calls *calls);
/* Visits the waits that are known now. No event from now on is earlier than `now`; `on_their_way`: by experiment, when the first
   message was sent to it that no call has received yet. */
void mpi_open_decide(struct mpi_open_calls *calls, uint64_t now, const uint64_t *on_their_way);

#endif
