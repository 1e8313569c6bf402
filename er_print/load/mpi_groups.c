/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A communicator's identity is a hash of its parent's and of what tells it from the parent's others. The two sides of an
   intercommunicator may have nothing in common but their leaders' meeting, and what is made from it has to wait until both
   sides are known: so the definitions are gone through until nothing new comes out. */
#include "mpi_groups.h"
#include "id_table.h"
#include "mpi_ranks.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* Two leaders that met. */
struct meeting {
	uint64_t key;
	uint32_t definition;
	bool met;
};
struct port {
	uint32_t definition;
	bool accepts;
	const char *name;
	uint64_t time;
};
struct search {
	struct mpi_groups *found;
	const struct data *data;
	uint32_t *scope;           /* by experiment */
	struct number_map numbers; /* (experiment, number) -> definition */
	struct id_table table;     /* of groups */
	uint32_t *waiting;         /* definitions whose group is not known */
	uint32_t waiting_count;
	struct meeting *meetings; /* keys are known */
	uint32_t *apart;          /* definitions whose meeting is not known */
	uint64_t *turn;           /* by definition: of a port, which of those alike it is */
	uint32_t meeting_count, apart_count;
	struct number_map repeated; /* (experiment, key) -> how many there were */
	struct number_map first;    /* key -> meeting that waits for its other side */
};
enum { LOW_NUMBERS = 1 << 30 };
/* They keep hashes of different things apart. */
enum { MADE_FROM = 1, SIDE_OF, BOTH_OF };

static const struct log_event *event_of(const struct search *search, uint32_t definition)
{
	return search->found->definitions[definition].event;
}

static bool has(const struct log_event *event, const char *name)
{
	return log_event_attribute(event, name) != 0;
}

static bool same_group(const void *context, uint32_t id, const void *key)
{
	const struct mpi_group *a = &((const struct mpi_group *)context)[id], *b = key;
	return a->identity == b->identity && a->scope == b->scope && a->leader == b->leader;
}

/* The group that has the key's identity, scope and leader; made when new, and always where there is no identity. */
static uint32_t group_of(struct search *search, const struct mpi_group *key)
{
	struct mpi_groups *found = search->found;
	uint64_t hash = hash_pair(key->identity, hash_pair(key->scope, key->leader));
	uint32_t id = key->identity ? id_table_find(&search->table, hash, same_group, found->groups, key) : NO_ID;
	if (id != NO_ID)
		return id;
	found->groups = memory_room(found->groups, found->count, sizeof *found->groups);
	found->groups[found->count] = *key;
	if (key->identity)
		id_table_add(&search->table, hash, found->count);
	return found->count++;
}

/* The definition of another communicator in the same log, which must come before; NO_GROUP: there is none. */
static uint32_t definition_named(const struct search *search, uint32_t definition, const char *attribute)
{
	const struct mpi_definition *own = &search->found->definitions[definition];
	uint64_t number = mpi_number(own->event, attribute);
	if (!number || number >= LOW_NUMBERS)
		return NO_GROUP;
	uint32_t other = number_map_find(&search->numbers, number_pair(own->experiment, (uint32_t)number));
	return other < definition ? other : NO_GROUP;
}

/* The key of one that was made from a communicator whose processes are all known. */
static void of_parent(const struct mpi_group *parent, const struct log_event *event, struct mpi_group *key)
{
	uint64_t identity = hash_pair(hash_pair(MADE_FROM, parent->whole), mpi_number(event, "made"));
	uint64_t first = mpi_number(event, "first"), remote = mpi_number(event, "remote_first");
	key->scope = key->whole_scope = parent->whole_scope;
	if (!parent->inter) {
		key->identity = hash_pair(identity, first);
	} else if (!key->inter) {
		key->identity = identity;
	} else {
		/* Both sides know themselves as the first. */
		key->second = parent->second;
		key->whole = hash_pair(hash_pair(identity, key->second ? remote : first), key->second ? first : remote);
		key->identity = hash_pair(hash_pair(SIDE_OF, key->whole), key->second);
	}
}

/* False: it has to wait for what it was made from. */
static bool find_group(struct search *search, uint32_t definition)
{
	struct mpi_definition *own = &search->found->definitions[definition];
	struct mpi_group key = {
		.inter = mpi_number(own->event, "remote_size") != 0, .scope = search->scope[own->experiment]};
	key.whole_scope = key.scope;
	if (has(own->event, "made") && has(own->event, "parent")) {
		uint32_t parent = definition_named(search, definition, "parent");
		uint32_t group = parent == NO_GROUP ? NO_GROUP : search->found->definitions[parent].group;
		if (parent != NO_GROUP && group == NO_GROUP)
			return false;
		const struct mpi_group *made_from = group == NO_GROUP ? 0 : &search->found->groups[group];
		if (made_from && made_from->inter && made_from->identity && !made_from->whole)
			return false;
		if (made_from && made_from->identity)
			of_parent(made_from, own->event, &key);
	} else if (has(own->event, "made")) {
		key.identity = mpi_number(own->event, "made");
	} else {
		key.identity = key.whole = mpi_number(own->event, "identity");
		key.leader = key.inter ? mpi_number(own->event, "leader") + 1 : 0;
		key.remote_leader = key.inter ? mpi_number(own->event, "remote_leader") + 1 : 0;
	}
	if (!key.inter)
		key.whole = key.identity;
	own->group = group_of(search, &key);
	return true;
}

