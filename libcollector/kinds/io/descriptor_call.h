/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a descriptor or a stream: what they wait for, and whose waits they end. Readers of a pipe, a socket or an eventfd
   wait for who writes to it, and writers for who makes room there. */
#ifndef DESCRIPTOR_CALL_H
#define DESCRIPTOR_CALL_H

#include "blocking_call.h"
#include "descriptor_objects.h"
#include <stdbool.h>
#include <stdio.h> /* for the types of the functions that we stand in front of; none of them is called by its name */

enum descriptor_use { DESCRIPTOR_read, DESCRIPTOR_write, DESCRIPTOR_close, DESCRIPTOR_other, DESCRIPTOR_wait };

/* A call that is being made, in its wrapper's frame. */
struct descriptor_call {
	struct blocking_call blocking;
	enum descriptor_use use;
	const FILE *stream; /* 0: the call is about a descriptor */
	ptrdiff_t pending;  /* bytes that the stream had still to write before the call */
};

/* Whether a call on the stream may have to wait: there is nothing left in its buffer to read, nor room to write. A stream of wide
   characters has other buffers, and may. */
static inline bool stream_may_wait(const FILE *stream)
{
	return !stream ||
	       (stream->_IO_read_ptr >= stream->_IO_read_end && stream->_IO_write_ptr >= stream->_IO_write_end);
}
static inline ptrdiff_t stream_pending(const FILE *stream)
{
	return stream->_IO_write_ptr - stream->_IO_write_base;
}

/* The descriptor of which an object is waited for, or given, in a call on the stream; -1: none. */
static inline int descriptor_of_stream(const struct descriptor_call *call)
{
	bool moves = call->use == DESCRIPTOR_read    ? stream_may_wait(call->stream)
		     : call->use == DESCRIPTOR_other ? call->pending > 0
						     : call->use != DESCRIPTOR_wait;
	return moves ? call->stream->_fileno : -1;
}

/* The call waits for the object or gives it to others. */
void descriptor_call_concerns(struct descriptor_call *call, uint64_t object);

/* `stream` is 0 for a call on a descriptor. */
static inline __attribute__((always_inline)) struct descriptor_call descriptor_call_begin(
	enum descriptor_use use, int descriptor, const FILE *stream, const void *frame)
{
	enum thread_state state = use == DESCRIPTOR_wait ? STATE_DESCRIPTORS : STATE_FILE;
	struct descriptor_call call = {.use = use, .stream = stream};
	call.blocking = blocking_call_begin(state, frame);
	if (use == DESCRIPTOR_wait || (use == DESCRIPTOR_other && !stream) || !has_states(current_thread))
		return call;
	if (stream) {
		call.pending = stream_pending(stream);
		descriptor = descriptor_of_stream(&call);
	}
	uint64_t object = descriptor_object(descriptor);
	if (object & OBJECT_SHARED)
		descriptor_call_concerns(&call, object);
	return call;
}

/* Whether the call may have ended the waits of others: of what was written to a stream, some has left it. */
bool descriptor_call_moved(const struct descriptor_call *call);

/* `descriptor` is that of descriptor_call_begin(). */
static inline __attribute__((always_inline)) void descriptor_call_end(
	struct descriptor_call *call, int descriptor, bool failed, const void *frame)
{
	struct blocking_call *blocking = &call->blocking;
	bool waited = blocking_call_waited(blocking);
	if (__builtin_expect(blocking->waking.time != 0, 0) && (failed || !descriptor_call_moved(call)))
		blocking->waking.time = 0;
	if (call->use == DESCRIPTOR_close)
		descriptor_object_forget(descriptor);
	blocking->descriptor = call->use == DESCRIPTOR_close ? -1 : descriptor;
	if (waited)
		blocking_call_take(blocking, frame);
	else
		waking_end(&blocking->waking, frame);
}

/* The stream of a call, by its column `descriptor` in io_calls.def; 0: it has none. */
#define STREAM_io_stream(stream)  (stream)
#define STREAM_io_flushed(stream) (stream)
#define STREAM_dirfd(folder)      0
#define STREAM_fd                 0
#define STREAM_NO_DESCRIPTOR      0

/* The result of MADE, a call of io_calls.def that is not traced; `failed_` is an expression over `result`, may_wait_ and
   descriptor_ as of BLOCKING_CALL_ON. */
#define DESCRIPTOR_CALL(type, use_, descriptor_, stream_, may_wait_, failed_, made)                                    \
	({                                                                                                             \
		struct descriptor_call called_ =                                                                       \
			descriptor_call_begin(use_, descriptor_, stream_, __builtin_frame_address(0));                 \
		if (called_.blocking.by_time && (may_wait_))                                                           \
			blocking_call_time(&called_.blocking);                                                         \
		type result = made;                                                                                    \
		descriptor_call_end(&called_, descriptor_, failed_, __builtin_frame_address(0));                       \
		result;                                                                                                \
	})

#endif
