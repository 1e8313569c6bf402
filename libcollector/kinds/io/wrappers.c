/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of io_calls.def. Untraced, each costs a test and a jump. */
/* The header is to give the names of the scanf family to the functions of these names, not to their __isoc99_ forms, and to
   define none of the functions itself. */
#include <features.h>
#undef __USE_EXTERN_INLINES
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1

#include "descriptors.h"
#include "held_call.h"
#include "io.h"
#include "masked_wait.h"
#include "polled.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static uint64_t io_messages(const struct mmsghdr *messages, int count)
{
	uint64_t bytes = 0;
	for (int i = 0; i < count; i++)
		bytes += messages[i].msg_len;
	return bytes;
}

/* A connect ends the wait of who accepts it. */
struct connecting {
	bool traced;
	struct io_call call; /* if it is, else: */
	struct descriptor_call called;
};

static inline __attribute__((always_inline)) void connect_begin(struct connecting *connecting, int descriptor,
	const struct sockaddr *address, socklen_t length, const void *frame)
{
	struct waking ended =
		waking_begin_shared(has_states(current_thread) ? descriptor_object_of_listener(address, length) : 0);
	connecting->traced = io_tracing;
	if (connecting->traced) {
		connecting->call = (struct io_call)IO_CALL_OF(other, connect, descriptor);
		connecting->call.frame = frame;
		io_begin(&connecting->call);
		connecting->call.concerned.blocking.waking = ended;
		return;
	}
	struct descriptor_call *called = &connecting->called;
	descriptor_call_begin(called, DESCRIPTOR_other, ON_DESCRIPTOR, descriptor, 0, frame);
	called->blocking.waking = ended;
	if (called->blocking.by_time)
		blocking_call_time(&called->blocking);
}

static inline __attribute__((always_inline)) void connect_end(
	struct connecting *connecting, int descriptor, int result, const void *frame)
{
	if (connecting->traced)
		io_end(&connecting->call, 0, io_code(result < 0));
	else if (descriptor_call_matters(&connecting->called))
		descriptor_call_end(&connecting->called, descriptor, io_has_failed(io_code(result < 0)), frame);
}

/* `use` is that of DESCRIPTOR_CALL(); the class is that of the event. */
#define WRAPPER_FOR(use, type, name, parameters, class, call, descriptor, bytes, failed, made)                         \
	type name parameters;                                                                                          \
	INTERPOSE type name parameters                                                                                 \
	{                                                                                                              \
		if (!io_tracing)                                                                                       \
			return DESCRIPTOR_CALL(type, use, ON_##descriptor, descriptor, STREAM_##descriptor,            \
				MAY_WAIT_##descriptor, failed, made);                                                  \
		return IO_TRACED(type, class, call, descriptor, bytes, failed, made);                                  \
	}
#define WRAPPER(type, name, parameters, class, call, descriptor, bytes, failed, made)                                  \
	WRAPPER_FOR(DESCRIPTOR_##class, type, name, parameters, class, call, descriptor, bytes, failed, made)

#define PLAIN(type, name, parameters, arguments, class, call, descriptor, bytes, failed)                               \
	WRAPPER(type, name, parameters, class, call, descriptor, bytes, failed, REAL(name) arguments)
#define SOCKET(type, name, parameters, arguments, class, call, descriptor, bytes, failed)                              \
	WRAPPER(type, name, parameters, class, call, descriptor, bytes, failed,                                        \
		SOCKET_CALL(type, name, arguments, false))
#define SENDING(type, name, parameters, arguments, class, call, descriptor, bytes, failed, whole)                      \
	WRAPPER(type, name, parameters, class, call, descriptor, bytes, failed,                                        \
		SOCKET_CALL(type, name, arguments, whole))
#define TRANSFER(name, parameters, arguments, call, from, to)                                                          \
	ssize_t name parameters;                                                                                       \
	INTERPOSE ssize_t name parameters                                                                              \
	{                                                                                                              \
		if (!io_tracing)                                                                                       \
			return DESCRIPTOR_CALL(ssize_t, DESCRIPTOR_write, ON_DESCRIPTOR, to, 0, true, result < 0,      \
				SOCKET_CALL(ssize_t, name, arguments, true));                                          \
		return IO_TRANSFERRED(call, from, to, SOCKET_CALL(ssize_t, name, arguments, true));                    \
	}
#define WAIT(type, name, parameters, arguments, call, descriptor, polled, waits)                                       \
	WRAPPER(type, name, parameters, wait, call, descriptor, 0, result < 0,                                         \
		POLLED_CALL(polled, waits, HELD_CALL(type, name, arguments, waits)))
#define MASKED(type, name, parameters, arguments, call, descriptor, polled, mask)                                      \
	WRAPPER(type, name, parameters, wait, call, descriptor, 0, result < 0,                                         \
		POLLED_CALL(polled, true, MASKED_CALL(type, REAL(name) arguments, mask)))
#define ACCEPT(type, name, parameters, arguments, call, descriptor)                                                    \
	WRAPPER_FOR(DESCRIPTOR_read, type, name, parameters, other, call, descriptor, 0, result < 0,                   \
		SOCKET_CALL(type, name, arguments, false))
#define CONNECT(type, name, parameters, arguments, call, descriptor, address, length)                                  \
	type name parameters;                                                                                          \
	INTERPOSE type name parameters                                                                                 \
	{                                                                                                              \
		struct connecting connecting;                                                                          \
		connect_begin(&connecting, descriptor, address.__sockaddr__, length, __builtin_frame_address(0));      \
		type result = SOCKET_CALL(type, name, arguments, false);                                               \
		connect_end(&connecting, descriptor, result, __builtin_frame_address(0));                              \
		return result;                                                                                         \
	}

#define ITEMS(name, parameters, arguments, class, call, failed)                                                        \
	size_t name parameters;                                                                                        \
	INTERPOSE size_t name parameters                                                                               \
	{                                                                                                              \
		size_t unit = size, units = count, total;                                                              \
		if (!io_tracing || !size || __builtin_mul_overflow(size, count, &total))                               \
			return DESCRIPTOR_CALL(size_t, DESCRIPTOR_##class, ON_STREAM, io_stream(stream), stream,       \
				stream_may_wait(stream), result == 0, REAL(name) arguments);                           \
		unit = 1;                                                                                              \
		units = total;                                                                                         \
		size_t moved = IO_TRACED(size_t, class, call, io_stream(stream), result, result < total && (failed),   \
			REAL(name) arguments);                                                                         \
		return moved == total ? count : moved / size;                                                          \
	}
#include "io_calls.def"

/* To a pipe, or out of one. */
INTERPOSE ssize_t vmsplice(int fd, const struct iovec *parts, size_t count, unsigned flags)
{
	if (!io_tracing)
		return DESCRIPTOR_CALL(ssize_t, DESCRIPTOR_write, ON_DESCRIPTOR, fd, 0, true, result < 0,
			SOCKET_CALL(ssize_t, vmsplice, (fd, parts, count, flags), true));
	if (io_is_written(fd))
		return IO_TRACED(ssize_t, write, vmsplice, fd, io_moved(result), result < 0,
			SOCKET_CALL(ssize_t, vmsplice, (fd, parts, count, flags), true));
	return IO_TRACED(ssize_t, read, vmsplice, fd, io_moved(result), result < 0,
		SOCKET_CALL(ssize_t, vmsplice, (fd, parts, count, flags), true));
}
