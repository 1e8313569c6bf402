/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings kept once. */
#include "strings.h"
#include <stdlib.h>
#include <string.h>

static bool same_text(const void *context, uint32_t id, const void *key)
{
	const struct strings *strings = context;
	return !strcmp(strings->text[id], key);
}

uint32_t strings_number(struct strings *strings, const char *text)
{
	uint64_t hash = hash_text(text);
	uint32_t number = id_table_find(&strings->table, hash, same_text, strings, text);
	if (number != NO_ID)
		return number;
	number = strings->count;
	strings->text = memory_room(strings->text, strings->count, sizeof *strings->text);
	strings->text[strings->count++] = arena_string(&strings->arena, text, strlen(text));
	id_table_add(&strings->table, hash, number);
	return number;
}

const char *strings_keep(struct strings *strings, const char *text)
{
	uint32_t number = strings_number(strings, text);
	return strings->text[number];
}

void strings_free(struct strings *strings)
{
	arena_free(&strings->arena);
	id_table_free(&strings->table);
	free(strings->text);
	*strings = (struct strings){0};
}
