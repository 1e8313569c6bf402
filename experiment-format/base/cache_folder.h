/* SPDX-License-Identifier: Apache-2.0 */
/* Folders below XDG_CACHE_HOME/er-tools, else HOME/.cache/er-tools, in which the tools keep what they can make again. */
#ifndef CACHE_FOLDER_H
#define CACHE_FOLDER_H

#include <stdint.h>

/* A descriptor of the folder of that name, which is made if it is missing; the caller closes it. -1: no place is known for it, or
   others than this user may write it. */
int cache_folder_open(const char *name);

/* Removes the files that were not used for longest until the rest is not larger than the limit, in bytes. Use is what changes a
   file's status: a hard link, or cache_folder_used(). */
void cache_folder_trim(int folder, uint64_t limit);
/* Says that a file was used. */
void cache_folder_used(int folder, const char *name);

#endif
