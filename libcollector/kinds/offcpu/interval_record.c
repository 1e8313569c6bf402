/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the kind: see interval_record.h. */
#include "interval_record.h"
#include "collector.h"
#include "cpu.h"
#include "kind.h"
#include "wakings.h"

static void append(struct thread *thread, const struct event_head *head, const uint64_t *fields)
{
	if (!event_append(&thread->streams[KIND_OFFCPU], head, fields))
		count(TALLY_events_lost_disk, 1);
}

static void append_waking(struct thread *thread, const struct event_head *head, enum place place, uint64_t object)
{
	uint64_t fields[] = {
		[FIELD_INDEX(OFFCPU, duration)] = 0,
		[FIELD_INDEX(OFFCPU, state)] = STATE_VALUE(OFFCPU, state, waking),
		[FIELD_INDEX(OFFCPU, place)] = place,
		[FIELD_INDEX(OFFCPU, object)] = object,
	};
	append(thread, head, fields);
}

/* The stack of a sample that is read late, if that may be taken: outer frames may come from the stack as it is now. Else the last
   tick's is the nearest. */
struct found_stack stack_of_sample(const struct reading *reading, const struct late_samples *samples)
{
	if (reading->thread == current_thread) {
		struct captured captured = late_samples_stack(reading->thread, samples, reading->in_use);
		if (captured.stack)
			return (struct found_stack){captured.stack, captured.later ? PLACE_INFERRED : PLACE_CALL};
	}
	return (struct found_stack){reading->of_others, reading->of_others ? PLACE_INFERRED : PLACE_NONE};
}

/* Records what the kernel saw the thread wake, before that raw time. The call that ended waits for its object is known better. */
static void record_wakings(struct reading *reading, uint64_t before)
{
	struct thread_waking found;
	while (reading->thread->switches.wakings && wakings_look(reading->thread, &found)) {
		struct event_head head = {.time = time_raw_at(found.time, &reading->now), .cpu = found.cpu};
		if (head.time >= before)
			return;
		bool known = reading->ended.waking.time && head.time >= reading->ended.waking.time;
		if (!known && !reading->paused) {
			struct found_stack stack = stack_of_sample(reading, reading->thread->switches.wakings);
			head.stack = stack.stack;
			append_waking(reading->thread, &head, stack.place, found.object);
		}
		late_samples_take(reading->thread->switches.wakings);
	}
}

void ended_record(struct reading *reading, uint64_t before)
{
	struct ended_waits *ended = &reading->ended;
	uint64_t time = ended->waking.time;
	if (time && time < before && !ended->recorded) {
		record_wakings(reading, time);
		struct event_head head = {.time = time, .cpu = current_cpu(), .stack = ended->stack};
		if (!reading->paused)
			append_waking(reading->thread, &head, ended->place, ended->waking.object);
		ended->recorded = true;
	}
	record_wakings(reading, before);
}

void interval_record(struct reading *reading, const struct interval *interval)
{
	struct event_head head = {
		.time = time_raw_at(interval->to, &reading->now), .cpu = interval->cpu, .stack = interval->found.stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OFFCPU, duration)] = head.time - time_raw_at(interval->from, &reading->now),
		[FIELD_INDEX(OFFCPU, state)] = interval->state,
		[FIELD_INDEX(OFFCPU, place)] = interval->found.place,
		[FIELD_INDEX(OFFCPU, object)] = interval->object,
	};
	ended_record(reading, head.time);
	append(reading->thread, &head, fields);
}
