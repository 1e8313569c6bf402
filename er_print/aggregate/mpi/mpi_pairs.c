/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sum for each pair over all messages: see mpi_pairs.h. */
#include "mpi_pairs.h"
#include "mpi_message_events.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct finder {
	struct mpi_pairs pairs;
	struct number_map places;
	uint32_t capacity;
};

static struct mpi_pair *pair_of(struct finder *finder, uint32_t source, uint32_t destination)
{
	struct mpi_pairs *pairs = &finder->pairs;
	uint32_t *place = number_map_place(&finder->places, number_pair(source, destination));
	if (*place == NO_NUMBER) {
		memory_reserve(pairs->array, pairs->count, finder->capacity);
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

/* A latency counts if the filter keeps either side. */
static void add_message(void *context, const struct mpi_message *message)
{
	struct finder *finder = context;
	const struct mpi_half *send = message->send, *receive = message->receive;
	bool sent = send && send->kept, received = receive && receive->kept;
	int64_t latency = mpi_message_latency(message);
	if (!sent && !received)
		return;
	struct mpi_pair *pair = pair_of(finder, message->route->source, message->route->destination);
	if (sent)
		mpi_pair_add(pair, &(struct mpi_pair){.sends = 1, .sent = send->bytes});
	if (received)
		mpi_pair_add(pair, &(struct mpi_pair){.receives = 1, .received = receive->bytes});
	if (latency >= 0)
		add_time(pair, (uint64_t)latency, receive->bytes);
}

static void begin(void *context)
{
	struct finder *finder = context;
	finder->pairs.count = 0;
	number_map_free(&finder->places);
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

bool mpi_pairs_read(struct data *data, const struct event_filter *filter, struct mpi_pairs *pairs)
{
	struct finder finder = {0};
	struct mpi_world *world = mpi_world_read(data);
	const struct mpi_message_reader reader = {begin, add_message, &finder};
	bool some = mpi_messages_visit(data, world, filter, &reader);
	mpi_world_free(world);
	number_map_free(&finder.places);
	if (finder.pairs.count)
		qsort_r(finder.pairs.array, finder.pairs.count, sizeof *finder.pairs.array, by_ranks, data);
	*pairs = finder.pairs;
	return some;
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
