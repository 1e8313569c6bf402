/* SPDX-License-Identifier: Apache-2.0 */
/* The cache as a folder of files whose names say what they are copies of: its own bookkeeping. */
#include "copy_cache.h"
#include "cache_folder.h"

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

void copy_cache_open(struct copy_cache *cache)
{
	*cache = (struct copy_cache){.directory = -1, .limit = limit_asked_for()};
	if (cache->limit)
		cache->directory = cache_folder_open("objects");
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

void copy_cache_close(struct copy_cache *cache)
{
	if (cache->directory < 0)
		return;
	if (cache->grown)
		cache_folder_trim(cache->directory, cache->limit);
	close(cache->directory);
	cache->directory = -1;
}
