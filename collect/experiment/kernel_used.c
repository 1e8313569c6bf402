/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment needs the kernel's functions that its stacks have, out of a hundred thousand. */
#include "kernel_names.h"
#include "layout.h"
#include "search.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_address(struct kernel_addresses *addresses, uint64_t address)
{
	if (addresses->count == addresses->capacity) {
		addresses->capacity = addresses->capacity ? 2 * addresses->capacity : 1024;
		addresses->array = realloc(addresses->array, addresses->capacity * sizeof *addresses->array);
		if (!addresses->array)
			abort();
	}
	addresses->array[addresses->count++] = address;
}

/* A return address may be the first byte after its function. */
void kernel_addresses_add(struct kernel_addresses *addresses, const struct experiment *experiment)
{
	for (uint32_t id = 1; id < experiment->stacks.count; id++) {
		const struct stack_node *node = experiment_stack_node(experiment, id);
		if (node && node->flags & NODE_KERNEL)
			add_address(addresses, node->flags & NODE_EXACT ? node->pc : node->pc - 1);
	}
}

void kernel_addresses_free(struct kernel_addresses *addresses)
{
	free(addresses->array);
	*addresses = (struct kernel_addresses){0};
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return COMPARE(*x, *y);
}

/* The map ascends: lines "START SIZE NAME". False: something could not be read or written. */
static bool copy_used(FILE *from, FILE *to, const struct kernel_addresses *addresses)
{
	char *line = 0;
	size_t size = 0, next = 0;
	while (getline(&line, &size, from) > 0 && next < addresses->count) {
		char *end;
		uint64_t start = strtoull(line, &end, 16), after = start + strtoull(end, 0, 16);
		while (next < addresses->count && addresses->array[next] < start)
			next++;
		if (next < addresses->count && addresses->array[next] < after)
			fputs(line, to);
	}
	free(line);
	return !ferror(from) && fflush(to) == 0 && !ferror(to);
}

void kernel_names_keep(const char *founder, struct kernel_addresses *addresses)
{
	char path[PATH_MAX + 32], kept[PATH_MAX + 32];
	snprintf(path, sizeof path, "%s/%s", founder, KERNEL_MAP_FILE);
	snprintf(kept, sizeof kept, "%s/%s.used", founder, KERNEL_MAP_FILE);
	FILE *from = fopen(path, "re");
	if (!from)
		return;
	FILE *to = fopen(kept, "wxe");
	if (addresses->count)
		qsort(addresses->array, addresses->count, sizeof *addresses->array, ascending);
	bool copied = to && copy_used(from, to, addresses);
	fclose(from);
	if (to)
		fclose(to);
	if (to && (!copied || rename(kept, path) != 0))
		unlink(kept);
}
