/* SPDX-License-Identifier: Apache-2.0 */
/* The io kind: what is recorded of a call. */
#include "io.h"
#include "capture.h"
#include "collector.h"
#include "cpu.h"
#include "files.h"
#include "guard.h"
#include "kind.h"
#include "recording.h"
#include "system_calls.h"
#include "thread.h"
#include "threads.h"
#include "watched_wait.h"
#include <fcntl.h>

/* Declared by libc's headers for C++ alone. */
void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument);
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute);

bool io_tracing;
static bool recorded; /* else calls are only told to who watches waits */

/* kinds.def: the numbers of calls that failed. */
static uint64_t type_of(const struct io_call *call, int code)
{
	enum { FAILED = STATE_VALUE(IO, type, read_error) - STATE_VALUE(IO, type, read) };
	if (!code)
		return call->type;
	return call->type == STATE_VALUE(IO, type, wait) ? STATE_VALUE(IO, type, wait_error) : call->type + FAILED;
}

static void append(struct thread *thread, const struct io_call *call, const struct event_head *head,
	struct io_entry entry, uint64_t bytes, int code)
{
	uint64_t fields[] = {
		[FIELD_INDEX(IO, duration)] = head->time - call->request,
		[FIELD_INDEX(IO, type)] = type_of(call, code),
		[FIELD_INDEX(IO, call)] = call->function,
		[FIELD_INDEX(IO, descriptor)] = (uint64_t)(int64_t)call->descriptor,
		[FIELD_INDEX(IO, file)] = entry.file,
		[FIELD_INDEX(IO, opening)] = entry.opening,
		[FIELD_INDEX(IO, bytes)] = bytes,
		[FIELD_INDEX(IO, error)] = (unsigned)code,
	};
	if (!event_append(&thread->streams[KIND_IO], head, fields))
		count(TALLY_events_lost_disk, 1);
}

/* The file of a call that has ended. */
static struct io_entry entry_of(const struct io_call *call, int code)
{
	if (call->type == STATE_VALUE(IO, type, close))
		return call->entry;
	if (call->type == STATE_VALUE(IO, type, open))
		return code ? files_named(call->path) : files_opened(call->descriptor, call->path);
	return files_of(call->descriptor);
}

/* One event, or two of a call that moved bytes from one descriptor to another: what it read took no time of its own, so that
   the times of all events add up to that of the calls. */
static void append_all(struct thread *thread, const struct io_call *call, uint64_t end, uint64_t bytes, int code)
{
	struct captured captured = capture_call(thread, call->frame);
	const struct event_head head = {.time = end, .cpu = current_cpu(), .stack = captured.stack};
	if (call->source >= 0 && !code) {
		struct io_call source = *call;
		source.request = end;
		source.descriptor = call->source;
		source.type = STATE_VALUE(IO, type, read);
		append(thread, &source, &head, files_of(source.descriptor), bytes, 0);
	}
	append(thread, call, &head, entry_of(call, code), bytes, code);
}

/* Bytes that moved from one descriptor to another count twice, as in the events. */
static void add_to_sums(struct thread *thread, const struct io_call *call, uint64_t end, uint64_t bytes)
{
	thread->sums[SUM_IO_WAIT] += end - call->request;
	thread->sums[SUM_MOVED] += call->source >= 0 ? 2 * bytes : bytes;
}

static void record_io(const struct io_call *call, uint64_t bytes, int code)
{
	wait_ended(call->frame);
	struct descriptor_call concerned = call->concerned;
	if (descriptor_call_matters(&concerned))
		descriptor_call_end(&concerned, call->descriptor, io_has_failed(code), call->frame);
	if (!recorded)
		return;
	uint64_t end = time_raw();
	int saved = errno;
	struct thread *thread = thread_begin(); /* if nobody has seen it yet */
	if (thread)
		add_to_sums(thread, call, end, bytes);
	if (guard_enter()) {
		if (!recording_paused())
			append_all(thread, call, end, bytes, code);
		guard_leave();
	} else if (collector_recording()) {
		count(thread ? TALLY_events_lost_nested : TALLY_events_lost_ended, 1);
	}
	errno = saved;
}

/* The call was left by cancellation or by a jump. */
static void leave(void *call)
{
	record_io(call, 0, ECANCELED);
}

static enum descriptor_use use_of(const struct io_call *call)
{
	switch (call->type) {
	case STATE_VALUE(IO, type, read):
		return DESCRIPTOR_read;
	case STATE_VALUE(IO, type, write):
		return DESCRIPTOR_write;
	case STATE_VALUE(IO, type, close):
		return DESCRIPTOR_close;
	case STATE_VALUE(IO, type, wait):
		return DESCRIPTOR_wait;
	default:
		/* To accept a connection is to read from the socket that listens. */
		return call->function == STATE_VALUE(IO, call, accept) ? DESCRIPTOR_read : DESCRIPTOR_other;
	}
}

void io_begin(struct io_call *call)
{
	wait_begun(call->frame);
	const FILE *stream = call->concerned.stream;
	descriptor_call_begin(&call->concerned, use_of(call), stream ? ON_STREAM : ON_DESCRIPTOR, call->descriptor,
		stream, call->frame);
	/* A call that is a cancellation point may never return here, and it has waited all the same. */
	_pthread_cleanup_push(&call->cleanup, leave, call);
	call->request = time_raw();
}

void io_end(struct io_call *call, uint64_t bytes, int code)
{
	_pthread_cleanup_pop(&call->cleanup, 0);
	record_io(call, bytes, code);
}

/* The child of a vfork has descriptors of its own, in the memory of its parent. */
static void look_before_close(struct io_call *call)
{
	int saved = errno;
	if (recorded && guard_enter()) {
		call->entry = files_of(call->descriptor);
		guard_leave();
	}
	errno = saved;
	files_forget(call->descriptor);
}

void io_open_begin(struct io_call *call)
{
	io_begin(call);
}

void io_open_end(struct io_call *call, int descriptor, int code)
{
	_pthread_cleanup_pop(&call->cleanup, 0);
	call->descriptor = descriptor;
	files_forget(descriptor);
	descriptor_object_forget(descriptor);
	if (collector_is_recorded_process())
		record_io(call, 0, code);
}

void io_close_begin(struct io_call *call)
{
	look_before_close(call);
	io_begin(call);
}

void io_close_end(struct io_call *call, int code)
{
	_pthread_cleanup_pop(&call->cleanup, 0);
	files_forget(call->descriptor);
	if (collector_is_recorded_process())
		record_io(call, 0, code);
}

bool io_is_written(int descriptor)
{
	long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static bool wanted(void)
{
	return collector.settings.io != 0;
}

static void tell_waits(void)
{
	__atomic_store_n(&io_tracing, true, __ATOMIC_RELAXED);
}

static void start(void)
{
	files_start();
	recorded = true;
	__atomic_store_n(&io_tracing, true, __ATOMIC_RELAXED);
}

static void stop(void)
{
	__atomic_store_n(&io_tracing, false, __ATOMIC_RELAXED);
}

const struct kind_operations io_operations = {.wanted = wanted, .start = start, .stop = stop, .tell_waits = tell_waits};
