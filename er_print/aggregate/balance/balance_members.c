/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the members of a balance and names them. */
#include "balance_members.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct finder {
	struct balance_members members;
	uint32_t capacity;
	const struct data *data;
};

static void add_member(struct finder *finder, uint32_t experiment, uint32_t thread)
{
	struct balance_members *members = &finder->members;
	uint32_t *place = number_map_place(&members->places, number_pair(experiment, thread));
	if (*place != NO_NUMBER)
		return;
	*place = members->count;
	memory_reserve(members->all, members->count, finder->capacity);
	members->all[members->count++] = (struct balance_member){.experiment = experiment, .thread = thread};
}

static void add_threads(void *context, const struct data_batch *batch)
{
	struct finder *finder = context;
	uint32_t experiment = (uint32_t)(batch->experiment - finder->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++)
		add_member(finder, experiment, batch->thread[i]);
}

static int by_thread(const void *left, const void *right)
{
	const struct balance_member *a = left, *b = right;
	return COMPARE(a->experiment, b->experiment) ?: COMPARE(a->thread, b->thread);
}

static uint64_t rank_of(const struct data *data, const struct balance_member *member)
{
	return mpi_rank_of(data->experiments[member->experiment].file);
}

static int by_rank(const void *left, const void *right, void *context)
{
	return COMPARE(rank_of(context, left), rank_of(context, right)) ?: by_thread(left, right);
}

static void name_ranks(struct balance_members *members, const struct data *data)
{
	for (uint32_t m = 0; m < members->count; m++) {
		struct balance_member *member = &members->all[m];
		uint64_t rank = rank_of(data, member);
		bool several = (m && rank_of(data, member - 1) == rank) ||
			       (m + 1 < members->count && rank_of(data, member + 1) == rank);
		if (several)
			snprintf(member->name, sizeof member->name, "%" PRIu64 " (%" PRIu32 ")", rank,
				data->experiments[member->experiment].number);
		else
			snprintf(member->name, sizeof member->name, "%" PRIu64, rank);
	}
}

static void name_threads(struct balance_members *members, const struct data *data)
{
	bool several = members->count && members->all[0].experiment != members->all[members->count - 1].experiment;
	for (uint32_t m = 0; m < members->count; m++) {
		struct balance_member *member = &members->all[m];
		uint32_t process = data->experiments[member->experiment].number;
		if (!members->by_thread)
			snprintf(member->name, sizeof member->name, "%" PRIu32, process);
		else if (several)
			snprintf(member->name, sizeof member->name, "%" PRIu32 ".%" PRIu32, process, member->thread);
		else
			snprintf(member->name, sizeof member->name, "%" PRIu32, member->thread);
	}
}

struct balance_members balance_members_find(struct data *data, enum balance_over over)
{
	struct finder finder = {.data = data};
	struct balance_members *members = &finder.members;
	members->by_thread = over == BALANCE_threads;
	if (members->by_thread)
		data_visit(data, KIND_THREAD, add_threads, &finder);
	for (uint32_t e = 0; e < data->experiment_count && !members->by_thread; e++)
		if (over == BALANCE_processes || mpi_event(data->experiments[e].file, "mpi"))
			add_member(&finder, e, 0);
	if (over == BALANCE_ranks)
		qsort_r(members->all, members->count, sizeof *members->all, by_rank, data);
	else
		qsort(members->all, members->count, sizeof *members->all, by_thread);
	for (uint32_t m = 0; m < members->count; m++)
		*number_map_place(&members->places, number_pair(members->all[m].experiment, members->all[m].thread)) =
			m;
	(over == BALANCE_ranks ? name_ranks : name_threads)(members, data);
	return *members;
}

void balance_members_free(struct balance_members *members)
{
	number_map_free(&members->places);
	free(members->all);
	*members = (struct balance_members){.all = 0};
}
