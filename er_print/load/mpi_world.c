/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The groups of the logs, their names and members; then the sides of intercommunicators are paired. */
#include "mpi_world.h"
#include "id_table.h"
#include "mpi_groups.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of a process, a rank of a group, a process in a group: which group, which process, which rank. */
struct place {
	uint64_t number;
	uint32_t of, value;
};
struct mpi_world {
	struct mpi_groups found;
	struct mpi_communicator *shown; /* by group */
	struct place *numbers, *ranks, *members;
	uint32_t number_count, rank_count, member_count;
	struct id_table number_table, rank_table, member_table;
};

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

static void define(struct mpi_world *world, const struct mpi_definition *definition)
{
	const struct log_event *event = definition->event;
	struct mpi_communicator *shown = &world->shown[definition->group];
	const char *made_by = log_event_attribute(event, "made_by");
	shown->made_by = made_by ? made_by : "";
	shown->size = mpi_number(event, "size");
	shown->remote_size = mpi_number(event, "remote_size");
	/* Members of another world cannot say it. */
	if (log_event_attribute(event, "leader"))
		shown->leader = mpi_number(event, "leader");
	shown->members += place_add(&world->rank_table, &world->ranks, &world->rank_count,
		(struct place){mpi_number(event, "rank"), definition->group, definition->experiment});
	place_add(&world->member_table, &world->members, &world->member_count,
		(struct place){definition->experiment, definition->group, (uint32_t)mpi_number(event, "rank")});
	place_add(&world->number_table, &world->numbers, &world->number_count,
		(struct place){mpi_number(event, "number"), definition->experiment, definition->group});
}

static void read_names(struct mpi_world *world, const struct experiment *file, uint32_t experiment)
{
	for (size_t i = 0; i < file->event_count; i++) {
		const struct log_event *event = &file->events[i];
		if (strcmp(event->kind, "mpi_name") != 0 || !event->text)
			continue;
		uint32_t named = mpi_world_find(world, experiment, mpi_number(event, "number"));
		if (named != NO_COMMUNICATOR)
			world->shown[named].name = event->text;
	}
}

static int by_identity(const void *left, const void *right, void *context)
{
	const struct mpi_group *groups = context;
	const struct mpi_group *a = &groups[*(const uint32_t *)left], *b = &groups[*(const uint32_t *)right];
	return COMPARE(a->whole, b->whole) ?: COMPARE(a->whole_scope, b->whole_scope) ?: COMPARE(a, b);
}

/* The group among those of its identity that it names, or the only one. */
static uint32_t other_group(const struct mpi_group *groups, const uint32_t *same, uint32_t count, uint32_t own)
{
	uint32_t other = NO_COMMUNICATOR, others = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (same[i] == own)
			continue;
		if (groups[own].remote_leader && groups[same[i]].leader == groups[own].remote_leader)
			return same[i];
		other = same[i];
		others++;
	}
	return others == 1 ? other : NO_COMMUNICATOR;
}

static void pair_groups(struct mpi_world *world)
{
	const struct mpi_groups *found = &world->found;
	uint32_t *order = memory_new(found->count, sizeof *order);
	for (uint32_t g = 0; g < found->count; g++)
		order[g] = g;
	qsort_r(order, found->count, sizeof *order, by_identity, found->groups);
	for (uint32_t first = 0, next; first < found->count; first = next) {
		const struct mpi_group *group = &found->groups[order[first]];
		for (next = first + 1; next < found->count; next++)
			if (found->groups[order[next]].whole != group->whole ||
				found->groups[order[next]].whole_scope != group->whole_scope)
				break;
		for (uint32_t i = first; i < next; i++) {
			struct mpi_communicator *shown = &world->shown[order[i]];
			if (!shown->remote_size)
				continue;
			shown->peers = group->whole ? other_group(found->groups, order + first, next - first, order[i])
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
	mpi_groups_find(data, &world->found);
	world->shown = memory_new(world->found.count, sizeof *world->shown);
	for (uint32_t g = 0; g < world->found.count; g++) {
		struct mpi_communicator *shown = &world->shown[g];
		*shown = (struct mpi_communicator){
			.made_by = "", .name = "", .leader = NO_LEADER, .pair = g, .peers = g};
		if (world->found.groups[g].whole)
			snprintf(shown->identity, sizeof shown->identity, "%#" PRIx64, world->found.groups[g].whole);
	}
	for (uint32_t d = 0; d < world->found.definition_count; d++)
		define(world, &world->found.definitions[d]);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		read_names(world, data->experiments[e].file, e);
	pair_groups(world);
	return world;
}

void mpi_world_free(struct mpi_world *world)
{
	if (!world)
		return;
	free(world->found.definitions);
	free(world->found.groups);
	free(world->shown);
	free(world->numbers);
	free(world->ranks);
	free(world->members);
	id_table_free(&world->number_table);
	id_table_free(&world->rank_table);
	id_table_free(&world->member_table);
	free(world);
}

uint32_t mpi_world_count(const struct mpi_world *world)
{
	return world->found.count;
}

const struct mpi_communicator *mpi_world_communicator(const struct mpi_world *world, uint32_t communicator)
{
	return &world->shown[communicator];
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
