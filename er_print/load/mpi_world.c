/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the logs, then the groups of intercommunicators are paired. */
#include "mpi_world.h"
#include "id_table.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The identity of a group, by which several processes have it in common. */
struct group_key {
	const char *identity, *job;
	uint32_t
		scope; /* founder, +1: jobs of one name in two founders are two; 0: each rank has a founder of its own */
	uint64_t leader;
};
struct group {
	struct mpi_communicator shown;
	struct group_key key;
	uint64_t remote_leader;
};
/* A number of a process, a rank of a group, a process in a group: which group, which process, which rank. */
struct place {
	uint64_t number;
	uint32_t of, value;
};
struct mpi_world {
	struct group *groups;
	uint32_t count;
	struct place *numbers, *ranks, *members;
	uint32_t number_count, rank_count, member_count;
	struct id_table group_table, number_table, rank_table, member_table;
	uint32_t *scope; /* by experiment */
};

static bool same_group(const void *context, uint32_t id, const void *key)
{
	const struct group_key *a = &((const struct group *)context)[id].key, *b = key;
	return a->leader == b->leader && a->scope == b->scope && !strcmp(a->identity, b->identity) &&
	       !strcmp(a->job, b->job);
}

static bool same_place(const void *context, uint32_t id, const void *key)
{
	const struct place *a = &((const struct place *)context)[id], *b = key;
	return a->number == b->number && a->of == b->of;
}

static uint32_t place_find(const struct id_table *table, const struct place *places, uint32_t of, uint64_t number)
{
	uint32_t id = id_table_find(table, hash_pair(of, number), same_place, places, &(struct place){number, of, 0});
	return id == NO_ID ? UINT32_MAX : places[id].value;
}

/* The first one that has it keeps it. */
static bool place_add(struct id_table *table, struct place **places, uint32_t *count, struct place place)
{
	if (place_find(table, *places, place.of, place.number) != UINT32_MAX)
		return false;
	*places = memory_room(*places, *count, sizeof **places);
	(*places)[*count] = place;
	id_table_add(table, hash_pair(place.of, place.number), (*count)++);
	return true;
}

static uint64_t number_or(const struct log_event *event, const char *name, uint64_t otherwise)
{
	return log_event_attribute(event, name) ? mpi_number(event, name) : otherwise;
}

static const char *text_of(const struct log_event *event, const char *name)
{
	const char *text = event ? log_event_attribute(event, name) : 0;
	return text ? text : "";
}

/* The group of a key; made when new, and always for one without identity. */
static struct group *group_of(struct mpi_world *world, const struct group_key *key)
{
	uint64_t hash = hash_pair(hash_pair(hash_text(key->identity), hash_text(key->job)), key->scope ^ key->leader);
	uint32_t id = *key->identity ? id_table_find(&world->group_table, hash, same_group, world->groups, key) : NO_ID;
	if (id != NO_ID)
		return &world->groups[id];
	world->groups = memory_room(world->groups, world->count, sizeof *world->groups);
	struct group *group = &world->groups[world->count];
	*group = (struct group){.key = *key};
	group->shown = (struct mpi_communicator){.identity = key->identity,
		.made_by = "",
		.name = "",
		.leader = key->leader,
		.pair = world->count,
		.peers = world->count};
	if (*key->identity)
		id_table_add(&world->group_table, hash, world->count);
	world->count++;
	return group;
}

static void define(struct mpi_world *world, uint32_t experiment, const char *job, const struct log_event *event)
{
	struct group_key key = {.identity = text_of(event, "identity"),
		.job = job,
		.scope = world->scope[experiment],
		.leader = number_or(event, "leader", NO_LEADER)};
	struct group *group = group_of(world, &key);
	uint32_t number = (uint32_t)(group - world->groups);
	group->shown.made_by = text_of(event, "made_by");
	group->shown.size = mpi_number(event, "size");
	group->shown.remote_size = mpi_number(event, "remote_size");
	group->remote_leader = number_or(event, "remote_leader", NO_LEADER);
	group->shown.members += place_add(&world->rank_table, &world->ranks, &world->rank_count,
		(struct place){mpi_number(event, "rank"), number, experiment});
	place_add(&world->member_table, &world->members, &world->member_count,
		(struct place){experiment, number, (uint32_t)mpi_number(event, "rank")});
	place_add(&world->number_table, &world->numbers, &world->number_count,
		(struct place){mpi_number(event, "number"), experiment, number});
}

