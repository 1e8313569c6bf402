/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinders kind: beside each tick what libunwind makes of the same stack, for tests and doubts. */
#include "capture.h"
#include "collector.h"
#include "kind.h"
#include "thread.h"

static bool wanted(void)
{
	return collector.settings.unwinder == UNWINDER_BOTH;
}

static void ticked(struct thread *thread, const ucontext_t *context, uint32_t stack)
{
	struct unwinders both;
	if (!wanted() || !capture_both(thread, context, stack, &both))
		return;
	struct event_head head = {.time = time_raw(), .stack = stack};
	uint64_t fields[] = {
		[FIELD_INDEX(UNWINDERS, libunwind)] = both.libunwind,
		[FIELD_INDEX(UNWINDERS, anew)] = both.anew,
	};
	if (!event_append(&thread->streams[KIND_UNWINDERS], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

const struct kind_operations unwinders_operations = {.wanted = wanted, .ticked = ticked};
