/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index objects of a session. */
#include "index_objects.h"
#include "expression.h"
#include "session.h"
#include "size_class_text.h"
#include "state_title.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name, *text;
	enum index_row row;
	bool memory;
} predefined[] = {
#define INDEX_OBJECT(name, text, row)  {#name, text, INDEX_##row, false},
#define NAMED_OBJECT(name, text, row)  {#name, text, INDEX_##row, false},
#define MEMORY_OBJECT(name, text, row) {#name, text, INDEX_##row, true},
#include "index_objects.def"
};

static void add_object(
	struct index_objects *objects, const char *name, const char *text, enum index_row row, bool memory)
{
	objects->objects = memory_room(objects->objects, objects->count, sizeof *objects->objects);
	objects->objects[objects->count++] = (struct index_object){strdup(name), strdup(text), row, memory};
}

void index_objects_create(struct index_objects *objects)
{
	for (unsigned i = 0; i < sizeof predefined / sizeof *predefined; i++)
		add_object(objects, predefined[i].name, predefined[i].text, predefined[i].row, predefined[i].memory);
}

void index_objects_free(struct index_objects *objects)
{
	for (unsigned i = 0; i < objects->count; i++) {
		free(objects->objects[i].name);
		free(objects->objects[i].text);
	}
	free(objects->objects);
	*objects = (struct index_objects){0};
}

const struct index_object *index_object_find(const struct index_objects *objects, const char *name)
{
	for (unsigned i = 0; i < objects->count; i++)
		if (!strcasecmp(objects->objects[i].name, name))
			return &objects->objects[i];
	return 0;
}

const char *index_object_text(const void *context, const char *name)
{
	const struct index_object *object = index_object_find(context, name);
	return object ? object->text : 0;
}

/* Whether the name is a word of expressions already. */
static bool is_word(const char *name)
{
	struct error error;
	struct expression *expression = expression_parse(name, 0, 0, &error);
	bool stack = strstr(error.text, "stands beside") != 0;
	bool word = expression || stack || !strcasecmp(name, "IN") || !strcasecmp(name, "SOME") ||
		    !strcasecmp(name, "ORDERED") || !strcasecmp(name, "FNAME") || !strcasecmp(name, "DNAME") ||
		    !strcasecmp(name, "HAS_PROP");
	expression_free(expression);
	return word;
}

bool index_object_define(
	struct index_objects *objects, const char *name, const char *text, bool memory, struct error *error)
{
	size_t length = 0;
	while (isalnum((unsigned char)name[length]) || name[length] == '_')
		length++;
	if (name[length] || !isalpha((unsigned char)*name))
		return error_set(error, "%.100s: a name is a letter, and then letters, digits and _", name);
	if (index_object_find(objects, name))
		return error_set(error, "%.100s is already defined", name);
	if (is_word(name))
		return error_set(error, "%.100s is a word of expressions", name);
	struct expression *expression = expression_parse(text, index_object_text, objects, error);
	if (!expression)
		return error_context(error, "`%.300s'", text);
	expression_free(expression);
	add_object(objects, name, text, memory ? INDEX_HEXADECIMAL : INDEX_NUMBER, memory);
	return true;
}

static const struct experiment *experiment_numbered(const struct session *session, uint64_t number)
{
	return number >= 1 && number <= session->data->experiment_count ? session->data->experiments[number - 1].file
									: 0;
}

/* The classes of the object Duration: 0, up to a microsecond, up to ten of them, ... */
static const char *duration_class(uint64_t number)
{
	static const char *const classes[] = {"0", "0 < n <= 1us", "1us < n <= 10us", "10us < n <= 100us",
		"100us < n <= 1ms", "1ms < n <= 10ms", "10ms < n <= 100ms", "100ms < n <= 1s", "1s < n <= 10s",
		"10s < n <= 100s", "100s < n <= 1000s", "1000s < n <= 10000s", "10000s < n"};
	return number < sizeof classes / sizeof *classes ? classes[number] : "<Unknown>";
}

/* "Process 1, Mutex 0x4040c0 (queue_lock)"; while groups are compared, a number is of a process in each, and names
   none; for one of them alone, variables are called by their names, by which they are compared. */
static const char *lock_name(struct session *session, struct table *table, uint64_t number)
{
	uint64_t address = number & 0xffffffffffff;
	const char *variable =
		session_groups(session) > 1 ? 0 : variable_name_at(session, table, number >> 52, address);
	const char *state = state_title(KIND_SYNC, "waited_for", number >> 48 & 15);
	if (session->only_group && variable)
		return table_text(table, "%s %s", state, variable);
	return table_text(table, "Process %" PRIu64 ", %s 0x%" PRIx64 "%s%s%s", number >> 52, state, address,
		variable ? " (" : "", variable ? variable : "", variable ? ")" : "");
}

const char *index_object_row(struct session *session, struct table *table, enum index_row row, int64_t value)
{
	uint64_t number = (uint64_t)value;
	const struct experiment *experiment = experiment_numbered(session, number);
	if (value == -1)
		return row == INDEX_MESSAGE_SIZE ? "<No message>" : "<Unknown>";
	switch (row) {
	case INDEX_THREAD:
		return table_text(table, "Process %" PRIu64 ", Thread %" PRIu32, number >> 32, (uint32_t)number);
	case INDEX_CPU:
		return table_text(table, "CPU %" PRIu64, number);
	case INDEX_SAMPLE:
		return table_text(table, "Process %" PRIu64 ", Sample %" PRIu32, number >> 32, (uint32_t)number);
	case INDEX_SECOND:
		return table_text(table, "Second %" PRIu64, number);
	case INDEX_PROCESS:
		if (session_groups(session) > 1) /* one of each group */
			return table_text(table, "Process %" PRIu64, number);
		return table_text(table, "Process %" PRIu64 " (PID %" PRIu64 ")", number,
			experiment ? experiment->process.pid : 0);
	case INDEX_EXPERIMENT:
		number = number >> 32 & 0xfffffff;
		experiment = experiment_numbered(session, number);
		return table_text(table, "Experiment %" PRIu64 " (%s)", number, experiment ? experiment->name : "?");
	case INDEX_LOCK:
		return lock_name(session, table, number);
	case INDEX_DURATION:
		return duration_class(number);
	case INDEX_RANK:
		return table_text(table, "MPI rank %" PRIu64, number);
	case INDEX_DATASIZE:
	case INDEX_MESSAGE_SIZE:
		return number ? size_class_text(table, number > 1 ? 2 * (unsigned)number : 0, 2 * (unsigned)number + 2)
			      : "0 Bytes";
	case INDEX_ADDRESS:
		return table_text(table, "Process %" PRIu64 ", 0x%" PRIx64, number >> 48, number & 0xffffffffffff);
	case INDEX_HEXADECIMAL:
		return table_text(table, "0x%" PRIx64, number);
	case INDEX_NUMBER:
		break;
	}
	return table_text(table, "%" PRId64, value);
}
