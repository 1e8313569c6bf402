/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames that were found at addresses of a load object, kept from one run of er_print to the next: reading the names and
   lines of a large program takes seconds, these milliseconds. They are in the cache folder "names", a file for each build, for that
   build of er_print alone. They are of one file, not of whatever has its build id. Objects without a build id, small ones and those
   whose debug information is incomplete are not kept. */
#ifndef KEPT_NAMES_H
#define KEPT_NAMES_H

#include "code_object.h"

/* Objects whose file, or debug file, is smaller are read as fast as this. */
#define KEPT_NAMES_LEAST (1u << 20)

/* Reads what is kept of an object whose files were found. 0: its names are not kept. */
struct kept_names *kept_names_open(const struct code_object *object);
/* Frees it. If there is more than was read, and the object's names are good to keep, it is written; `limit` is that of the
   folder; 0: nothing is written or removed. */
void kept_names_close(
	struct kept_names *kept, const struct code_object *object, const struct functions *functions, uint64_t limit);

/* As code_object_frames(), without reading the object. 0: they are not known. */
unsigned kept_names_frames(const struct kept_names *kept, uint32_t object, struct functions *functions, uint64_t offset,
	struct frame frames[FRAMES_MAX]);
/* Keeps the frames that code_object_frames() found at an offset that was not known. */
void kept_names_add(struct kept_names *kept, uint64_t offset, const struct frame *frames, unsigned count);

/* The code of the symbol that owns an offset, [*start, *end). False: it is not known. */
bool kept_names_code(const struct kept_names *kept, uint64_t offset, uint64_t *start, uint64_t *end);
/* Keeps it, for all offsets that the symbol owns around this one. */
void kept_names_add_code(struct kept_names *kept, const struct symbols *symbols, uint64_t offset);

#endif
