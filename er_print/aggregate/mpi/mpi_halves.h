/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sides of messages that mpi_channels.h keeps, in queues by their order. */
#ifndef MPI_HALVES_H
#define MPI_HALVES_H

#include "mpi_channels.h"

#define MPI_NONE UINT32_MAX

struct mpi_queue {
	uint32_t first, last; /* sides by their places; MPI_NONE: it is empty */
	uint64_t from;        /* sides of lesser orders come too late: the next ones have been put together */
};
struct mpi_halves {
	struct mpi_half *all;
	uint32_t count, free;
	uint32_t open, most; /* in use now, and at once */
	bool hold;           /* queues are put in order at the end */
};
/* Returns its place. */
uint32_t mpi_halves_add(struct mpi_halves *halves, const struct mpi_half *half);
void mpi_halves_line_up(struct mpi_halves *halves, struct mpi_queue *queue, uint32_t place);
void mpi_halves_take_first(struct mpi_halves *halves, struct mpi_queue *queue);

/* The sides of a state that a queue has left, in order; valid until the next call. The caller frees the places. */
struct mpi_rest {
	uint32_t *places, count, capacity;
};
void mpi_halves_rest(
	const struct mpi_halves *halves, const struct mpi_queue *queue, uint8_t state, struct mpi_rest *rest);

#endif
