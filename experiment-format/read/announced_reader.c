/* SPDX-License-Identifier: Apache-2.0 */
/* map.xml: which code the program announced, and which of it went. A fork child has what its parent had: the first lines of
   that one's file. */
#include "input.h"
#include "parts.h"
#include "search.h"
#include "xml_lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATIONS_OF_FORKS = 64 }; /* a chain of forks, each with code of the one before */

struct change {
	struct announced_function function; /* size 0: it is gone */
	size_t order;
};
struct reading {
	struct experiment *experiment;
	const char *directory; /* whose file is read, in the experiment's strings */
	struct change *changes;
	size_t count;
	uint64_t limit; /* lines that still count */
	bool begun;     /* this file has had one */
	unsigned depth;
};

static void read_file(struct reading *reading, const char *directory, uint64_t limit);

static char *text_of(struct reading *reading, const struct xml_element *element, const char *name)
{
	char *value = xml_attribute(element, name);
	char *kept =
		arena_string(experiment_strings(reading->experiment), value ? value : "", value ? strlen(value) : 0);
	free(value);
	return kept;
}

static bool has(const struct xml_element *element, const char *name)
{
	char *value = xml_attribute(element, name);
	free(value);
	return value != 0;
}

static void add_function(struct reading *reading, const struct announced_function *function)
{
	reading->changes = memory_room(reading->changes, reading->count, sizeof *reading->changes);
	reading->changes[reading->count] = (struct change){*function, reading->count};
	reading->count++;
}

static uint32_t generation_of(const struct xml_element *element)
{
	uint64_t generation = xml_number(element, "generation");
	return generation < UINT32_MAX ? (uint32_t)generation : UINT32_MAX - 1;
}

static void load(struct reading *reading, const struct xml_element *element)
{
	struct announced_function function = {
		.address = xml_number(element, "vaddr"),
		.size = xml_number(element, "size"),
		.from_generation = generation_of(element),
		.to_generation = UINT32_MAX,
		.name = text_of(reading, element, "name"),
		.alias = text_of(reading, element, "alias"),
		.source = text_of(reading, element, "source"),
		.owner = reading->directory,
		.code_offset = has(element, "code") ? xml_number(element, "code") : UINT64_MAX,
		.lines_offset = xml_number(element, "lines"),
		.lines_size = has(element, "lines") ? xml_number(element, "linesize") : 0,
	};
	uint64_t end;
	if (function.size && !__builtin_add_overflow(function.address, function.size, &end))
		add_function(reading, &function);
	else
		damage_count(reading->experiment, &reading->experiment->damage.log_lines_bad, 1,
			"%s: a function without a size", MAP_XML_FILE);
}

static bool is_descendant(const struct experiment *experiment)
{
	return experiment->name[0] == '_';
}

/* Whether it is a lineage: letters, digits and _, so that it names nothing outside the founder. */
static bool is_lineage(const char *text)
{
	return text[strspn(text, "_0123456789abcdefghijklmnopqrstuvwxyz")] == 0;
}

static void inherit(struct reading *reading, const struct xml_element *element)
{
	char *lineage = xml_attribute(element, "lineage"), *directory = 0;
	const char *own = reading->experiment->path, *slash = strrchr(own, '/');
	int length = slash ? (int)(slash - own) : 1;
	const char *founder = slash ? own : ".";
	if (lineage && is_descendant(reading->experiment) && is_lineage(lineage) &&
		reading->depth < GENERATIONS_OF_FORKS &&
		(*lineage ? asprintf(&directory, "%.*s/%s.er", length, founder, lineage)
			  : asprintf(&directory, "%.*s", length, founder)) >= 0) {
		read_file(reading, directory, xml_number(element, "count"));
		free(directory);
	}
	free(lineage);
}

static void visit_element(void *context, const struct xml_element *element)
{
	struct reading *reading = context;
	char *kind = xml_attribute(element, "kind");
	bool is_load = kind && !strcmp(kind, "func_load"), is_unload = kind && !strcmp(kind, "func_unload"),
	     is_inherit = kind && !strcmp(kind, "func_inherit");
	free(kind);
	/* The lines that came after the fork are the parent's alone. */
	if (!(is_load || is_unload || is_inherit) || !reading->limit)
		return;
	reading->limit--;
	bool first = !reading->begun;
	reading->begun = true;
	if (is_load)
		load(reading, element);
	else if (is_inherit && first)
		inherit(reading, element);
	else if (is_unload)
		add_function(reading, &(struct announced_function){.address = xml_number(element, "vaddr"),
					      .from_generation = generation_of(element)});
}

static void pass_over(void *context)
{
	(void)context; /* map_read counts it */
}

static void read_file(struct reading *reading, const char *directory, uint64_t limit)
{
	struct xml_lines lines = {.element = visit_element, .bad_line = pass_over, .context = reading};
	size_t size;
	char *text = input_whole(directory, MAP_XML_FILE, &size);
	/* Most programs announce no code, and their map.xml may be long: the XML is parsed only where there is a reason. */
	if (text && memmem(text, size, "\"func_", 6)) {
		struct reading before = *reading;
		reading->directory =
			arena_string(experiment_strings(reading->experiment), directory, strlen(directory));
		reading->limit = limit;
		reading->begun = false;
		reading->depth++;
		xml_lines_visit(&lines, text, size);
		reading->directory = before.directory;
		reading->limit = before.limit;
		reading->begun = before.begun;
		reading->depth = before.depth;
	}
	free(text);
}

static int by_address(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	return COMPARE(x->function.address, y->function.address) ?: COMPARE(x->order, y->order);
}

void announced_read(struct experiment *experiment)
{
	struct reading reading = {.experiment = experiment};
	read_file(&reading, experiment->path, UINT64_MAX);
	if (reading.count)
		qsort(reading.changes, reading.count, sizeof *reading.changes, by_address);
	for (size_t i = 0; i < reading.count; i++) {
		const struct announced_function *function = &reading.changes[i].function;
		struct announced_function *last =
			experiment->function_count ? &experiment->functions[experiment->function_count - 1] : 0;
		/* Code that is announced where other code was ends that one, as does its own end; run-times often forget to say
		   so. */
		if (last && last->address == function->address && last->to_generation == UINT32_MAX)
			last->to_generation = function->from_generation;
		if (!function->size)
			continue;
		experiment->functions =
			memory_room(experiment->functions, experiment->function_count, sizeof *experiment->functions);
		experiment->functions[experiment->function_count++] = *function;
	}
	free(reading.changes);
}
