/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of what opens and closes: descriptors come and go here. */
#include "descriptors.h"
#include "interpose.h"
#include "io.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#define OPEN(type, name, parameters, arguments, call, path_, replaced, made)                                           \
	type name parameters;                                                                                          \
	INTERPOSE type name parameters                                                                                 \
	{                                                                                                              \
		if (!io_tracing)                                                                                       \
			return OPENING_CALL(type, made, REAL(name) arguments);                                         \
		struct io_call traced = IO_CALL_OF(open, call, replaced);                                              \
		traced.path = path_;                                                                                   \
		io_open_begin(&traced);                                                                                \
		type result = REAL(name) arguments;                                                                    \
		int descriptor = made;                                                                                 \
		io_open_end(&traced, descriptor, io_code(descriptor < 0));                                             \
		return result;                                                                                         \
	}

#define OPEN_MODE(name, parameters, last, mode, arguments, call, path_)                                                \
	INTERPOSE int name parameters                                                                                  \
	{                                                                                                              \
		va_list list;                                                                                          \
		va_start(list, last);                                                                                  \
		mode_t mode = __OPEN_NEEDS_MODE(last) ? va_arg(list, mode_t) : 0;                                      \
		va_end(list);                                                                                          \
		if (!io_tracing)                                                                                       \
			return OPENING_CALL(int, result, REAL(name) arguments);                                        \
		struct io_call traced = IO_CALL_OF(open, call, -1);                                                    \
		traced.path = path_;                                                                                   \
		io_open_begin(&traced);                                                                                \
		int result = REAL(name) arguments;                                                                     \
		io_open_end(&traced, result, io_code(result < 0));                                                     \
		return result;                                                                                         \
	}

/* In the wrapper's frame: a stream to a process is closed when that has ended. */
static inline __attribute__((always_inline)) int close_process(FILE *stream)
{
	return BLOCKING_CALL(int, STATE_CHILD, REAL(pclose)(stream));
}

#define CLOSE(type, name, parameters, call, descriptor, failed, made)                                                  \
	type name parameters;                                                                                          \
	INTERPOSE type name parameters                                                                                 \
	{                                                                                                              \
		int closed = descriptor;                                                                               \
		if (!io_tracing)                                                                                       \
			return DESCRIPTOR_CALL(type, DESCRIPTOR_close, ON_DESCRIPTOR, closed, STREAM_##descriptor,     \
				true, failed, made);                                                                   \
		struct io_call traced = IO_CALL_OF(close, call, closed);                                               \
		io_close_begin(&traced);                                                                               \
		type result = made;                                                                                    \
		io_close_end(&traced, io_code(failed));                                                                \
		return result;                                                                                         \
	}

int __open(const char *path, int flags, ...);
int __open64(const char *path, int flags, ...);
#include "io_calls.def"
