/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files, sockets and pipes that the I/O events of a process are about, by name: what its log tells of them. */
#ifndef IO_FILES_H
#define IO_FILES_H

#include "experiment.h"
#include "strings.h"

struct io_files {
	uint32_t *name; /* by the number that events carry: place in the strings plus 1; 0: not known */
	uint32_t count;
};

/* Reads the log of an experiment; the names are kept in `strings`. */
void io_files_read(struct io_files *files, const struct experiment *file, struct strings *strings);
void io_files_free(struct io_files *files);

static inline uint32_t io_files_name(const struct io_files *files, uint64_t number)
{
	return number < files->count ? files->name[number] : 0;
}

#endif
