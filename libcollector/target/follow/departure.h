/* SPDX-License-Identifier: Apache-2.0 */
/* The work around the exec or spawn of another image, so that it finds its experiment. */
#ifndef DEPARTURE_H
#define DEPARTURE_H

#include "image.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct departure {
	char *const *environment; /* what the kernel is to get */
	void *memory;             /* of the environment, if it is of our making */
	size_t size;
	uint64_t number;    /* of the exec or spawn among this process's; 0: not followed */
	const char *reason; /* why a spawned image is not followed; 0: it is, or nothing is recorded */
	bool replaces;      /* this process's recording ends with it */
	bool masked;
};

/* Before the image takes this process over: recording is stopped as if for ever, and what is left is written. In the child
   of a vfork, only the environment is made. errno is left alone, here and below. */
void departure_exec(struct departure *departure, enum image image, const char *path, char *const *environment);
/* The exec failed: recording goes on. Returns -1. */
int departure_failed(struct departure *departure, const char *path);

/* Before the image is spawned as a child of this process, and after that. `how` is the name of the call, `pid` the child; 0:
   not known. */
void departure_spawn(struct departure *departure, enum image image, char *const *environment);
void departure_spawned(struct departure *departure, const char *how, const char *path, int error, pid_t pid);

#endif
