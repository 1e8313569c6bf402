/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A channel that nothing is in any more stays for a while, since threads that work at the same time may tell of its next message
   out of order; and a program may use a tag once only, so it must not stay for ever. See mpi_channel_table.h. */
#include "mpi_channel_table.h"
#include "storage.h"

#include <stdlib.h>

enum { AT_FIRST = 1 << 16 };

void mpi_channel_table_begin(struct mpi_channel_table *table)
{
	*table = (struct mpi_channel_table){.free = MPI_NONE, .most = AT_FIRST};
}

/* The value of a key, which counts from 0 in the order in which keys come. */
static uint32_t number_of(struct number_map *map, uint32_t high, uint32_t low)
{
	uint32_t count = map->count, *place = number_map_place(map, number_pair(high, low));
	if (*place == NO_NUMBER)
		*place = count;
	return *place;
}

static struct mpi_gone *gone_of(struct mpi_channel_table *table, uint32_t experiment)
{
	while (table->gone_count <= experiment) {
		table->gone = memory_room(table->gone, table->gone_count, sizeof *table->gone);
		table->gone[table->gone_count++] = (struct mpi_gone){0};
	}
	return &table->gone[experiment];
}

static bool is_idle(const struct mpi_channel *channel)
{
	return !channel->waits && channel->probes.first == MPI_NONE && channel->sends.first == MPI_NONE &&
	       channel->receives.first == MPI_NONE;
}

static void let_go(struct mpi_channel_table *table, uint32_t number)
{
	struct mpi_channel *channel = &table->array[number];
	uint64_t *sends = &gone_of(table, channel->route.source)->sends;
	*sends = *sends > channel->sends.from ? *sends : channel->sends.from;
	uint64_t *receives = &gone_of(table, channel->route.destination)->receives;
	*receives = *receives > channel->receives.from ? *receives : channel->receives.from;
	number_map_take(&table->numbers, number_pair(channel->path, channel->route.tag));
	channel->free = true;
	channel->path = table->free;
	table->free = number;
}

/* Lets idle ones go; `old`: only those that were not used since the last time. Returns how many are left. */
static uint32_t let_idle_go(struct mpi_channel_table *table, bool old)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < table->count; i++) {
		struct mpi_channel *channel = &table->array[i];
		if (!channel->free && is_idle(channel) && !(old && channel->used))
			let_go(table, i);
		channel->used = false;
		left += !channel->free;
	}
	return left;
}

/* Where few can go, there may be twice as many. */
static void make_room(struct mpi_channel_table *table)
{
	if (let_idle_go(table, true) > table->most / 2 && let_idle_go(table, false) > table->most / 2)
		table->most *= 2;
}

static uint32_t new_channel(struct mpi_channel_table *table, const struct mpi_route *route, uint32_t path)
{
	if (table->free == MPI_NONE && table->count >= table->most)
		make_room(table);
	uint32_t number = table->free;
	if (number == MPI_NONE) {
		table->array = memory_room(table->array, table->count, sizeof *table->array);
		number = table->count++;
	} else {
		table->free = table->array[number].path;
	}
	/* If it was there before, what it put together then was less than these. */
	uint64_t sends = gone_of(table, route->source)->sends;
	uint64_t receives = gone_of(table, route->destination)->receives;
	table->array[number] = (struct mpi_channel){.route = *route,
		.path = path,
		.sends = {MPI_NONE, MPI_NONE, sends},
		.receives = {MPI_NONE, MPI_NONE, receives},
		.probes = {MPI_NONE, MPI_NONE, 0}};
	return number;
}

uint32_t mpi_channel_find(struct mpi_channel_table *table, const struct mpi_route *route)
{
	uint32_t ends = number_of(&table->ends, route->source, route->destination);
	uint32_t path = number_of(&table->paths, ends, route->pair);
	uint32_t number = number_map_find(&table->numbers, number_pair(path, route->tag));
	if (number == NO_NUMBER) {
		number = new_channel(table, route, path);
		*number_map_place(&table->numbers, number_pair(path, route->tag)) = number;
	}
	table->array[number].used = true;
	return number;
}

bool mpi_may_get(const struct mpi_route *posted, const struct mpi_route *sent)
{
	return posted->pair == sent->pair && (posted->any_source || posted->source == sent->source) &&
	       (posted->any_tag || posted->tag == sent->tag);
}

bool mpi_channel_table_passed(const struct mpi_channel_table *table, const struct mpi_route *posted, uint32_t order)
{
	if (posted->destination < table->gone_count && order < table->gone[posted->destination].receives)
		return true;
	for (uint32_t i = 0; i < table->count; i++) {
		const struct mpi_channel *channel = &table->array[i];
		if (!channel->free && channel->route.destination == posted->destination &&
			order < channel->receives.from && mpi_may_get(posted, &channel->route))
			return true;
	}
	return false;
}

void mpi_channel_table_free(struct mpi_channel_table *table)
{
	number_map_free(&table->ends);
	number_map_free(&table->paths);
	number_map_free(&table->numbers);
	free(table->array);
	free(table->gone);
}
