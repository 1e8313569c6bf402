/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a message Profile: first its tables, then its samples. */
#include "pprof_profile.h"
#include "number_map.h"
#include "pprof_fields.h"
#include "protobuf_reader.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of the file. */
struct piece {
	const unsigned char *bytes;
	size_t size;
};
/* Messages that others name by an id of their own. */
struct messages {
	struct piece *all;
	uint32_t count;
	struct number_map by_id;
};
struct pprof {
	struct imported_profile *profile;
	struct messages strings, mappings, locations, functions; /* strings: by their place */
	uint32_t *number_of; /* by string: as a text of the profile; NO_ID: not yet */
	struct pprof_type {
		uint32_t counter;
		uint64_t factor; /* what a value is multiplied by */
	} types[OVERFLOW_COUNTERS_MAX];
	unsigned type_count;
	bool damaged;
};

static uint64_t number_in(const struct piece *piece, uint32_t number)
{
	struct protobuf_reader reader = protobuf_read(piece->bytes, piece->size);
	struct protobuf_field field;
	uint64_t value = 0;
	while (protobuf_next(&reader, &field))
		if (field.number == number && !field.is_bytes)
			value = field.value;
	return value;
}

static void add_message(struct messages *messages, const struct protobuf_field *field, uint32_t id_field)
{
	if (!field->is_bytes)
		return;
	struct piece piece = {field->bytes, field->size};
	messages->all = memory_room(messages->all, messages->count, sizeof piece);
	messages->all[messages->count] = piece;
	if (id_field)
		*number_map_place(&messages->by_id, number_in(&piece, id_field)) = messages->count;
	messages->count++;
}

static const struct piece *message_of(const struct messages *messages, uint64_t id)
{
	uint32_t found = number_map_find(&messages->by_id, id);
	return found == NO_NUMBER ? 0 : &messages->all[found];
}

static void free_messages(struct messages *messages)
{
	free(messages->all);
	number_map_free(&messages->by_id);
}

/* A string of the file as a text of the profile; "" for what is none. */
static uint32_t text_of(struct pprof *pprof, uint64_t string)
{
	if (string >= pprof->strings.count)
		return 0;
	if (pprof->number_of[string] == NO_ID) {
		const struct piece *piece = &pprof->strings.all[string];
		char *copy = memory_new(piece->size + 1, 1);
		if (piece->size)
			memcpy(copy, piece->bytes, piece->size);
		pprof->number_of[string] = imported_text(pprof->profile, copy);
		free(copy);
	}
	return pprof->number_of[string];
}

static const char *words_of(struct pprof *pprof, uint64_t string)
{
	uint32_t text = text_of(pprof, string);
	return pprof->profile->texts.text[text];
}

static void read_tables(struct pprof *pprof, const unsigned char *bytes, size_t size)
{
	struct protobuf_reader reader = protobuf_read(bytes, size);
	struct protobuf_field field;
	while (protobuf_next(&reader, &field)) {
		switch (field.number) {
		case PROFILE_MAPPING:
			add_message(&pprof->mappings, &field, MAPPING_ID);
			break;
		case PROFILE_LOCATION:
			add_message(&pprof->locations, &field, LOCATION_ID);
			break;
		case PROFILE_FUNCTION:
			add_message(&pprof->functions, &field, FUNCTION_ID);
			break;
		case PROFILE_STRING:
			add_message(&pprof->strings, &field, 0);
			break;
		case PROFILE_TIME:
			pprof->profile->start = field.value;
			break;
		case PROFILE_DURATION:
			pprof->profile->duration = field.value;
			break;
		}
	}
	pprof->damaged = reader.damaged;
	pprof->number_of = memory_new(pprof->strings.count, sizeof *pprof->number_of);
	for (uint32_t i = 0; i < pprof->strings.count; i++)
		pprof->number_of[i] = NO_ID;
}

/* Units as pprof's measurement package names them. */
static enum counter_units unit_of(const char *name, struct pprof_type *type)
{
	static const struct unit {
		const char *names[4];
		enum counter_units units;
		uint64_t factor;
	} known[] = {{{"nanoseconds", "nanosecond", "ns"}, UNITS_NANOSECONDS, 1},
		{{"microseconds", "microsecond", "us"}, UNITS_NANOSECONDS, 1000},
		{{"milliseconds", "millisecond", "ms"}, UNITS_NANOSECONDS, 1000000},
		{{"seconds", "second", "s", "sec"}, UNITS_NANOSECONDS, 1000000000},
		{{"bytes", "byte", "b", "B"}, UNITS_BYTES, 1},
		{{"kilobytes", "kilobyte", "kb", "kB"}, UNITS_BYTES, 1 << 10},
		{{"megabytes", "megabyte", "mb", "MB"}, UNITS_BYTES, 1 << 20}};
	type->factor = 1;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (unsigned n = 0; n < 4; n++)
			if (known[i].names[n] && !strcmp(known[i].names[n], name)) {
				type->factor = known[i].factor;
				return known[i].units;
			}
	return UNITS_EVENTS;
}

