/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: an event for each call of the target that reads, writes, opens, closes or waits for a descriptor or a stream.
   io_calls.def has the functions, wrappers.c and formats.c stand in front of them. What libc calls inside itself does not
   pass there: a call of the program is one event. */
#ifndef IO_H
#define IO_H

#include "descriptor_call.h"
#include "kinds.h"
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether calls are traced now. */
extern bool io_tracing __attribute__((visibility("hidden")));

struct io_entry {
	uint32_t file, opening; /* kinds.def: IO, file and opening */
};

/* A call that is being made, in its wrapper's frame. */
struct io_call {
	struct _pthread_cleanup_buffer cleanup; /* first */
	const void *frame;                      /* of the wrapper */
	const char *path;                       /* of an open, or 0 */
	uint64_t request;
	int descriptor;
	int source; /* of a call that moves bytes to `descriptor` in the kernel: where it has read them; else -1 */
	uint8_t type, function; /* kinds.def: STATE(IO, type) while it has not failed, STATE(IO, call) */
	struct io_entry entry;  /* of a descriptor that is being closed */
	struct descriptor_call concerned;
};

/* Around the real call. The call is recorded, too, if it is left by cancellation or by longjmp, both of which run libc's list
   of cleanups. `code`: 0 or the errno value with which it failed. errno stays as it is. */
void io_begin(struct io_call *call);
void io_end(struct io_call *call, uint64_t bytes, int code);
/* As these, for a call that makes a descriptor, or closes one. */
void io_open_begin(struct io_call *call);
void io_open_end(struct io_call *call, int descriptor, int code);
void io_close_begin(struct io_call *call);
void io_close_end(struct io_call *call, int code);

/* Whether a descriptor is open for writing: the write end of a pipe. errno stays as it is. */
bool io_is_written(int descriptor);

enum { NO_DESCRIPTOR = -1 };

/* Whether a call may have to wait, by its column `descriptor` in io_calls.def. */
#define MAY_WAIT_io_stream(stream)  stream_may_wait(stream)
#define MAY_WAIT_io_flushed(stream) true
#define MAY_WAIT_dirfd(folder)      true
#define MAY_WAIT_fd                 true
#define MAY_WAIT_from               true
#define MAY_WAIT_descriptor         true
#define MAY_WAIT_NO_DESCRIPTOR      true

/* The descriptor behind a stream, -1 if it has none. errno stays as it is. */
static inline int io_stream(FILE *stream)
{
	int saved = errno, descriptor = fileno_unlocked(stream);
	errno = saved;
	return descriptor;
}
/* That of a flush; 0: of all streams. */
static inline int io_flushed(FILE *stream)
{
	return stream ? io_stream(stream) : NO_DESCRIPTOR;
}

static inline uint64_t io_moved(ssize_t result)
{
	return result > 0 ? (uint64_t)result : 0;
}

enum { IO_ERROR_UNNAMED = 4095 }; /* a call that failed without an errno: no errno value is as large */
static inline int io_code(bool failed)
{
	return !failed ? 0 : errno ? errno : IO_ERROR_UNNAMED;
}

/* Whether a call with that code has ended no wait: the peer sees a connect that goes on. */
static inline bool io_has_failed(int code)
{
	return code != 0 && code != EINPROGRESS;
}

#define IO_CALL_OF(class_, call_, descriptor_)                                                                         \
	{                                                                                                              \
		.frame = __builtin_frame_address(0), .descriptor = descriptor_, .source = -1,                          \
		.type = STATE_VALUE(IO, type, class_), .function = STATE_VALUE(IO, call, call_)                        \
	}
/* The result of `made`, a call, recorded; `bytes` and `failed` are expressions over `result`. In the wrapper's own function,
   whose frame the stack is taken from. */
#define IO_TRACED(type_, class_, call_, descriptor_, bytes_, failed_, made_)                                           \
	({                                                                                                             \
		struct io_call traced_ = IO_CALL_OF(class_, call_, descriptor_);                                       \
		traced_.concerned.stream = STREAM_##descriptor_;                                                       \
		io_begin(&traced_);                                                                                    \
		type_ result = made_;                                                                                  \
		io_end(&traced_, bytes_, io_code(failed_));                                                            \
		result;                                                                                                \
	})
/* As IO_TRACED, for a call that moves bytes from one descriptor to another. */
#define IO_TRANSFERRED(call_, from_, to_, made_)                                                                       \
	({                                                                                                             \
		struct io_call traced_ = IO_CALL_OF(write, call_, to_);                                                \
		traced_.source = from_;                                                                                \
		io_begin(&traced_);                                                                                    \
		ssize_t result = made_;                                                                                \
		io_end(&traced_, io_moved(result), io_code(result < 0));                                               \
		result;                                                                                                \
	})

#endif
