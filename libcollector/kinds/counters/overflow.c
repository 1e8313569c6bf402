/* SPDX-License-Identifier: Apache-2.0 */
/* Writing overflow events. */
#include "overflow.h"
#include "collector.h"

static enum state_value mode_of(const struct ring_contents *contents)
{
	if (!contents->sampled)
		return STATE_VALUE(OVERFLOW, mode, unknown);
	return contents->kernel ? STATE_VALUE(OVERFLOW, mode, kernel) : STATE_VALUE(OVERFLOW, mode, user);
}

void overflow_append(struct thread *thread, struct thread_counter *counter, const struct event_head *head,
	uint64_t interval, enum overflow_leaf leaf)
{
	const struct ring_contents *contents = &thread->counters->contents;
	uint64_t fields[] = {
		[FIELD_INDEX(OVERFLOW, counter)] = (uint64_t)(counter - thread->counters->counter),
		[FIELD_INDEX(OVERFLOW, interval)] = interval,
		[FIELD_INDEX(OVERFLOW, mode)] = mode_of(contents),
		[FIELD_INDEX(OVERFLOW, leaf)] = leaf,
		[FIELD_INDEX(OVERFLOW, address)] = contents->address,
		[FIELD_INDEX(OVERFLOW, source)] = contents->source,
		[FIELD_INDEX(OVERFLOW, latency)] = contents->latency,
	};
	counter->overflows++;
	if (event_append(&thread->streams[KIND_OVERFLOW], head, fields))
		count(TALLY_overflows, 1);
	else
		count(TALLY_events_lost_disk, 1);
}

void overflow_account(struct thread_counter *counter, uint64_t lost, uint64_t throttled)
{
	counter->lost += lost;
	counter->throttled += throttled;
	if (lost)
		count(TALLY_overflows_lost, lost);
}

/* The odd number added keeps it from beating with a loop of the program. */
uint64_t overflow_adapted_interval(struct thread_counter *counter, uint64_t time)
{
	uint64_t passed = time - counter->last_time, doubled = 2 * counter->interval + 37,
		 ceiling = counter->wanted->ceiling;
	bool close = ceiling && counter->last_time && passed < ceiling;
	counter->last_time = time;
	if (!close || doubled > INTERVAL_MOST)
		return counter->interval;
	counter->adapted++;
	return doubled;
}
