/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pass over the MPI calls and one over the clock's samples. */
#include "mpi_critical_sums.h"
#include "mpi_ranks.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct pass {
	struct mpi_path_sums *sums;
	const struct data *data;
	const struct mpi_critical *path;
	struct expression *leaf;
	struct number_map processes, functions;
};

static struct mpi_path_sum *sum_of(struct number_map *places, struct mpi_path_sum **sums, uint32_t *count, uint32_t key)
{
	uint32_t *place = number_map_place(places, key);
	if (*place == NO_NUMBER) {
		*sums = memory_room(*sums, *count, sizeof **sums);
		(*sums)[*count] = (struct mpi_path_sum){.key = key};
		*place = (*count)++;
	}
	return &(*sums)[*place];
}

static struct mpi_path_sum *process_of(struct pass *pass, uint32_t experiment)
{
	return sum_of(&pass->processes, &pass->sums->processes, &pass->sums->process_count, experiment);
}

static struct mpi_path_sum *function_of(struct pass *pass, int64_t function)
{
	return sum_of(&pass->functions, &pass->sums->functions, &pass->sums->function_count, (uint32_t)function);
}

static void add_call(struct pass *pass, const struct data_batch *batch, uint32_t i, int64_t function)
{
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	uint64_t duration = batch->field[FIELD_INDEX(MPI, duration)][i];
	uint64_t end = batch->time[i] + duration + batch->field[FIELD_INDEX(MPI, between)][i];
	uint64_t on_path =
		mpi_critical_overlap(pass->path, number_pair(experiment, batch->thread[i]), batch->time[i], end);
	if (!on_path)
		return;
	/* A run of polls reaches over the program's own code between them, which is no time in MPI. */
	on_path = on_path < duration ? on_path : duration;
	process_of(pass, experiment)->mpi += on_path;
	function_of(pass, function)->mpi += on_path;
}

static void add_sample(struct pass *pass, const struct data_batch *batch, uint32_t i, int64_t function)
{
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	uint64_t cpu = batch->field[FIELD_INDEX(CLOCK, user)][i] + batch->field[FIELD_INDEX(CLOCK, system)][i];
	bool on_path = mpi_critical_has(pass->path, number_pair(experiment, batch->thread[i]), batch->time[i]);
	struct mpi_path_sum *process = process_of(pass, experiment);
	struct mpi_path_sum *own = function_of(pass, function);
	process->all_cpu += cpu;
	own->all_cpu += cpu;
	process->cpu += on_path ? cpu : 0;
	own->cpu += on_path ? cpu : 0;
}

static void add_batch(struct pass *pass, const struct data_batch *batch, enum kind kind)
{
	/* A process that called no MPI is on no path; its time would only make the share of the path small. */
	if (!mpi_event(batch->experiment->file, "mpi"))
		return;
	for (uint32_t first = 0; first < batch->count; first += EXPRESSION_CHUNK) {
		uint32_t left = batch->count - first, count = left < EXPRESSION_CHUNK ? left : EXPRESSION_CHUNK;
		const int64_t *function = expression_evaluate(pass->leaf, kind, batch, first, count);
		for (uint32_t i = 0; i < count; i++)
			(kind == KIND_MPI ? add_call : add_sample)(pass, batch, first + i, function[i]);
	}
}

static void add_calls(void *context, const struct data_batch *batch)
{
	add_batch(context, batch, KIND_MPI);
}

static void add_samples(void *context, const struct data_batch *batch)
{
	add_batch(context, batch, KIND_CLOCK);
}

static int by_key(const void *left, const void *right)
{
	const struct mpi_path_sum *a = left, *b = right;
	return COMPARE(a->key, b->key);
}

struct mpi_path_sums *mpi_critical_sum(
	struct data *data, const struct event_filter *filter, const struct mpi_critical *path, struct expression *leaf)
{
	struct mpi_path_sums *sums = memory_new(1, sizeof *sums);
	struct pass pass = {.sums = sums, .data = data, .path = path, .leaf = leaf};
	for (uint32_t e = 0; e < data->experiment_count; e++)
		if (mpi_event(data->experiments[e].file, "mpi") && event_filter_has_group(filter, e) &&
			process_of(&pass, e))
			sums->ranks++;
	for (uint32_t i = 0; i < path->count; i++) {
		uint32_t experiment = (uint32_t)(path->stretches[i].thread >> 32);
		if (!event_filter_has_group(filter, experiment))
			continue;
		struct mpi_path_sum *process = process_of(&pass, experiment);
		process->path += path->stretches[i].end - path->stretches[i].begin;
		process->stretches++;
	}
	event_filter_visit(data, KIND_MPI, filter, add_calls, &pass);
	event_filter_visit(data, KIND_CLOCK, filter, add_samples, &pass);
	number_map_free(&pass.processes);
	number_map_free(&pass.functions);
	if (sums->process_count)
		qsort(sums->processes, sums->process_count, sizeof *sums->processes, by_key);
	if (sums->function_count)
		qsort(sums->functions, sums->function_count, sizeof *sums->functions, by_key);
	return sums;
}

void mpi_critical_sums_free(struct mpi_path_sums *sums)
{
	if (!sums)
		return;
	free(sums->processes);
	free(sums->functions);
	free(sums);
}
