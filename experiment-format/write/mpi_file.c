/* SPDX-License-Identifier: Apache-2.0 */
/* The file "mpi": its description, made from the tables, and its content. */
#include "mpi_file.h"
#include "described_file.h"
#include "kinds.h"
#include "layout.h"
#include "text.h"
#include <errno.h>

static const struct column {
	const char *group, *name;
	enum field_unit unit;
	const char *text;
} columns[] = {
#define TOTAL(name, unit, text)    {"total ", #name, UNIT_##unit, text},
#define PROGRESS(name, unit, text) {"progress ", #name, UNIT_##unit, text},
#include "mpi_columns.def"
};

static void add_function(struct text *text, const struct mpi_named *function)
{
	text_string(text, "function ");
	text_string(text, function->name);
	text_append(text, " ", 1);
	text_string(text, function->class);
	text_append(text, "\n", 1);
}

static void add_column(struct text *text, const struct column *column)
{
	text_string(text, column->group);
	text_string(text, column->name);
	text_append(text, " ", 1);
	text_string(text, field_unit_name(column->unit));
	text_append(text, " ", 1);
	text_string(text, column->text);
	text_append(text, "\n", 1);
}

int mpi_file_create(struct mpi_file *file, struct experiment_directory *directory, const struct mpi_named *functions,
	unsigned count, char *buffer)
{
	struct text text = {.bytes = buffer, .capacity = MPI_DESCRIPTION_MAX};
	text_string(&text, "mpi mpi MPI functions: totals, and calls in progress\n");
	for (unsigned i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		add_column(&text, &columns[i]);
	for (unsigned i = 0; i < count; i++)
		add_function(&text, &functions[i]);
	if (text.cut)
		return ENAMETOOLONG;
	uint64_t totals = count * sizeof(*file->totals), slots = MPI_SLOTS * sizeof(*file->progress);
	int code = 0;
	char *mapped = described_file_map(directory, MPI_FILE, buffer, (uint32_t)text.size,
		(totals + slots + PAGE_UNIT - 1) / PAGE_UNIT * PAGE_UNIT, &code);
	*file = (struct mpi_file){0, 0};
	if (mapped)
		*file = (struct mpi_file){(void *)mapped, (void *)(mapped + totals)};
	return code;
}