/* Goes through those that wait. Returns whether one of them waits no more. */
static bool find_groups(struct search *search)
{
	uint32_t kept = 0, before = search->waiting_count;
	for (uint32_t i = 0; i < before; i++)
		if (!find_group(search, search->waiting[i]))
			search->waiting[kept++] = search->waiting[i];
	search->waiting_count = kept;
	return kept < before;
}

/* The key of a meeting on a communicator that both leaders are in: its own identity, their ranks, the tag. False: that
   communicator is not known yet. */
static bool key_on_peer(struct search *search, uint32_t definition, uint64_t *key)
{
	const struct log_event *event = event_of(search, definition);
	uint32_t peer = definition_named(search, definition, "peer");
	uint32_t group = peer == NO_GROUP ? NO_GROUP : search->found->definitions[peer].group;
	*key = 0;
	if (peer != NO_GROUP && group == NO_GROUP)
		return false;
	if (group == NO_GROUP || !search->found->groups[group].identity)
		return true;
	const struct mpi_group *on = &search->found->groups[group];
	uint64_t own = mpi_number(event_of(search, peer), "rank"), other = mpi_number(event, "peer_rank");
	bool swap = on->inter ? on->second : other < own;
	if (!on->whole)
		return false;
	*key = hash_pair(
		hash_pair(on->whole, mpi_number(event, "meeting")), hash_pair(swap ? other : own, swap ? own : other));
	*key = hash_pair(*key, on->whole_scope);
	return true;
}

/* Which of the meetings alike it is for the process, from 1. */
static uint32_t repetition(struct search *search, uint32_t definition, uint64_t key)
{
	uint32_t *count =
		number_map_place(&search->repeated, hash_pair(search->found->definitions[definition].experiment, key));
	*count = *count == NO_NUMBER ? 1 : *count + 1;
	return *count;
}

/* False: it has to wait. */
static bool find_meeting(struct search *search, uint32_t definition)
{
	const struct log_event *event = event_of(search, definition);
	uint64_t key = mpi_number(event, "meeting");
	if (has(event, "port"))
		key = hash_pair(hash_text(log_event_attribute(event, "port")), search->turn[definition]);
	else if (has(event, "peer") && !key_on_peer(search, definition, &key))
		return false;
	if (has(event, "peer") && key)
		key = hash_pair(key, repetition(search, definition, key));
	if (!key)
		return true;
	search->meetings = memory_room(search->meetings, search->meeting_count, sizeof *search->meetings);
	search->meetings[search->meeting_count++] = (struct meeting){key, definition, false};
	return true;
}

static void find_meetings(struct search *search)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < search->apart_count; i++)
		if (!find_meeting(search, search->apart[i]))
			search->apart[kept++] = search->apart[i];
	search->apart_count = kept;
}

static void join(struct mpi_group *one, struct mpi_group *other)
{
	struct mpi_group *low = one->identity < other->identity ? one : other, *high = low == one ? other : one;
	low->whole = high->whole = hash_pair(hash_pair(BOTH_OF, low->identity), high->identity);
	low->whole_scope = high->whole_scope = low->scope < high->scope ? low->scope : high->scope;
	high->second = true;
}

/* Pairs the groups that met. Returns whether there were any. */
static bool join_groups(struct search *search)
{
	struct mpi_groups *found = search->found;
	bool any = false;
	for (uint32_t m = 0; m < search->meeting_count; m++) {
		struct meeting *own = &search->meetings[m];
		uint32_t number = found->definitions[own->definition].group;
		if (own->met || number == NO_GROUP)
			continue;
		own->met = true;
		struct mpi_group *group = &found->groups[number];
		if (!group->inter || !group->identity || group->whole)
			continue;
		uint32_t *first = number_map_place(&search->first, own->key);
		uint32_t other =
			*first == NO_NUMBER ? number : found->definitions[search->meetings[*first].definition].group;
		/* Several processes of one side may know of a meeting; and a run may be loaded twice. */
		if (*first == NO_NUMBER || found->groups[other].whole) {
			*first = m;
		} else if (other != number) {
			join(group, &found->groups[other]);
			any = true;
		}
	}
	return any;
}

