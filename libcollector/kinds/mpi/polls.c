/* SPDX-License-Identifier: Apache-2.0 */
/* Merging unsuccessful calls. */
#include "polls.h"

void polls_end(struct polls *polls)
{
	for (unsigned i = 0; i < polls->count; i++) {
		struct mpi_event *event = &polls->open[i];
		event->between = polls->last_end[i] - event->start - event->duration;
		mpi_event_write(event, &(struct mpi_message){.communicator = event->communicator});
	}
	polls->count = 0;
}

void polls_add(struct polls *polls, const struct mpi_call *call, uint64_t duration)
{
	unsigned i = 0;
	while (i < polls->count && (polls->open[i].number != call->number || polls->open[i].stack != call->stack))
		i++;
	/* A loop polls with a few functions; when there are more, all runs end, which keeps their order in time. */
	if (i == POLLS_OPEN) {
		polls_write(polls);
		i = 0;
	}
	struct mpi_event *event = &polls->open[i];
	if (i == polls->count) {
		polls->count++;
		*event = (struct mpi_event){.start = call->start,
			.stack = call->stack,
			.number = call->number,
			.communicator = call->communicator};
	}
	event->calls++;
	event->duration += duration;
	polls->last_end[i] = call->start + duration;
}
