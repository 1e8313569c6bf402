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

/* A call is about a descriptor, a stream, or a stream that may be 0: the constant tells the compiler. */
enum descriptor_subject { ON_DESCRIPTOR, ON_STREAM, ON_ANY_STREAM };

/* A call that is being made, in its wrapper's frame. */
struct descriptor_call {
	struct blocking_call blocking;
	enum descriptor_use use;
	const FILE *stream; /* 0: the call is about a descriptor */
	ptrdiff_t pending;  /* bytes that the stream had still to write before a call that gives an object */
	bool waited;
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

/* The descriptor of which an object may be waited for, or given, in a call on the stream; -1: none. */
static inline __attribute__((always_inline)) int descriptor_of_stream(enum descriptor_use use, const FILE *stream)
{
	bool moves = use == DESCRIPTOR_read    ? stream_may_wait(stream)
		     : use == DESCRIPTOR_other ? stream_pending(stream) > 0
					       : use != DESCRIPTOR_wait;
	return moves ? stream->_fileno : -1;
}

/* The call waits for the object or gives it to others. */
void descriptor_call_concerns(struct descriptor_call *call, uint64_t object);

/* `on` says which of `descriptor` and `stream` matters; the other is -1 or 0. */
static inline __attribute__((always_inline)) void descriptor_call_begin(struct descriptor_call *call,
	enum descriptor_use use, enum descriptor_subject on, int descriptor, const FILE *stream, const void *frame)
{
	blocking_call_begin(&call->blocking, use == DESCRIPTOR_wait ? STATE_DESCRIPTORS : STATE_FILE, frame);
	call->use = use;
	call->stream = stream;
	if (use == DESCRIPTOR_wait || (use == DESCRIPTOR_other && on == ON_DESCRIPTOR) || !has_states(current_thread))
		return;
	if (on == ON_STREAM || (on == ON_ANY_STREAM && stream))
		descriptor = descriptor_of_stream(use, stream);
	/* Many files are read and closed, few are written: what was opened for reading is known by its first wait. Programs that
	   close all that they may have open close what is not open, too. */
	enum { CLOSED_MOST = 1024 };
	bool looked_up = use == DESCRIPTOR_read || (use == DESCRIPTOR_close && descriptor < CLOSED_MOST);
	uint64_t least = use == DESCRIPTOR_write ? OBJECT_NONE : looked_up ? OBJECT_OPENED : OBJECT_UNKNOWN;
	uint64_t object = descriptor_object(descriptor, least);
	if (__builtin_expect(object & OBJECT_SHARED, 0))
		descriptor_call_concerns(call, object);
}

/* Whether there is something to do at the call's end. */
static inline __attribute__((always_inline)) bool descriptor_call_matters(struct descriptor_call *call)
{
	call->waited = blocking_call_waited(&call->blocking);
	return __builtin_expect(call->waited || call->blocking.waking.time, 0) || call->use == DESCRIPTOR_close;
}
/* Follows then. `descriptor` is the call's, or the stream's. */
void descriptor_call_end(struct descriptor_call *call, int descriptor, bool failed, const void *frame);

/* The stream of a call, by its column `descriptor` in io_calls.def; 0: it has none. */
#define STREAM_io_stream(stream)  (stream)
#define STREAM_io_flushed(stream) (stream)
#define STREAM_dirfd(folder)      0
#define STREAM_fd                 0
#define STREAM_NO_DESCRIPTOR      0
#define ON_io_stream(stream)      ON_STREAM
#define ON_io_flushed(stream)     ON_ANY_STREAM
#define ON_dirfd(folder)          ON_DESCRIPTOR
#define ON_fd                     ON_DESCRIPTOR
#define ON_NO_DESCRIPTOR          ON_DESCRIPTOR

/* The result of MADE, a call of io_calls.def that is not traced. `failed_` is an expression over `result`; may_wait_ is one that
   is looked at where calls are timed. */
#define DESCRIPTOR_CALL(type, use_, on_, descriptor_, stream_, may_wait_, failed_, made)                               \
	({                                                                                                             \
		struct descriptor_call called_;                                                                        \
		descriptor_call_begin(&called_, use_, on_, (on_) == ON_DESCRIPTOR ? (descriptor_) : -1, stream_,       \
			__builtin_frame_address(0));                                                                   \
		if (called_.blocking.by_time && (may_wait_))                                                           \
			blocking_call_time(&called_.blocking);                                                         \
		type result = made;                                                                                    \
		if (descriptor_call_matters(&called_))                                                                 \
			descriptor_call_end(&called_, descriptor_, failed_, __builtin_frame_address(0));               \
		result;                                                                                                \
	})
/* As that, of a call that opens by a path; opened_, an expression over `result`, is the descriptor. */
#define OPENING_CALL(type, opened_, made)                                                                              \
	({                                                                                                             \
		struct blocking_call opening_;                                                                         \
		blocking_call_begin(&opening_, STATE_FILE, __builtin_frame_address(0));                                \
		if (opening_.by_time)                                                                                  \
			blocking_call_time(&opening_);                                                                 \
		type result = made;                                                                                    \
		bool waited_ = blocking_call_waited(&opening_);                                                        \
		if (waited_)                                                                                           \
			blocking_call_take(&opening_, __builtin_frame_address(0));                                     \
		if (has_states(current_thread))                                                                        \
			descriptor_object_opened(opened_, waited_);                                                    \
		result;                                                                                                \
	})

#endif
