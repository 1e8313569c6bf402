/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of map.xml about code that the program announced. */
#include "log.h"

static void begin_line(struct log_line *line, const char *kind)
{
	log_begin(line, "event");
	log_text_attribute(line, "kind", kind);
}

int log_write_function(
	struct log_line *line, struct experiment_directory *directory, const struct map_function *function)
{
	begin_line(line, "func_load");
	log_time_attribute(line, "tstamp", function->time);
	log_hex_attribute(line, "vaddr", function->address);
	log_hex_attribute(line, "size", function->size);
	log_number_attribute(line, "generation", function->generation);
	if (function->code_offset != UINT64_MAX)
		log_number_attribute(line, "code", function->code_offset);
	if (function->lines_offset != UINT64_MAX) {
		log_number_attribute(line, "lines", function->lines_offset);
		log_number_attribute(line, "linesize", function->lines_size);
	}
	log_text_attribute(line, "name", function->name);
	if (function->source)
		log_text_attribute(line, "source", function->source);
	if (function->alias)
		log_text_attribute(line, "alias", function->alias);
	return log_end(line, 0, directory, MAP_XML_FILE);
}

int log_write_function_gone(struct log_line *line, struct experiment_directory *directory, uint64_t address,
	uint32_t generation, uint64_t time)
{
	begin_line(line, "func_unload");
	log_time_attribute(line, "tstamp", time);
	log_hex_attribute(line, "vaddr", address);
	log_number_attribute(line, "generation", generation);
	return log_end(line, 0, directory, MAP_XML_FILE);
}

int log_write_functions_inherited(
	struct log_line *line, struct experiment_directory *directory, const char *lineage, uint64_t count)
{
	begin_line(line, "func_inherit");
	log_text_attribute(line, "lineage", lineage);
	log_number_attribute(line, "count", count);
	return log_end(line, 0, directory, MAP_XML_FILE);
}
