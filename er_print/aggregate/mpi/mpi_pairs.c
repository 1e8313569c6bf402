/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk along the sides of all messages: see mpi_pairs.h. */
#include "mpi_pairs.h"
#include "mpi_messages.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct finder {
	struct mpi_pairs pairs;
	struct number_map places;
};

static struct mpi_pair *pair_of(struct finder *finder, uint32_t source, uint32_t destination)
{
	struct mpi_pairs *pairs = &finder->pairs;
	uint32_t *place = number_map_place(&finder->places, number_pair(source, destination));
	if (*place == NO_NUMBER) {
		pairs->array = memory_room(pairs->array, pairs->count, sizeof *pairs->array);
		pairs->array[pairs->count] = (struct mpi_pair){.source = source, .destination = destination};
		*place = pairs->count++;
	}
	return &pairs->array[*place];
}

static void add_time(struct mpi_pair *pair, uint64_t time, uint64_t bytes)
{
	double bandwidth = time ? (double)bytes * 1e9 / (double)time : 0;
	mpi_pair_add(
		pair, &(struct mpi_pair){.timed = 1, .time = time, .shortest = time, .bandwidth = (uint64_t)bandwidth});
}

static void add_sends(struct finder *finder, const struct mpi_trace *trace)
{
	for (uint32_t i = 0; i < trace->send_count; i++) {
		const struct mpi_side *send = &trace->sends[i];
		if (send->kept)
			mpi_pair_add(pair_of(finder, trace->calls[send->start].experiment, send->peer),
				&(struct mpi_pair){.sends = 1, .sent = send->bytes});
	}
}

/* A latency counts if the filter keeps either side. */
static void add_receives(struct finder *finder, const struct mpi_trace *trace)
{
	for (uint32_t i = 0; i < trace->receive_count; i++) {
		const struct mpi_side *receive = &trace->receives[i];
		uint32_t destination = trace->calls[receive->completion].experiment;
		int64_t latency = mpi_message_latency(trace, receive);
		if (receive->kept)
			mpi_pair_add(pair_of(finder, receive->peer, destination),
				&(struct mpi_pair){.receives = 1, .received = receive->bytes});
		if (latency >= 0 && (receive->kept || trace->sends[receive->partner].kept))
			add_time(pair_of(finder, receive->peer, destination), (uint64_t)latency, receive->bytes);
	}
}

static uint64_t rank_of(const struct data *data, uint32_t experiment)
{
	return experiment == NO_EXPERIMENT ? UINT64_MAX : mpi_rank_of(data->experiments[experiment].file);
}

static int by_ranks(const void *left, const void *right, void *data)
{
	const struct mpi_pair *a = left, *b = right;
	int order = COMPARE(rank_of(data, a->source), rank_of(data, b->source)) ?: COMPARE(a->source, b->source);
	order = order ?: COMPARE(rank_of(data, a->destination), rank_of(data, b->destination));
	return order ?: COMPARE(a->destination, b->destination);
}

struct mpi_pairs mpi_pairs_of(const struct data *data, const struct mpi_trace *trace)
{
	struct finder finder = {0};
	add_sends(&finder, trace);
	add_receives(&finder, trace);
	number_map_free(&finder.places);
	if (finder.pairs.count)
		qsort_r(finder.pairs.array, finder.pairs.count, sizeof *finder.pairs.array, by_ranks, (void *)data);
	return finder.pairs;
}

void mpi_pair_add(struct mpi_pair *sum, const struct mpi_pair *pair)
{
	if (pair->timed && (!sum->timed || pair->shortest < sum->shortest))
		sum->shortest = pair->shortest;
	if (pair->bandwidth > sum->bandwidth)
		sum->bandwidth = pair->bandwidth;
	sum->sends += pair->sends;
	sum->sent += pair->sent;
	sum->receives += pair->receives;
	sum->received += pair->received;
	sum->timed += pair->timed;
	sum->time += pair->time;
}
