/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments inside a founder's directory: names made of lineage, "_f1_x2.er", those of MPI ranks with the rank in front,
   "M_r3_f1.er". */
#include "experiment.h"
#include "search.h"
#include "storage.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The size of one step "_f12" of a lineage, 0 if there is none. */
static size_t step_size(const char *name)
{
	if (name[0] != '_' || !isalpha((unsigned char)name[1]))
		return 0;
	size_t size = 2;
	while (isdigit((unsigned char)name[size]))
		size++;
	return size > 2 ? size : 0;
}

/* The name without the "M" of a rank, whose number is then the first step. */
static const char *steps_of(const char *name)
{
	return name[0] == 'M' && name[1] == '_' && name[2] == 'r' ? name + 1 : name;
}

static bool is_descendant(const char *name)
{
	size_t step, steps = 0;
	name = steps_of(name);
	while ((step = step_size(name))) {
		name += step;
		steps++;
	}
	return steps && !strcmp(name, ".er");
}

/* Step by step: a parent before its descendants, _f2 before _f10, and by letter where numbers are equal. */
static int by_lineage(const void *left, const void *right)
{
	const char *a = steps_of(*(char *const *)left), *b = steps_of(*(char *const *)right);
	for (;;) {
		size_t a_size = step_size(a), b_size = step_size(b);
		if (!a_size || !b_size)
			return COMPARE(a_size > 0, b_size > 0);
		unsigned long a_number = strtoul(a + 2, 0, 10), b_number = strtoul(b + 2, 0, 10);
		int order = COMPARE(a_number, b_number) ?: strncmp(a, b, a_size > b_size ? a_size : b_size);
		if (order)
			return order;
		a += a_size;
		b += b_size;
	}
}

char **experiment_descendants(const char *founder, size_t *count)
{
	char **names = memory_new(1, sizeof(*names));
	*count = 0;
	DIR *directory = opendir(founder);
	if (!directory)
		return names;
	for (struct dirent *entry; (entry = readdir(directory));) {
		struct stat status;
		if (!is_descendant(entry->d_name) ||
			fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
			!S_ISDIR(status.st_mode))
			continue;
		names = memory_room(names, *count, sizeof(*names));
		size_t size = strlen(entry->d_name);
		names[*count] = memcpy(memory_new(size + 1, 1), entry->d_name, size);
		++*count;
	}
	closedir(directory);
	qsort(names, *count, sizeof(*names), by_lineage);
	return names;
}
