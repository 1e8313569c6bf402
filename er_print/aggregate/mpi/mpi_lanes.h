/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of each thread that called MPI, in pieces: MPI calls by class, and the part of a call that waited for another process,
   by wait state. Time between pieces is outside of MPI. Beside them the messages. */
#ifndef MPI_LANES_H
#define MPI_LANES_H

#include "mpi_trace.h"
#include "mpi_waits.h"

enum mpi_lane_kind {
	LANE_OUTSIDE,
	LANE_POINT_TO_POINT, /* completions of requests, too */
	LANE_COLLECTIVE,
	LANE_ONE_SIDED,
	LANE_FILE,
	LANE_OTHER,
	LANE_WAIT, /* and a wait state */
	LANE_KINDS = LANE_WAIT + MPI_WAIT_STATES
};
const char *mpi_lane_title(unsigned kind);

/* Times are ns since the founder's start. */
struct mpi_piece {
	uint64_t begin, end;
	unsigned kind; /* not LANE_OUTSIDE */
};
struct mpi_lane {
	uint32_t experiment, thread;
	uint32_t first, count; /* pieces: in the order of time, none overlaps the next */
	uint64_t begin, end;   /* of its first and its last call */
};
struct mpi_line {
	uint32_t from, to; /* lanes */
	uint64_t sent, received;
};
struct mpi_lanes {
	struct mpi_lane *lanes; /* by rank, experiment, thread */
	struct mpi_piece *pieces;
	struct mpi_line *lines; /* in the order of sending */
	uint32_t lane_count, piece_count, line_count;
	uint64_t begin, end; /* of all lanes */
};

/* The calls, waits and messages that the filter keeps, a message by either side. mpi_lanes_free() frees them. */
struct mpi_lanes *mpi_lanes_read(struct data *data, const struct event_filter *filter);
void mpi_lanes_free(struct mpi_lanes *lanes);

#endif
