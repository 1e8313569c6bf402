/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated calls that ask and get nothing (MPI_Test, MPI_Iprobe): those of one function from one place, with nothing else
   between them, are one event with their number and their time. */
#ifndef POLLS_H
#define POLLS_H

#include "call.h"

enum { POLLS_OPEN = 4 };

/* An event as it is written, but for the message. */
struct mpi_event {
	uint64_t start, duration, between, calls;
	uint32_t stack, result;
	enum mpi_number number;
	uint32_t communicator; /* of unsuccessful calls, which have no other message */
};
/* Appends it to the calling thread's events. False: there is no room, and the event is counted. */
bool mpi_event_write(const struct mpi_event *event, const struct mpi_message *message);

struct polls {
	unsigned count;
	struct mpi_event open[POLLS_OPEN];
	uint64_t last_end[POLLS_OPEN];
};

/* Adds an unsuccessful call to the run of its like. */
void polls_add(struct polls *polls, const struct mpi_call *call, uint64_t duration);
/* Writes and ends all runs. */
void polls_end(struct polls *polls);
static inline void polls_write(struct polls *polls)
{
	if (polls->count)
		polls_end(polls);
}

#endif
