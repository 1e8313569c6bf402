/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps spaces once, and compares them. */
#include "code_space.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

static bool is_space(const void *context, uint32_t id, const void *key)
{
	const struct space_table *table = context;
	const struct code_space *space = &table->spaces[id];
	const struct space_key *wanted = key;
	if (space->kind != wanted->kind || space->function != wanted->function || space->state != wanted->state ||
		space->pair_count != wanted->count)
		return false;
	for (uint32_t i = 0; i < wanted->count; i++) {
		const struct space_pair *a = &table->pairs[space->pair + i], *b = &wanted->pairs[i];
		if (a->first != b->first || a->end != b->end)
			return false;
	}
	return true;
}

static uint64_t hash_of(const struct space_key *key)
{
	uint64_t hash = hash_pair(hash_pair(key->kind, key->state), key->function);
	for (uint32_t i = 0; i < key->count; i++)
		hash = hash_pair(hash, (uint64_t)key->pairs[i].first << 32 | key->pairs[i].end);
	return hash;
}

uint32_t space_number(struct space_table *table, const struct space_key *key)
{
	uint64_t hash = hash_of(key);
	uint32_t id = id_table_find(&table->index, hash, is_space, table, key);
	if (id != NO_ID)
		return id;
	struct code_space made = {key->kind, key->function, key->state, table->pair_count, key->count, 0};
	for (uint32_t i = 0; i < key->count; i++) {
		table->pairs = memory_room(table->pairs, table->pair_count, sizeof *table->pairs);
		table->pairs[table->pair_count++] = key->pairs[i];
		made.length += key->kind == SPACE_CODE ? key->pairs[i].end - key->pairs[i].first : 0;
	}
	table->spaces = memory_room(table->spaces, table->count, sizeof made);
	table->spaces[table->count] = made;
	id_table_add(&table->index, hash, table->count);
	return table->count++;
}

void space_table_free(struct space_table *table)
{
	free(table->spaces);
	free(table->pairs);
	id_table_free(&table->index);
	*table = (struct space_table){0};
}

int space_compare(const struct space_table *table, const struct resolver *resolver, uint32_t a, uint32_t b)
{
	const struct code_space *x = &table->spaces[a], *y = &table->spaces[b];
	int order = COMPARE(x->kind, y->kind) ?: COMPARE(x->state, y->state);
	if (!order && x->function != y->function) {
		const struct function *f = resolver_function(resolver, x->function);
		const struct function *g = resolver_function(resolver, y->function);
		order = strcmp(f->long_name, g->long_name) ?: COMPARE(f->object, g->object) ?: COMPARE(f->start, g->start);
	}
	for (uint32_t i = 0; !order && i < x->pair_count && i < y->pair_count; i++) {
		const struct space_pair *p = &table->pairs[x->pair + i], *q = &table->pairs[y->pair + i];
		order = COMPARE(p->from, q->from) ?: COMPARE(p->to, q->to);
	}
	return order ?: COMPARE(x->pair_count, y->pair_count);
}

uint32_t space_common(const struct space_table *table, uint32_t a, uint32_t b)
{
	const struct code_space *x = &table->spaces[a], *y = &table->spaces[b];
	const struct space_pair *p = &table->pairs[x->pair], *q = &table->pairs[y->pair];
	uint32_t i = 0, j = 0, common = 0;
	while (x->function == y->function && i < x->pair_count && j < y->pair_count) {
		uint32_t first = p[i].first > q[j].first ? p[i].first : q[j].first;
		uint32_t end = p[i].end < q[j].end ? p[i].end : q[j].end;
		common += end > first ? end - first : 0;
		if (p[i].end < q[j].end)
			i++;
		else
			j++;
	}
	return common;
}