/* "alloc_space" is "Alloc Space" in headings. */
static void make_title(char *title, size_t size, const char *name)
{
	snprintf(title, size, "%s", *name ? name : "samples");
	for (char *at = title; *at; at++) {
		if (*at == '_')
			*at = ' ';
		if (at == title || at[-1] == ' ')
			*at = (char)toupper((unsigned char)*at);
	}
}

static bool add_type(struct pprof *pprof, const struct protobuf_field *field, struct error *error)
{
	struct imported_profile *profile = pprof->profile;
	struct piece piece = {field->bytes, field->size};
	struct pprof_type type = {0};
	char title[sizeof profile->counters->title];
	const char *name = words_of(pprof, number_in(&piece, TYPE_TYPE));
	enum counter_units units = unit_of(words_of(pprof, number_in(&piece, TYPE_UNIT)), &type);
	make_title(title, sizeof title, name);
	type.counter = pprof->type_count < OVERFLOW_COUNTERS_MAX ? imported_counter(profile, title, units) : NO_ID;
	if (type.counter == NO_ID)
		return error_set(error, "it has more than %u types of samples", OVERFLOW_COUNTERS_MAX);
	pprof->types[pprof->type_count++] = type;
	return true;
}

static uint32_t add_line(struct pprof *pprof, uint32_t parent, const struct piece *line, uint32_t object)
{
	struct imported_profile *profile = pprof->profile;
	const struct piece *message = message_of(&pprof->functions, number_in(line, LINE_FUNCTION));
	uint64_t number = number_in(line, LINE_LINE);
	struct imported_function function = {.name = imported_text(profile, "[unknown]"), .object = object};
	if (message) {
		uint32_t name = text_of(pprof, number_in(message, FUNCTION_NAME));
		if (!name)
			name = text_of(pprof, number_in(message, FUNCTION_SYSTEM_NAME));
		if (name)
			function.name = name;
		function.source = text_of(pprof, number_in(message, FUNCTION_FILE));
		function.first_line = (uint32_t)number_in(message, FUNCTION_LINE);
	}
	uint32_t known = number <= UINT32_MAX ? (uint32_t)number : 0;
	return imported_stack(profile, &(struct imported_stack){parent, imported_function(profile, &function),
					       IMPORTED_AT_LINE(known), known});
}

/* A location without lines is a function of its address. */
static uint32_t add_address(struct pprof *pprof, uint32_t parent, uint64_t address, uint32_t object)
{
	struct imported_profile *profile = pprof->profile;
	char name[32];
	snprintf(name, sizeof name, "0x%" PRIx64, address);
	struct imported_function function = {.name = imported_text(profile, name), .object = object};
	return imported_stack(profile, &(struct imported_stack){parent, imported_function(profile, &function), 0, 0});
}

/* Adds the frames of a location to the stack of their caller: inlined functions come first there, and here last. */
static uint32_t add_location(struct pprof *pprof, uint32_t parent, uint64_t id)
{
	enum { INLINED_MAX = 1000 };
	const struct piece *location = message_of(&pprof->locations, id);
	if (!location)
		return add_address(pprof, parent, 0, 0);
	const struct piece *mapping = message_of(&pprof->mappings, number_in(location, LOCATION_MAPPING));
	uint32_t object = mapping ? text_of(pprof, number_in(mapping, MAPPING_FILE)) : 0;
	struct protobuf_reader reader = protobuf_read(location->bytes, location->size);
	struct protobuf_field field;
	struct piece lines[INLINED_MAX];
	unsigned count = 0;
	while (protobuf_next(&reader, &field))
		if (field.number == LOCATION_LINE && field.is_bytes && count < INLINED_MAX)
			lines[count++] = (struct piece){field.bytes, field.size};
	if (!count)
		return add_address(pprof, parent, number_in(location, LOCATION_ADDRESS), object);
	while (count)
		parent = add_line(pprof, parent, &lines[--count], object);
	return parent;
}