static void read_experiment(struct mpi_world *world, const struct experiment *file, uint32_t experiment)
{
	const char *job = text_of(mpi_event(file, "mpi"), "job");
	for (size_t i = 0; i < file->event_count; i++) {
		const struct log_event *event = &file->events[i];
		if (!strcmp(event->kind, "mpi_communicator"))
			define(world, experiment, job, event);
		if (strcmp(event->kind, "mpi_name") != 0)
			continue;
		uint32_t named = mpi_world_find(world, experiment, mpi_number(event, "number"));
		if (named != NO_COMMUNICATOR && event->text)
			world->groups[named].shown.name = event->text;
	}
}

static void find_scopes(struct mpi_world *world, const struct data *data)
{
	uint32_t *ranks = memory_new(data->experiment_count, sizeof *ranks);
	world->scope = memory_new(data->experiment_count, sizeof *world->scope);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		ranks[data->experiments[e].founder] += mpi_event(data->experiments[e].file, "mpi") != 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		uint32_t founder = data->experiments[e].founder;
		bool named = *text_of(mpi_event(data->experiments[e].file, "mpi"), "job") != 0;
		world->scope[e] = ranks[founder] > 1 || !named ? founder + 1 : 0;
	}
	free(ranks);
}

static int by_identity(const void *left, const void *right, void *context)
{
	const struct mpi_world *world = context;
	const struct group *a = &world->groups[*(const uint32_t *)left], *b = &world->groups[*(const uint32_t *)right];
	int order = strcmp(a->key.identity, b->key.identity);
	if (order)
		return order;
	return COMPARE(a->key.scope, b->key.scope) ?: COMPARE(a, b);
}

/* The group among those of its identity that it names, or the only one. */
static uint32_t other_group(const struct mpi_world *world, const uint32_t *same, uint32_t count, uint32_t own)
{
	uint32_t other = NO_COMMUNICATOR, others = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (same[i] == own)
			continue;
		if (world->groups[same[i]].key.leader == world->groups[own].remote_leader)
			return same[i];
		other = same[i];
		others++;
	}
	return others == 1 ? other : NO_COMMUNICATOR;
}

static void pair_groups(struct mpi_world *world)
{
	uint32_t *order = memory_new(world->count, sizeof *order);
	for (uint32_t g = 0; g < world->count; g++)
		order[g] = g;
	qsort_r(order, world->count, sizeof *order, by_identity, world);
	for (uint32_t first = 0, next; first < world->count; first = next) {
		const struct group *group = &world->groups[order[first]];
		for (next = first + 1; next < world->count; next++)
			if (world->groups[order[next]].key.scope != group->key.scope ||
				strcmp(world->groups[order[next]].key.identity, group->key.identity) != 0)
				break;
		for (uint32_t i = first; i < next; i++) {
			struct mpi_communicator *shown = &world->groups[order[i]].shown;
			if (!shown->remote_size)
				continue;
			shown->peers = *shown->identity ? other_group(world, order + first, next - first, order[i])
							: NO_COMMUNICATOR;
			if (shown->peers < shown->pair)
				shown->pair = shown->peers;
		}
	}
	free(order);
}

struct mpi_world *mpi_world_read(const struct data *data)
{
	struct mpi_world *world = memory_new(1, sizeof *world);
	find_scopes(world, data);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		read_experiment(world, data->experiments[e].file, e);
	pair_groups(world);
	return world;
}

void mpi_world_free(struct mpi_world *world)
{
	if (!world)
		return;
	free(world->groups);
	free(world->numbers);
	free(world->ranks);
	free(world->members);
	free(world->scope);
	id_table_free(&world->group_table);
	id_table_free(&world->number_table);
	id_table_free(&world->rank_table);
	id_table_free(&world->member_table);
	free(world);
}

uint32_t mpi_world_count(const struct mpi_world *world)
{
	return world->count;
}

const struct mpi_communicator *mpi_world_communicator(const struct mpi_world *world, uint32_t communicator)
{
	return &world->groups[communicator].shown;
}

uint32_t mpi_world_find(const struct mpi_world *world, uint32_t experiment, uint64_t number)
{
	return place_find(&world->number_table, world->numbers, experiment, number);
}

uint32_t mpi_world_member(const struct mpi_world *world, uint32_t communicator, uint64_t rank)
{
	return place_find(&world->rank_table, world->ranks, communicator, rank);
}

uint32_t mpi_world_rank(const struct mpi_world *world, uint32_t communicator, uint32_t experiment)
{
	return place_find(&world->member_table, world->members, communicator, experiment);
}

void mpi_communicator_text(const struct mpi_communicator *communicator, char *text, size_t size)
{
	if (*communicator->name)
		snprintf(text, size, "%s", communicator->name);
	else
		snprintf(text, size, "%s %s", *communicator->made_by ? communicator->made_by : "?",
			*communicator->identity ? communicator->identity : "?");
}
