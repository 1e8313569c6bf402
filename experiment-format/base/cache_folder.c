/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the folder, and removes what is too much. */
#include "cache_folder.h"
#include "search.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that only this user can write to, made if it is missing. Takes `parent`, AT_FDCWD or a descriptor, over. */
static int enter(int parent, const char *name)
{
	struct stat status;
	mkdirat(parent, name, 0700);
	int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent != AT_FDCWD)
		close(parent);
	if (directory >= 0 && (fstat(directory, &status) != 0 || status.st_uid != geteuid() || status.st_mode & 022)) {
		close(directory);
		directory = -1;
	}
	return directory;
}

int cache_folder_open(const char *name)
{
	char path[PATH_MAX] = "";
	const char *home = getenv("HOME"), *base = getenv("XDG_CACHE_HOME");
	if (base && *base == '/')
		snprintf(path, sizeof path, "%s", base);
	else if (home && *home == '/')
		snprintf(path, sizeof path, "%s/.cache", home);
	if (!*path)
		return -1;
	int directory = enter(AT_FDCWD, path);
	if (directory >= 0)
		directory = enter(directory, "er-tools");
	return directory >= 0 ? enter(directory, name) : -1;
}

void cache_folder_used(int folder, const char *name)
{
	utimensat(folder, name, 0, AT_SYMLINK_NOFOLLOW);
}

struct kept {
	char *name;
	uint64_t size;
	struct timespec used; /* a link to it changes its status */
};

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;
	return COMPARE(x->tv_sec, y->tv_sec) ?: COMPARE(x->tv_nsec, y->tv_nsec);
}

/* All that is there; *count of them. The caller frees the names and the array. 0: none, or no memory. */
static struct kept *list(DIR *folder, size_t *count)
{
	struct kept *all = 0;
	size_t capacity = 0;
	*count = 0;
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct stat status;
		if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
			!S_ISREG(status.st_mode))
			continue;
		if (*count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			struct kept *more = realloc(all, capacity * sizeof *all);
			if (!more)
				break;
			all = more;
		}
		all[(*count)++] = (struct kept){strdup(entry->d_name), (uint64_t)status.st_size, status.st_ctim};
	}
	return all;
}

static void trim(DIR *folder, uint64_t limit)
{
	size_t count;
	uint64_t total = 0;
	struct kept *all = list(folder, &count);
	for (size_t i = 0; i < count; i++)
		total += all[i].size;
	if (all)
		qsort(all, count, sizeof *all, by_use);
	for (size_t i = 0; i < count; i++) {
		if (total > limit && all[i].name && unlinkat(dirfd(folder), all[i].name, 0) == 0)
			total -= all[i].size;
		free(all[i].name);
	}
	free(all);
}

void cache_folder_trim(int folder, uint64_t limit)
{
	int own = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	DIR *list_of = own >= 0 ? fdopendir(own) : 0;
	if (list_of) {
		rewinddir(list_of);
		trim(list_of, limit);
		closedir(list_of);
	} else if (own >= 0) {
		close(own);
	}
}