/* All numbers of a field in a message, one after another; the caller frees them. */
static uint64_t *numbers_of(const struct piece *message, uint32_t number, uint32_t *count)
{
	struct protobuf_reader reader = protobuf_read(message->bytes, message->size);
	struct protobuf_field field;
	uint64_t *numbers = 0, value;
	*count = 0;
	while (protobuf_next(&reader, &field))
		for (size_t at = 0; field.number == number && protobuf_next_number(&field, &at, &value);) {
			numbers = memory_room(numbers, *count, sizeof *numbers);
			numbers[(*count)++] = value;
		}
	return numbers;
}

static bool add_value(struct pprof *pprof, unsigned type, uint32_t stack, uint64_t value)
{
	struct imported_event event = {.stack = stack, .counter = pprof->types[type].counter, .thread = 1};
	return (int64_t)value >= 0 && !__builtin_mul_overflow(value, pprof->types[type].factor, &event.count) &&
	       imported_event(pprof->profile, &event);
}

static void add_sample(struct pprof *pprof, const struct protobuf_field *field, uint64_t number)
{
	struct piece sample = {field->bytes, field->size};
	uint32_t location_count, value_count, stack = 0;
	uint64_t *locations = numbers_of(&sample, SAMPLE_LOCATION, &location_count);
	uint64_t *values = numbers_of(&sample, SAMPLE_VALUE, &value_count);
	for (uint32_t i = location_count; i-- > 0;)
		stack = add_location(pprof, stack, locations[i]);
	for (uint32_t i = 0; i < value_count && i < pprof->type_count; i++)
		if (values[i] && !add_value(pprof, i, stack, values[i]))
			imported_ignore(pprof->profile, "sample %" PRIu64 " has the value %" PRId64, number,
				(int64_t)values[i]);
	pprof->profile->records++;
	free(locations);
	free(values);
}

static bool read_samples(struct pprof *pprof, const unsigned char *bytes, size_t size, struct error *error)
{
	struct protobuf_reader reader = protobuf_read(bytes, size);
	struct protobuf_field field;
	uint64_t number = 0;
	while (protobuf_next(&reader, &field))
		if (field.number == PROFILE_SAMPLE_TYPE && field.is_bytes && !add_type(pprof, &field, error))
			return false;
	reader = protobuf_read(bytes, size);
	while (protobuf_next(&reader, &field))
		if (field.number == PROFILE_SAMPLE && field.is_bytes)
			add_sample(pprof, &field, ++number);
	return true;
}

/* Whether a field of a profile has values of this type. */
static bool is_field(const struct protobuf_field *field)
{
	static const bool numbers[] = {
		[7] = true, [8] = true, [9] = true, [10] = true, [12] = true, [13] = true, [14] = true};
	static const bool messages[] = {[1] = true,
		[2] = true,
		[3] = true,
		[4] = true,
		[5] = true,
		[6] = true,
		[11] = true,
		[13] = true,
		[14] = false};
	const unsigned fields = sizeof numbers / sizeof *numbers;
	return field->number < fields && (field->is_bytes ? messages : numbers)[field->number];
}

bool pprof_begins(const unsigned char *bytes, size_t size)
{
	enum { SEEN = 64, FIELDS = 3 };
	struct protobuf_reader reader = protobuf_read(bytes, size);
	struct protobuf_field field;
	bool is_text = true;
	for (size_t i = 0; i < size && i < SEEN; i++)
		is_text &= bytes[i] >= ' ' || isspace(bytes[i]);
	/* Writers differ in the order of fields. */
	for (unsigned i = 0; !is_text && i < FIELDS && protobuf_next(&reader, &field); i++)
		if (!is_field(&field))
			return false;
	return !is_text && !reader.damaged;
}

bool pprof_read(struct imported_profile *profile, const unsigned char *bytes, size_t size, struct error *error)
{
	struct pprof pprof = {.profile = profile};
	profile->what = "pprof profile";
	profile->record = "sample";
	profile->samples = SAMPLES_UNKNOWN;
	read_tables(&pprof, bytes, size);
	bool read = !pprof.damaged ? read_samples(&pprof, bytes, size, error)
				   : error_set(error, "it begins as a profile of pprof and does not go on as one");
	free_messages(&pprof.strings);
	free_messages(&pprof.mappings);
	free_messages(&pprof.locations);
	free_messages(&pprof.functions);
	free(pprof.number_of);
	return read;
}
