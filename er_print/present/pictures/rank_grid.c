/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs are summed up by rows: see rank_grid.h. */
#include "rank_grid.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>

static uint64_t rank_of(const struct data *data, uint32_t experiment)
{
	return mpi_rank_of(data->experiments[experiment].file);
}

static int by_rank(const void *left, const void *right, void *data)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return COMPARE(rank_of(data, a), rank_of(data, b)) ?: COMPARE(a, b);
}

static void add_processes(
	struct rank_grid *grid, const struct data *data, const bool *shown, const struct mpi_pairs *pairs)
{
	bool unknown = false;
	grid->processes = memory_new(data->experiment_count + 1, sizeof *grid->processes);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		if (shown[e] && mpi_event(data->experiments[e].file, "mpi"))
			grid->processes[grid->process_count++] = e;
	if (grid->process_count)
		qsort_r(grid->processes, grid->process_count, sizeof *grid->processes, by_rank, (void *)data);
	for (uint32_t i = 0; i < pairs->count; i++)
		unknown |= pairs->array[i].source == NO_EXPERIMENT || pairs->array[i].destination == NO_EXPERIMENT;
	if (unknown)
		grid->processes[grid->process_count++] = NO_EXPERIMENT;
}

/* Where both sides tell of a message it counts once; a filter may keep one of them. */
static uint64_t value_of(const struct mpi_pair *pair, enum rank_value value)
{
	switch (value) {
	case RANK_BYTES:
		return pair->sent > pair->received ? pair->sent : pair->received;
	case RANK_MESSAGES:
		return pair->sends > pair->receives ? pair->sends : pair->receives;
	case RANK_LATENCY:
		return pair->timed ? pair->shortest + !pair->shortest : 0;
	case RANK_BANDWIDTH:
	case RANK_VALUES:
		break;
	}
	return pair->bandwidth;
}

static void add(uint64_t *sum, uint64_t number, enum rank_value value)
{
	if (value == RANK_LATENCY)
		*sum = *sum && *sum < number ? *sum : number;
	else if (value == RANK_BANDWIDTH)
		*sum = *sum > number ? *sum : number;
	else
		*sum += number;
}

struct rank_grid rank_grid_make(
	const struct data *data, const bool *shown, const struct mpi_pairs *pairs, enum rank_value value)
{
	struct rank_grid grid = {0};
	struct number_map rows = {0};
	add_processes(&grid, data, shown, pairs);
	grid.bundle = (grid.process_count + RANK_GRID_MOST - 1) / RANK_GRID_MOST;
	grid.side = grid.bundle ? (grid.process_count + grid.bundle - 1) / grid.bundle : 0;
	grid.cells = memory_new((size_t)grid.side * grid.side, sizeof *grid.cells);
	grid.sources = memory_new(grid.side, sizeof *grid.sources);
	grid.destinations = memory_new(grid.side, sizeof *grid.destinations);
	for (uint32_t p = 0; p < grid.process_count; p++)
		*number_map_place(&rows, grid.processes[p]) = p / grid.bundle;
	for (uint32_t i = 0; i < pairs->count; i++) {
		const struct mpi_pair *pair = &pairs->array[i];
		uint32_t row = number_map_find(&rows, pair->source), column = number_map_find(&rows, pair->destination);
		uint64_t number = value_of(pair, value);
		if (row == NO_NUMBER || column == NO_NUMBER || !number)
			continue;
		add(&grid.cells[(size_t)row * grid.side + column], number, value);
		add(&grid.sources[row], number, value);
		add(&grid.destinations[column], number, value);
		add(&grid.whole, number, value);
	}
	for (size_t i = 0; i < (size_t)grid.side * grid.side; i++) {
		uint64_t number = grid.cells[i];
		if (number && (!grid.least || number < grid.least))
			grid.least = number;
		grid.most = number > grid.most ? number : grid.most;
	}
	number_map_free(&rows);
	return grid;
}

void rank_grid_free(struct rank_grid *grid)
{
	free(grid->processes);
	free(grid->cells);
	free(grid->sources);
	free(grid->destinations);
}

double rank_grid_share(const struct rank_grid *grid, uint64_t value)
{
	return grid->most > grid->least
		       ? log((double)value / (double)grid->least) / log((double)grid->most / (double)grid->least)
		       : 1;
}
