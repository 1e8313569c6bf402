/* SPDX-License-Identifier: Apache-2.0 */
/* The founder's folder "archives": copies of load objects and sources, so that the experiment can be read elsewhere and
   later. What cannot be copied is a warning in the log. */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include "copy_cache.h"
#include "experiment.h"
#include "experiment_directory.h"
#include "layout.h"
#include <stdbool.h>

struct archive {
	struct experiment_directory *founder;
	const char *collector;    /* path of libcollector.so, which no report needs */
	struct time_triple start; /* of the founder: warnings carry the time since */
	int directory;            /* descriptor of "archives" */
	struct copy_cache cache;
};

bool archive_open(struct archive *archive, struct experiment_directory *founder, const char *collector,
	const struct time_triple *start);
void archive_close(struct archive *archive);

/* A "cwarn" line in the founder's log. */
void archive_warn(struct archive *archive, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies every file that the experiment has had mapped as code, once each: what is there already stays. Copies are links to
   those of the cache where they can be. */
void archive_objects(struct archive *archive, const struct experiment *experiment);

/* Copies a regular file to archives/NAME unless that is there; by sharing its blocks where the file system can.
   0 or an errno value. */
int archive_copy(struct archive *archive, const char *path, const char *name);
/* As archive_copy(), to another directory; the name appears only when the copy is whole. */
int copy_file(const char *path, int directory, const char *name);

/* True if the file is still the one that was mapped ("size:mtime" of map.xml; unknown: true). */
bool file_unchanged(const char *path, const char *checksum);

#endif
