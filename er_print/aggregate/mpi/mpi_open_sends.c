/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of those that are open: see mpi_open_sends.h. */
#include "mpi_open_sends.h"
#include "storage.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct mpi_open_send {
	struct mpi_late late;
	uint64_t key;         /* in numbers */
	uint32_t call;        /* that began it, or completed it; MPI_NO_CALL: no wait can be in it */
	uint32_t next;        /* the next free one */
	bool completed, kept; /* kept: by the filter, either event */
	bool received, used;
};

struct mpi_open_sends mpi_open_sends_begin(struct mpi_open_calls *calls)
{
	return (struct mpi_open_sends){.calls = calls, .free = NONE};
}

void mpi_open_sends_add(struct mpi_open_sends *sends, const struct mpi_event *event, uint32_t call)
{
	uint64_t key = number_pair(event->experiment, (uint32_t)FIELD(event, order));
	uint32_t *place = number_map_place(&sends->numbers, key), number = sends->free;
	if (*place != NO_NUMBER) {
		mpi_open_release(sends->calls, call);
		return;
	}
	if (number == NONE) {
		sends->array = memory_room(sends->array, sends->count, sizeof *sends->array);
		number = sends->count++;
	} else {
		sends->free = sends->array[number].next;
	}
	*place = number;
	sends->array[number] = (struct mpi_open_send){.key = key, .call = call, .kept = event->kept, .used = true};
}

static void end_send(struct mpi_open_sends *sends, uint32_t number)
{
	struct mpi_open_send *send = &sends->array[number];
	/* One that ended before had its bytes in a buffer, and waited for nobody. */
	if (send->received && send->call != MPI_NO_CALL)
		mpi_open_offer_if_held_up(sends->calls, send->call, &send->late, MPI_WAIT_late_receiver, send->kept);
	mpi_open_release(sends->calls, send->call);
	number_map_take(&sends->numbers, send->key);
	send->used = false;
	send->next = sends->free;
	sends->free = number;
}

void mpi_open_sends_completed(struct mpi_open_sends *sends, const struct mpi_event *event)
{
	uint64_t key = number_pair(event->experiment, (uint32_t)FIELD(event, order));
	uint32_t number = number_map_find(&sends->numbers, key);
	if (number == NO_NUMBER || sends->array[number].completed)
		return;
	struct mpi_open_send *send = &sends->array[number];
	mpi_open_release(sends->calls, send->call);
	send->call = mpi_open_call(sends->calls, event, true);
	send->completed = true;
	send->kept |= event->kept;
	if (send->received)
		end_send(sends, number);
}

bool mpi_open_sends_received(
	struct mpi_open_sends *sends, uint32_t experiment, uint32_t order, const struct mpi_late *late)
{
	uint32_t number = number_map_find(&sends->numbers, number_pair(experiment, order));
	if (number == NO_NUMBER)
		return false;
	struct mpi_open_send *send = &sends->array[number];
	if (late) {
		send->received = true;
		send->late = *late;
	}
	if (!late || send->completed) {
		end_send(sends, number);
	} else if (mpi_open_at(sends->calls, send->call)->end <= late->begin) {
		/* It may never be completed: its request was freed. Its call has returned and need not wait for that. */
		mpi_open_release(sends->calls, send->call);
		send->call = MPI_NO_CALL;
	}
	return true;
}

void mpi_open_sends_end(struct mpi_open_sends *sends)
{
	for (uint32_t i = 0; i < sends->count; i++)
		if (sends->array[i].used)
			end_send(sends, i);
	number_map_free(&sends->numbers);
	free(sends->array);
}
