/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for objects behind descriptors, and their ends: see descriptor_call.h. */
#include "descriptor_call.h"

void descriptor_call_concerns(struct descriptor_call *call, uint64_t object)
{
	uint64_t read = object_read(object), written = object_written(object);
	uint64_t given = call->use == DESCRIPTOR_read ? read | OBJECT_ROOM : written;
	/* A reader finds the end of the file, or a writer finds that nobody reads. */
	if (call->use == DESCRIPTOR_close && !is_waited_for_or_polled(given))
		given = read | OBJECT_ROOM;
	call->blocking.waking = waking_begin_shared(given);
	call->pending = call->stream ? stream_pending(call->stream) : 0;
	if (call->use == DESCRIPTOR_close || !has_states(current_thread))
		return;
	call->blocking.object = call->use == DESCRIPTOR_read ? read : written | OBJECT_ROOM;
	waiters_enter(&current_thread->switches, call->blocking.object);
}

/* Whether the call may have ended the waits of others: of what was written to a stream, some has left it. */
static bool has_moved(const struct descriptor_call *call)
{
	if (!call->stream || (call->use != DESCRIPTOR_write && call->use != DESCRIPTOR_other))
		return true;
	ptrdiff_t pending = stream_pending(call->stream);
	return call->use == DESCRIPTOR_write ? pending <= call->pending : pending < call->pending;
}

void descriptor_call_end(struct descriptor_call *call, int descriptor, bool failed, const void *frame)
{
	struct blocking_call *blocking = &call->blocking;
	if (blocking->waking.time && (failed || !has_moved(call)))
		blocking->waking.time = 0;
	if (call->use == DESCRIPTOR_close)
		descriptor_object_forget(descriptor);
	blocking->descriptor = call->use == DESCRIPTOR_close ? -1 : descriptor;
	if (call->waited)
		blocking_call_take(blocking, frame);
	else
		waking_end(&blocking->waking, frame);
}
