/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of expressions for what an event is about: data objects, files and MPI communicators, by number and by name. */
#include "expression_nodes.h"

#include <stdlib.h>
#include <string.h>

static void file_numbers(int kind, const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *a)
{
	for (uint32_t i = 0; i < count; i++)
		a[i] = kind != KIND_IO ? 0
				       : io_files_name(&batch->experiment->io_files,
						 batch->field[FIELD_INDEX(IO, file)][first + i]);
}

/* Data addresses, or the numbers of what is there. */
static void data_accessed(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *a)
{
	uint32_t experiment = (uint32_t)(batch->experiment - expression->setting->data->experiments);
	if (kind != KIND_OVERFLOW) {
		memset(a, 0, count * sizeof *a);
		return;
	}
	const uint64_t *counter = batch->field[FIELD_INDEX(OVERFLOW, counter)] + first;
	const uint64_t *address = batch->field[FIELD_INDEX(OVERFLOW, address)] + first;
	for (uint32_t i = 0; i < count; i++) {
		a[i] = (int64_t)address[i];
		if (which == KEYWORD_VADDR)
			continue;
		a[i] = data_objects_at(
			expression->data_objects, experiment, batch->time[first + i], counter[i], address[i]);
		if (which == KEYWORD_DOBJ)
			a[i] = data_objects_get(expression->data_objects, (uint32_t)a[i])->whole;
	}
}

void expression_object_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values)
{
	if (which == KEYWORD_IOFILE)
		file_numbers(kind, batch, first, count, values);
	else if (which == KEYWORD_MCOMM)
		expression_mpi_values(expression, which, kind, batch, first, count, values);
	else
		data_accessed(expression, which, kind, batch, first, count, values);
}

void expression_object_test(const struct expression *expression, const struct function_pattern *pattern, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values)
{
	/* A member has a name of its own beside its variable's. */
	enum event_keyword numbers = pattern->of == KEYWORD_DOBJ ? KEYWORD_DMEMBER : pattern->of;
	expression_object_values(expression, numbers, kind, batch, first, count, values);
	for (uint32_t i = 0; i < count; i++)
		values[i] = pattern->matches[values[i]];
}

/* By its own name, or a member by its variable's. */
static bool data_name_matches(const struct expression *expression, uint32_t number, const regex_t *regex)
{
	const struct expression_setting *setting = expression->setting;
	const struct data_object *object = data_objects_get(expression->data_objects, number);
	const struct data_object *whole = data_objects_get(expression->data_objects, object->whole);
	return !regexec(regex, setting->data_name(setting->context, object), 0, 0, 0) ||
	       (whole != object && !regexec(regex, setting->data_name(setting->context, whole), 0, 0, 0));
}

static bool communicator_name_matches(const struct expression *expression, uint32_t number, const regex_t *regex)
{
	char text[512];
	if (!number)
		return false;
	mpi_communicator_text(mpi_world_communicator(expression->mpi_world, number - 1), text, sizeof text);
	return !regexec(regex, text, 0, 0, 0);
}

static bool file_name_matches(const struct expression *expression, uint32_t number, const regex_t *regex)
{
	const char *name = data_io_file(expression->setting->data, number);
	return name && !regexec(regex, name, 0, 0, 0);
}

static uint32_t file_count(const struct data *data)
{
	uint32_t last = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct io_files *files = &data->experiments[e].io_files;
		for (uint32_t f = 0; f < files->count; f++)
			last = files->name[f] > last ? files->name[f] : last;
	}
	return last + 1;
}

/* Tries the names of objects with numbers below `count` against each test of them. */
static void match_names(struct expression *expression, enum event_keyword of, uint32_t count,
	bool (*matches)(const struct expression *expression, uint32_t number, const regex_t *regex))
{
	for (uint32_t n = 0; n < expression->count; n++) {
		if (expression->nodes[n].operation != OPERATION_OBJECT_TEST)
			continue;
		struct function_pattern *pattern = &expression->patterns[expression->nodes[n].number];
		if (pattern->of != of)
			continue;
		free(pattern->matches);
		pattern->matches = memory_new(count, sizeof *pattern->matches);
		for (uint32_t o = 0; o < count; o++)
			pattern->matches[o] = matches(expression, o, &pattern->regex);
	}
}

void expression_prepare_objects(struct expression *expression)
{
	const struct expression_setting *setting = expression->setting;
	data_objects_free(expression->data_objects);
	expression->data_objects = expression->uses[KEYWORD_DOBJ] || expression->uses[KEYWORD_DMEMBER]
					   ? data_objects_find(setting->data, setting->resolver)
					   : 0;
	if (expression->data_objects)
		match_names(expression, KEYWORD_DOBJ, data_objects_count(expression->data_objects), data_name_matches);
	if (expression->uses[KEYWORD_MCOMM])
		match_names(expression, KEYWORD_MCOMM, mpi_world_count(expression->mpi_world) + 1,
			communicator_name_matches);
	if (expression->uses[KEYWORD_IOFILE])
		match_names(expression, KEYWORD_IOFILE, file_count(setting->data), file_name_matches);
}
