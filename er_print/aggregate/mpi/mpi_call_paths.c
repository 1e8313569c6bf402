/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the first caller whose path is known downwards. */
#include "mpi_call_paths.h"
#include "storage.h"

#include <stdlib.h>

enum { TOP = 0 }; /* the path of roots */

void mpi_call_paths_begin(struct mpi_call_paths *paths, const struct data *data, struct resolver *resolver)
{
	*paths = (struct mpi_call_paths){.data = data, .resolver = resolver, .count = TOP + 1};
	paths->path = memory_new(data->stack_count, sizeof *paths->path);
	for (uint32_t s = 0; s < data->stack_count; s++)
		paths->path[s] = s && !(data->stacks[s].flags & STACK_ROOT) ? NO_NUMBER : TOP;
}

void mpi_call_paths_free(struct mpi_call_paths *paths)
{
	number_map_free(&paths->numbers);
	free(paths->path);
}

/* The path of a stack whose caller's is known. */
static uint32_t path_below(struct mpi_call_paths *paths, uint32_t stack)
{
	struct frame frames[FRAMES_MAX];
	uint32_t path = paths->path[paths->data->stacks[stack].parent];
	for (unsigned i = resolver_frames(paths->resolver, stack, frames); i-- > 0;) {
		uint32_t *number = number_map_place(&paths->numbers, number_pair(path, frames[i].function));
		path = *number == NO_NUMBER ? (*number = paths->count++) : *number;
	}
	return path;
}

static uint32_t path_of(void *context, uint32_t stack)
{
	struct mpi_call_paths *paths = context;
	uint32_t *above = 0, count = 0;
	for (uint32_t s = stack; paths->path[s] == NO_NUMBER; s = paths->data->stacks[s].parent) {
		above = memory_room(above, count, sizeof *above);
		above[count++] = s;
	}
	while (count-- > 0)
		paths->path[above[count]] = path_below(paths, above[count]);
	free(above);
	return paths->path[stack];
}

struct mpi_identity mpi_call_paths_identity(struct mpi_call_paths *paths)
{
	return (struct mpi_identity){paths, path_of};
}
