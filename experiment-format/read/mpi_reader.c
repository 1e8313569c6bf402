/* SPDX-License-Identifier: Apache-2.0 */
/* The file "mpi": functions and columns from its description, then the totals and the calls in progress. */
#include "input.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS_MAX = 64 };

/* Which of our columns each of the file's is; -1: one that we do not know. */
struct columns {
	unsigned count;
	int ours[COLUMNS_MAX];
};

struct mpi_content {
	struct columns totals, progress;
};

static const char *const total_names[] = {
#define TOTAL(name, unit, text) #name,
#define PROGRESS(name, unit, text)
#include "mpi_columns.def"
};
static const char *const progress_names[] = {
#define TOTAL(name, unit, text)
#define PROGRESS(name, unit, text) #name,
#include "mpi_columns.def"
};

static void add_column(struct columns *columns, const char *name, const char *const *names, unsigned count)
{
	if (columns->count == COLUMNS_MAX)
		return;
	int *ours = &columns->ours[columns->count++];
	/* Columns that a later version added are passed over, and those that it dropped stay 0. */
	*ours = -1;
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			*ours = (int)i;
}

static void add_function(struct experiment *experiment, const char *name, const char *class)
{
	struct arena *strings = experiment_strings(experiment);
	experiment->mpi_functions = memory_room(
		experiment->mpi_functions, experiment->mpi_function_count, sizeof(*experiment->mpi_functions));
	experiment->mpi_functions[experiment->mpi_function_count++] =
		(struct mpi_function_totals){.name = arena_string(strings, name, strlen(name)),
			.class = arena_string(strings, class, strlen(class))};
}

static void read_description(struct experiment *experiment, char *text, struct mpi_content *content)
{
	const char *words[4];
	while (description_line(&text, words, 4)) {
		if (!strcmp(words[0], "function"))
			add_function(experiment, words[1], words[2]);
		else if (!strcmp(words[0], "total"))
			add_column(&content->totals, words[1], total_names, MPI_TOTALS);
		else if (!strcmp(words[0], "progress"))
			add_column(&content->progress, words[1], progress_names, MPI_PROGRESS_COLUMNS);
	}
}

/* One row of the file, by our columns. False: the file ends before it. */
static bool read_row(int fd, uint64_t *offset, const struct columns *columns, uint64_t *values)
{
	uint64_t row[COLUMNS_MAX];
	size_t size = columns->count * sizeof(*row);
	if (!size || input_read(fd, row, size, *offset) < size)
		return false;
	*offset += size;
	for (unsigned i = 0; i < columns->count; i++)
		if (columns->ours[i] >= 0)
			values[columns->ours[i]] = row[i];
	return true;
}

static void read_content(struct experiment *experiment, int fd, uint64_t offset, const struct mpi_content *content)
{
	for (unsigned i = 0; i < experiment->mpi_function_count; i++)
		if (!read_row(fd, &offset, &content->totals, experiment->mpi_functions[i].total)) {
			damage_count(experiment, &experiment->damage.bytes_skipped, 1, "%s is cut", MPI_FILE);
			return;
		}
	struct mpi_open_call call = {{0}};
	while (read_row(fd, &offset, &content->progress, call.value)) {
		uint64_t function = call.value[MPI_PROGRESS_function];
		if (!function || function > experiment->mpi_function_count)
			continue;
		experiment->mpi_open_calls = memory_room(experiment->mpi_open_calls, experiment->mpi_open_call_count,
			sizeof(*experiment->mpi_open_calls));
		experiment->mpi_open_calls[experiment->mpi_open_call_count++] = call;
	}
}

void mpi_read(struct experiment *experiment)
{
	struct described_file file;
	struct mpi_content content = {.totals = {.count = 0}};
	struct error error;
	int fd = input_open(experiment->path, MPI_FILE);
	if (fd < 0)
		return;
	if (described_file_read(fd, false, &file, &error)) {
		read_description(experiment, file.text, &content);
		read_content(experiment, fd, file.header.header_size, &content);
	} else if (described_file_begun(fd)) {
		damage_count(experiment, &experiment->damage.blocks_bad, 1, "%s: %s", MPI_FILE, error.text);
	}
	free(file.text);
	close(fd);
}
