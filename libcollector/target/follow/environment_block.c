/* SPDX-License-Identifier: Apache-2.0 */
/* Putting our entries into an environment and taking them out again. */
#include "environment_block.h"
#include "environment.h"
#include "text.h"
#include <elf.h>
#include <string.h>

#define PRELOAD       "LD_PRELOAD"
#define ENTRIES_ADDED 5 /* and the null pointer; one of ours replaces one of the target's, or LD_PRELOAD is new */
#define RECORDED_SIZE 48

/* The value of an entry NAME=VALUE, or 0 if it is another's. */
static char *value_of(char *entry, const char *name)
{
	size_t length = strlen(name);
	return strncmp(entry, name, length) == 0 && entry[length] == '=' ? entry + length + 1 : 0;
}

static bool is_separator(char c)
{
	return c == ':' || c == ' ';
}

/* Removes a path from a list that ld.so would read, in place. Returns whether anything is left. */
static bool remove_path(char *list, const char *path)
{
	size_t length = strlen(path);
	char *to = list;
	for (const char *from = list; *from;) {
		size_t word = strcspn(from, ": ");
		size_t step = word + (from[word] != 0);
		if (word != length || strncmp(from, path, length) != 0) {
			memmove(to, from, step);
			to += step;
		}
		from += step;
	}
	*to = 0;
	if (to > list && is_separator(to[-1]))
		*--to = 0;
	return to > list;
}

/* Our own variables, whatever they say. */
static bool is_our_variable(char *entry)
{
	return value_of(entry, ENVIRONMENT_FOUNDER) || value_of(entry, ENVIRONMENT_LINEAGE) ||
	       value_of(entry, ENVIRONMENT_RECORDED) || value_of(entry, ENVIRONMENT_PADDING);
}

/* True if the entry is ours alone; LD_PRELOAD is one if nothing but our library was in it. */
static bool is_ours(char *entry, const char *library)
{
	char *value = value_of(entry, PRELOAD);
	if (value && library)
		return strstr(value, library) && !remove_path(value, library);
	return is_our_variable(entry);
}

static size_t remove_ours(char **environment, const char *library)
{
	char **to = environment;
	for (char **from = environment; *from; from++)
		if (!is_ours(*from, library))
			*to++ = *from;
	size_t removed = 0;
	for (; *to; to++, removed++)
		*to = 0;
	return removed;
}

void environment_clean(char **environment, const char *library)
{
	remove_ours(environment, library);
}

/* The library's own path as ld.so was given it: the first of LD_PRELOAD, where environment_compose() puts it. */
static void copy_first_path(char *list, char *path, size_t size)
{
	size_t word = list ? strcspn(list, ": ") : 0;
	if (word >= size)
		word = 0;
	memcpy(path, list ? list : "", word);
	path[word] = 0;
}

struct environment_values environment_take(char **environment)
{
	char library[4096];
	char *preload = 0;
	struct environment_values values = {0, 0, 0};
	for (char **entry = environment; *entry; entry++) {
		char *value;
		if ((value = value_of(*entry, ENVIRONMENT_FOUNDER)))
			values.founder = value;
		else if ((value = value_of(*entry, ENVIRONMENT_LINEAGE)))
			values.lineage = value;
		else if ((value = value_of(*entry, ENVIRONMENT_RECORDED)))
			values.recorded = value;
		else if ((value = value_of(*entry, PRELOAD)))
			preload = value;
	}
	if (!values.founder)
		return values;
	copy_first_path(preload, library, sizeof library);
	size_t removed = remove_ours(environment, library[0] ? library : 0);
	/* Programs that look for the auxiliary vector behind the environment find it behind the new end: the room between
	   is filled with entries to be ignored. Each takes two words, which is what ENVIRONMENT_PADDING is for. */
	char **end = environment;
	while (*end)
		end++;
	for (size_t i = 0; i + 1 < removed; i += 2) {
		end[1 + i] = (char *)AT_IGNORE;
		end[2 + i] = 0;
	}
	return values;
}

size_t environment_compose_size(char *const *environment, const struct composition *ours)
{
	size_t entries = 0, preload = 0;
	for (; environment && environment[entries]; entries++) {
		char *value = value_of(environment[entries], PRELOAD);
		if (value)
			preload += strlen(value);
	}
	return (entries + ENTRIES_ADDED) * sizeof(char *) + sizeof PRELOAD + sizeof ENVIRONMENT_FOUNDER +
	       sizeof ENVIRONMENT_LINEAGE + sizeof ENVIRONMENT_RECORDED + sizeof ENVIRONMENT_PADDING +
	       strlen(ours->founder) + strlen(ours->lineage) + strlen(ours->library) + RECORDED_SIZE + preload + 16;
}

/* Appends NAME=VALUE at *at, which moves behind it. */
static char *add_entry(char **at, const char *name, const char *value)
{
	char *entry = *at, *to = stpcpy(stpcpy(stpcpy(entry, name), "="), value);
	*at = to + 1;
	return entry;
}

static char *add_recorded(char **at, const struct recorded_time *recorded, unsigned paused)
{
	char value[RECORDED_SIZE];
	struct text text = {.bytes = value, .capacity = sizeof value - 1};
	text_number(&text, recorded->user, 10, 1);
	text_append(&text, ",", 1);
	text_number(&text, recorded->system, 10, 1);
	text_append(&text, ",", 1);
	text_number(&text, paused, 10, 1);
	value[text.size] = 0;
	return add_entry(at, ENVIRONMENT_RECORDED, value);
}

/* Ours may stand in front already, in an environment that the target kept or read from /proc. */
static char *without_ours(char *list, const char *library)
{
	size_t length = strlen(library);
	if (strncmp(list, library, length) == 0 && (!list[length] || is_separator(list[length])))
		list += length + (list[length] != 0);
	return list;
}

char **environment_compose(char *const *environment, const struct composition *ours, void *memory)
{
	size_t entries = 0;
	while (environment && environment[entries])
		entries++;
	char **composed = memory, **to = composed;
	char *strings = (char *)(composed + entries + ENTRIES_ADDED);
	bool preloaded = false;
	for (size_t i = 0; i < entries; i++) {
		char *theirs = value_of(environment[i], PRELOAD);
		if (theirs && !preloaded) {
			theirs = without_ours(theirs, ours->library);
			if (!*theirs)
				continue;
			*to++ = add_entry(&strings, PRELOAD, ours->library);
			strings[-1] = ':';
			strings = stpcpy(strings, theirs) + 1;
			preloaded = true;
		} else if (!is_our_variable(environment[i])) {
			*to++ = environment[i];
		}
	}
	*to++ = add_entry(&strings, ENVIRONMENT_FOUNDER, ours->founder);
	*to++ = add_entry(&strings, ENVIRONMENT_LINEAGE, ours->lineage);
	*to++ = add_recorded(&strings, &ours->recorded, ours->paused);
	/* Four of them will go: an even number. */
	*to++ = preloaded ? add_entry(&strings, ENVIRONMENT_PADDING, "") : add_entry(&strings, PRELOAD, ours->library);
	*to = 0;
	return composed;
}
