/* SPDX-License-Identifier: Apache-2.0 */
/* Appending events to an experiment. One struct event_file per kind and process, in static memory; one
   struct event_stream per thread and kind, in the thread's state. Blocks are handed to streams and reused
   when a stream is released (thread exit). Everything here is async-signal-safe and keeps no descriptor open.
 */
#ifndef EVENT_STREAM_H
#define EVENT_STREAM_H

#include "kinds.h"
#include "layout.h"
#include <stdbool.h>
#include <stdint.h>

struct event_file; /* see event_file.h */

struct event_head {
	uint64_t time; /* raw */
	uint32_t cpu;
	uint32_t stack; /* stack node id; 0: none */
};

struct event_stream {
	struct event_file *file;
	struct block_header *block; /* 0: none yet */
	struct block_header
		*mapped; /* the first of the blocks that lie before it, sealed and still mapped, or itself */
	unsigned char *next, *limit;
	uint32_t following;   /* empty blocks of the same size that lie after it */
	uint32_t block_size;  /* of the next fresh blocks: grows with what the thread has written */
	uint32_t block_count; /* of blocks to take at once: grows after the size */
	uint64_t last_time, last_address;
	uint32_t last_cpu, last_stack;
	uint32_t thread;
};

/* Makes a stream of `thread` (its number in this process, from 1); takes no block before the first event. */
void event_stream_init(struct event_stream *stream, struct event_file *file, uint32_t thread);

/* Appends one event with the kind's field_count fields. The event is committed (survives SIGKILL) on return.
   Not reentrant for the same stream: the caller keeps its own handler out. False: no space (full disk, size
   limit, no memory); the event is lost, the caller counts it. */
bool event_append(struct event_stream *stream, const struct event_head *head, const uint64_t *fields);

/* Takes the block that the next event needs, if it needs one: then event_append() makes no system call. */
void event_stream_prepare(struct event_stream *stream);

/* Hands the rest of the stream's block to whoever needs one next. */
void event_stream_release(struct event_stream *stream);

#endif
