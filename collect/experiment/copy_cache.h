/* SPDX-License-Identifier: Apache-2.0 */
/* The user's own copies of load objects, which experiments on the same file system share by hard links: an archive of a large
   program costs its space once. It is in XDG_CACHE_HOME/er-tools/objects, else in HOME/.cache/er-tools/objects; what was not used
   for longest goes when it is larger than its limit. A copy is never a link to the original. */
#ifndef COPY_CACHE_H
#define COPY_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct copy_cache {
	int directory;  /* -1: there is none; then nothing below does anything */
	uint64_t limit; /* bytes */
	bool grown;
};

/* Makes it where it is missing. None: its limit is 0, no folder is known, or that is not this user's alone to write. */
void copy_cache_open(struct copy_cache *cache);
/* Takes out what is too much. */
void copy_cache_close(struct copy_cache *cache);

/* Makes DIRECTORY/NAME a link to the copy of that object. `name` says which object it is, up to a replacement of its file;
   `original` is its file's status. False: there is none, or it cannot be linked to there. */
bool copy_cache_link(const struct copy_cache *cache, const struct stat *original, int directory, const char *name);
/* Keeps DIRECTORY/NAME, a fresh copy, for later. */
void copy_cache_keep(struct copy_cache *cache, const struct stat *original, int directory, const char *name);

#endif
