/* SPDX-License-Identifier: Apache-2.0 */
/* The cache as a folder of files whose names say what they are copies of: its own bookkeeping. */
#include "copy_cache.h"
#include "search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_VARIABLE "ER_TOOLS_CACHE" /* megabytes */
#define LIMIT_DEFAULT  2048u

static uint64_t limit_asked_for(void)
{
	const char *text = getenv(LIMIT_VARIABLE);
	char *end;
	errno = 0;
	unsigned long long megabytes = text ? strtoull(text, &end, 10) : LIMIT_DEFAULT;
	if (text && (end == text || *end || *text == '-' || errno || megabytes > UINT64_MAX >> 20))
		megabytes = LIMIT_DEFAULT;
	return (uint64_t)megabytes << 20;
}

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

void copy_cache_open(struct copy_cache *cache)
{
	char path[PATH_MAX] = "";
	const char *home = getenv("HOME"), *base = getenv("XDG_CACHE_HOME");
	*cache = (struct copy_cache){.directory = -1, .limit = limit_asked_for()};
	if (base && *base == '/')
		snprintf(path, sizeof path, "%s", base);
	else if (home && *home == '/')
		snprintf(path, sizeof path, "%s/.cache", home);
	if (!*path || !cache->limit)
		return;
	int directory = enter(AT_FDCWD, path);
	if (directory >= 0)
		directory = enter(directory, "er-tools");
	if (directory >= 0)
		directory = enter(directory, "objects");
	cache->directory = directory;
}

/* The name of an object's copy: another file of that name has another size or was written at another time. False: too long. */
static bool key_of(char key[NAME_MAX + 1], const struct stat *original, const char *name)
{
	int size = snprintf(key, NAME_MAX + 1, "%" PRIx64 ".%" PRIx64 ".%lx.%s", (uint64_t)original->st_size,
		(uint64_t)original->st_mtim.tv_sec, (unsigned long)original->st_mtim.tv_nsec, name);
	return size > 0 && size <= NAME_MAX;
}

static bool is_good(const struct copy_cache *cache, const char *key, const struct stat *original)
{
	struct stat status;
	return fstatat(cache->directory, key, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
	       status.st_uid == geteuid() && status.st_size == original->st_size &&
	       (status.st_mode & 0777) == (0600 | (original->st_mode & 0044));
}

bool copy_cache_link(const struct copy_cache *cache, const struct stat *original, int directory, const char *name)
{
	char key[NAME_MAX + 1];
	return cache->directory >= 0 && key_of(key, original, name) && is_good(cache, key, original) &&
	       linkat(cache->directory, key, directory, name, 0) == 0;
}

void copy_cache_keep(struct copy_cache *cache, const struct stat *original, int directory, const char *name)
{
	char key[NAME_MAX + 1];
	if (cache->directory < 0 || !key_of(key, original, name))
		return;
	if (!is_good(cache, key, original))
		unlinkat(cache->directory, key, 0);
	cache->grown |= linkat(directory, name, cache->directory, key, 0) == 0;
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

void copy_cache_close(struct copy_cache *cache)
{
	DIR *folder = cache->directory >= 0 && cache->grown ? fdopendir(cache->directory) : 0;
	if (folder) {
		trim(folder, cache->limit);
		closedir(folder);
	} else if (cache->directory >= 0) {
		close(cache->directory);
	}
	cache->directory = -1;
}
