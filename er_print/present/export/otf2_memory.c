/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The OTF2 library's memory: without these callbacks it keeps all events of a location until its writer is closed. With them, it
   flushes when it gets no more chunks, and frees those that it had. */
#include "otf2_export.h"
#include "storage.h"

#include <stdlib.h>

enum { EVENT_CHUNKS = 1 };

/* One writer's. */
struct chunks {
	void **all;
	unsigned count, capacity;
};

static void *allocate(void *context, OTF2_FileType type, OTF2_LocationRef location, void **own, uint64_t size)
{
	struct chunks *chunks = *own;
	(void)context, (void)location;
	if (!chunks)
		chunks = *own = memory_new(1, sizeof *chunks);
	if (type == OTF2_FILETYPE_EVENTS && chunks->count == EVENT_CHUNKS)
		return 0;
	memory_reserve(chunks->all, chunks->count, chunks->capacity);
	return chunks->all[chunks->count++] = memory_new(size, 1);
}

static void free_all(void *context, OTF2_FileType type, OTF2_LocationRef location, void **own, bool final)
{
	struct chunks *chunks = *own;
	(void)context, (void)type, (void)location;
	while (chunks && chunks->count)
		free(chunks->all[--chunks->count]);
	if (!chunks || !final)
		return;
	free(chunks->all);
	free(chunks);
	*own = 0;
}

const OTF2_MemoryCallbacks otf2_memory = {allocate, free_all};