/* Nobody can tell the other sides any more: what is made from such a side is its own. */
static bool give_up(struct search *search)
{
	bool any = false;
	for (uint32_t g = 0; g < search->found->count; g++) {
		struct mpi_group *group = &search->found->groups[g];
		if (!group->identity || group->whole)
			continue;
		group->whole = group->identity;
		any = true;
	}
	return any;
}

static int by_port(const void *left, const void *right)
{
	const struct port *a = left, *b = right;
	return strcmp(a->name, b->name) ?: COMPARE(a->accepts, b->accepts) ?: COMPARE(a->time, b->time) ?:
	       COMPARE(a->definition, b->definition);
}

/* The processes that accept at a port and those that connect to it meet in the order of time. */
static void find_turns(struct search *search)
{
	struct mpi_groups *found = search->found;
	struct port *ports = 0;
	uint32_t count = 0;
	uint64_t turn = 0;
	for (uint32_t i = 0; i < search->apart_count; i++) {
		const struct mpi_definition *own = &found->definitions[search->apart[i]];
		const char *name = log_event_attribute(own->event, "port"),
			   *by = log_event_attribute(own->event, "made_by");
		if (!name)
			continue;
		ports = memory_room(ports, count, sizeof *ports);
		ports[count++] = (struct port){search->apart[i], by && strstr(by, "accept") != 0, name,
			own->event->time + search->data->experiments[own->experiment].start_offset};
	}
	if (count)
		qsort(ports, count, sizeof *ports, by_port);
	for (uint32_t i = 0; i < count; i++) {
		bool more = i && !strcmp(ports[i].name, ports[i - 1].name) && ports[i].accepts == ports[i - 1].accepts;
		turn = more ? turn + 1 : 1;
		search->turn[ports[i].definition] = turn;
	}
	free(ports);
}

static void find_scopes(struct search *search)
{
	const struct data *data = search->data;
	uint32_t *ranks = memory_new(data->experiment_count, sizeof *ranks);
	search->scope = memory_new(data->experiment_count, sizeof *search->scope);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		ranks[data->experiments[e].founder] += mpi_event(data->experiments[e].file, "mpi") != 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct log_event *process = mpi_event(data->experiments[e].file, "mpi");
		const char *job = process ? log_event_attribute(process, "job") : 0;
		uint32_t founder = data->experiments[e].founder;
		search->scope[e] = ranks[founder] > 1 || !job || !*job ? founder + 1 : 0;
	}
	free(ranks);
}

static void read_definitions(struct search *search)
{
	struct mpi_groups *found = search->found;
	for (uint32_t e = 0; e < search->data->experiment_count; e++) {
		const struct experiment *file = search->data->experiments[e].file;
		for (size_t i = 0; i < file->event_count; i++) {
			const struct log_event *event = &file->events[i];
			if (strcmp(event->kind, "mpi_communicator") != 0)
				continue;
			found->definitions =
				memory_room(found->definitions, found->definition_count, sizeof *found->definitions);
			found->definitions[found->definition_count] = (struct mpi_definition){event, e, NO_GROUP};
			uint64_t number = mpi_number(event, "number");
			uint32_t *first = number < LOW_NUMBERS
						  ? number_map_place(&search->numbers, number_pair(e, (uint32_t)number))
						  : 0;
			if (first && *first == NO_NUMBER)
				*first = found->definition_count;
			found->definition_count++;
		}
	}
	search->waiting = memory_new(found->definition_count, sizeof *search->waiting);
	search->apart = memory_new(found->definition_count, sizeof *search->apart);
	search->turn = memory_new(found->definition_count, sizeof *search->turn);
	for (uint32_t d = 0; d < found->definition_count; d++) {
		search->waiting[search->waiting_count++] = d;
		if (has(event_of(search, d), "meeting") || has(event_of(search, d), "port"))
			search->apart[search->apart_count++] = d;
	}
}

void mpi_groups_find(const struct data *data, struct mpi_groups *groups)
{
	struct search search = {.found = groups, .data = data};
	*groups = (struct mpi_groups){0};
	find_scopes(&search);
	read_definitions(&search);
	find_turns(&search);
	for (bool more = true; more;) {
		more = find_groups(&search);
		find_meetings(&search);
		more = join_groups(&search) || more;
		if (!more)
			more = give_up(&search);
	}
	/* Those that are left were made from one that the log has not. */
	for (uint32_t i = 0; i < search.waiting_count; i++)
		groups->definitions[search.waiting[i]].group = group_of(&search, &(struct mpi_group){0});
	number_map_free(&search.numbers);
	number_map_free(&search.repeated);
	number_map_free(&search.first);
	id_table_free(&search.table);
	free(search.scope);
	free(search.waiting);
	free(search.apart);
	free(search.turn);
	free(search.meetings);
}
