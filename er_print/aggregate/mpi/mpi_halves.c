/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array with a list of free places; queues are lists. */
#include "mpi_halves.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

uint32_t mpi_halves_add(struct mpi_halves *halves, const struct mpi_half *half)
{
	uint32_t place = halves->free;
	if (place == MPI_NONE) {
		halves->all = memory_room(halves->all, halves->count, sizeof *halves->all);
		place = halves->count++;
	} else {
		halves->free = halves->all[place].next;
	}
	halves->all[place] = *half;
	if (++halves->open > halves->most)
		halves->most = halves->open;
	return place;
}

/* In the order in which they began; nearly all come in it. Where all is held many may not: they are sorted at the end. */
void mpi_halves_line_up(struct mpi_halves *halves, struct mpi_queue *queue, uint32_t place)
{
	struct mpi_half *all = halves->all;
	uint32_t order = all[place].order, *link = &queue->first;
	if (queue->last != MPI_NONE && (halves->hold || all[queue->last].order <= order))
		link = &all[queue->last].next;
	while (*link != MPI_NONE && all[*link].order <= order)
		link = &all[*link].next;
	if (*link == MPI_NONE)
		queue->last = place;
	all[place].next = *link;
	*link = place;
}

void mpi_halves_take_first(struct mpi_halves *halves, struct mpi_queue *queue)
{
	uint32_t place = queue->first;
	queue->first = halves->all[place].next;
	if (queue->first == MPI_NONE)
		queue->last = MPI_NONE;
	halves->all[place].next = halves->free;
	halves->free = place;
	halves->open--;
}

static int by_order(const void *left, const void *right, void *halves)
{
	const uint32_t *a = left, *b = right;
	return COMPARE(((struct mpi_half *)halves)[*a].order, ((struct mpi_half *)halves)[*b].order) ?: COMPARE(*a, *b);
}

void mpi_halves_rest(
	const struct mpi_halves *halves, const struct mpi_queue *queue, uint8_t state, struct mpi_rest *rest)
{
	rest->count = 0;
	for (uint32_t place = queue->first; place != MPI_NONE; place = halves->all[place].next) {
		if (halves->all[place].state != state)
			continue;
		memory_reserve(rest->places, rest->count, rest->capacity);
		rest->places[rest->count++] = place;
	}
	if (halves->hold && rest->count)
		qsort_r(rest->places, rest->count, sizeof *rest->places, by_order, halves->all);
}
