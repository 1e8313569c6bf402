/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table from content to a small number: open addressing, linear probing, at most half full. */
#include "id_table.h"
#include "storage.h"
#include <stdlib.h>

uint32_t id_table_find(
	const struct id_table *table, uint64_t hash, id_equal *equal, const void *context, const void *key)
{
	if (!table->capacity)
		return NO_ID;
	uint32_t mask = table->capacity - 1;
	for (uint32_t i = (uint32_t)hash & mask; table->slots[i].id; i = (i + 1) & mask)
		if (table->slots[i].hash == (uint32_t)hash && equal(context, table->slots[i].id - 1, key))
			return table->slots[i].id - 1;
	return NO_ID;
}

static void put(struct id_table *table, struct id_slot slot)
{
	uint32_t mask = table->capacity - 1, i = slot.hash & mask;
	while (table->slots[i].id)
		i = (i + 1) & mask;
	table->slots[i] = slot;
}

void id_table_add(struct id_table *table, uint64_t hash, uint32_t id)
{
	if (table->count >= table->capacity / 2) {
		struct id_table old = *table;
		table->capacity = old.capacity ? old.capacity * 2 : 64;
		table->slots = memory_new(table->capacity, sizeof *table->slots);
		for (uint32_t i = 0; i < old.capacity; i++)
			if (old.slots[i].id)
				put(table, old.slots[i]);
		free(old.slots);
	}
	put(table, (struct id_slot){(uint32_t)hash, id + 1});
	table->count++;
}

void id_table_free(struct id_table *table)
{
	free(table->slots);
	*table = (struct id_table){0};
}

uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ull;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
	return hash_number(hash);
}
