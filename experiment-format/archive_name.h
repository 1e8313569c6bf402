/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the copies in a founder's folder "archives": FOUNDER/archives/NAME. `collect` writes them when the target
   has ended; a reader of a load object or source computes the same name from what map.xml or the debug information
   says and looks there. One copy serves the founder and all its descendants. No malloc, no stdio. */
#ifndef ARCHIVE_NAME_H
#define ARCHIVE_NAME_H

#include "layout.h"

#define ARCHIVE_NAME_MAX 256

/* A load object: BASENAME_BUILDID, or without a build id BASENAME_HASH of its path and its checksum in map.xml
   ("size:mtime"). `build_id` (hex) and `checksum` may be "" or 0. The result is one path component: never "..", never
   with a slash. */
void archive_object_name(char name[ARCHIVE_NAME_MAX], const char *path, const char *build_id, const char *checksum);

/* A source file: BASENAME_HASH of its absolute path as the debug information gives it, simplified by
   archive_simplify_path(). */
void archive_source_name(char name[ARCHIVE_NAME_MAX], const char *path);

/* Takes "//", "/./" and "/x/../" out of a path in place, by its text alone. */
void archive_simplify_path(char *path);

#endif
