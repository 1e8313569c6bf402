/* SPDX-License-Identifier: Apache-2.0 */
/* Each interval has a state, a length and a stack: see intervals.h. */
#include "intervals.h"
#include "capture.h"
#include "collector.h"
#include "cpu.h"
#include "cpu_time.h"
#include "interval_record.h"
#include "kind.h"
#include "lateness.h"
#include "own_calls.h"
#include "recording.h"
#include "run_delay.h"
#include "stops.h"
#include "switch_ring.h"
#include "wait_places.h"

/* Nanoseconds; less is not worth an event of its own. */
enum { DELAY_LEAST = 10000 };

/* An instruction is at most so long. */
enum { INSTRUCTION_MOST = 15 };

/* The page fault for which the thread was interrupted has its exact stack. */
static void set_fault(const struct reading *reading, struct interval *interval, const struct switch_record *fault)
{
	bool text = fault->address >= fault->pc && fault->address < fault->pc + INSTRUCTION_MOST;
	interval->state = text ? STATE_TEXT : STATE_DATA;
	interval->object = 0;
	if (reading->fault_pc && fault->pc == reading->fault_pc)
		interval->found = (struct found_stack){reading->of_others, PLACE_CALL};
}

/* The stack is taken for the first interval that needs it: most calls with a switch have one. */
static struct found_stack stack_for(struct reading *reading, bool in_call)
{
	if (reading->frame && !reading->of_call && (in_call || !reading->of_others))
		reading->of_call = capture_call(reading->thread, reading->frame).stack;
	if (in_call && reading->of_call)
		return (struct found_stack){reading->of_call, PLACE_CALL};
	uint32_t near = reading->of_others ? reading->of_others : reading->of_call;
	return (struct found_stack){near, near ? PLACE_INFERRED : PLACE_NONE};
}

/* The stack for an interval that began then: outside calls the kernel's own sample is the best. */
static struct found_stack found_for(struct reading *reading, bool in_call, uint64_t from)
{
	struct late_samples *places = reading->thread->switches.places;
	if (!places || !wait_places_find(reading->thread, from))
		return stack_for(reading, in_call);
	struct found_stack found = in_call ? stack_for(reading, true) : stack_of_sample(reading, places);
	late_samples_take(places);
	return found;
}

/* The parent sees that late, in nanoseconds, that its child goes on; what is less is no wait of its own. */
enum { SEEN_LATE = 1000000 };

/* When a signal stops the process, an interval ends and another begins, but a timed call goes on. */
static void record_waited(struct reading *reading, struct interval waited)
{
	struct thread_switches *switches = &reading->thread->switches;
	bool timed = switches->source == STATES_BY_CALLS;
	uint64_t since = waited.from;
	struct stop stop;
	for (; since < waited.to && stops_next(switches, since, waited.to, &stop); since = stop.to) {
		struct interval part = waited;
		if (!timed && stop.from < waited.from) /* that interval has ended before */
			continue;
		if (stop.from > waited.from && timed) {
			part.to = stop.from;
			interval_record(reading, &part);
			part.from = stop.from;
		}
		part.to = stop.to < waited.to && waited.to - stop.to > SEEN_LATE ? stop.to : waited.to;
		part.state = STATE_STOPPED;
		part.object = 0;
		interval_record(reading, &part);
		waited.from = part.to;
	}
	switches->stops_until = waited.to;
	if (waited.to > waited.from)
		interval_record(reading, &waited);
}

/* The part of an interval that the thread was on the run queue. */
static uint64_t take_delay(struct reading *reading, uint64_t length)
{
	struct thread_switches *switches = &reading->thread->switches;
	uint64_t others = switches->preempted ? 0 : reading->preempted;
	uint64_t delay = reading->delay > others ? reading->delay - others : 0;
	if (switches->preempted)
		reading->preempted -= length < reading->preempted ? length : reading->preempted;
	return run_delay_take(switches, delay, length, switches->preempted);
}

/* The thread waited, and then could run and had no CPU; preempted: the latter alone. */
static void record_parts(struct reading *reading, const struct interval *interval)
{
	struct thread_switches *switches = &reading->thread->switches;
	struct interval waited = *interval, runnable = *interval;
	uint64_t length = interval->to - interval->from;
	uint64_t delay = take_delay(reading, length);
	if (delay < DELAY_LEAST && delay < length) {
		run_delay_give_back(switches, delay);
		delay = 0;
	}
	runnable.state = STATE_RUNNABLE;
	runnable.object = 0;
	runnable.from = waited.to = interval->to - delay;
	if (waited.to > waited.from)
		record_waited(reading, waited);
	if (runnable.to > runnable.from)
		interval_record(reading, &runnable);
}

static void end_interval(struct reading *reading, uint64_t to, uint32_t cpu, const struct switch_record *fault)
{
	struct thread_switches *switches = &reading->thread->switches;
	struct interval interval = {STATE_BLOCKED, switches->out, to, 0, cpu, {0, PLACE_NONE}};
	bool in_call = reading->state && switches->out_at >= reading->begun;
	switches->out = 0;
	if (!interval.from || to <= interval.from)
		return;
	interval.to = lateness_end(&switches->lateness, interval.from, to);
	switches->off += interval.to - interval.from;
	if (reading->paused)
		return;
	if (in_call) {
		interval.state = reading->state;
		interval.object = reading->object;
	}
	interval.found = found_for(reading, in_call, interval.from);
	if (fault && !switches->preempted)
		set_fault(reading, &interval, fault);
	if (interval.state == STATE_BLOCKED && !switches->preempted)
		own_calls_waited(interval.to - interval.from);
	record_parts(reading, &interval);
}

void interval_end(struct reading *reading, uint64_t to, uint32_t cpu)
{
	end_interval(reading, to, cpu, 0);
}

/* fault: what the next record is; 0: another. */
static void take_record(struct reading *reading, const struct switch_record *found, const struct switch_record *fault)
{
	struct thread_switches *switches = &reading->thread->switches;
	switch (found->what) {
	case SWITCHED_OUT:
		switches->out = found->time;
		switches->out_at = found->at;
		switches->preempted = found->preempted;
		break;
	case SWITCHED_IN:
		end_interval(reading, found->time, found->cpu, fault);
		break;
	case PAGE_FAULT:
		reading->faulted = true;
		break;
	case SWITCHES_LOST:
		count(TALLY_switches_lost, found->lost);
		switches->out = 0;
		break;
	}
}

/* The time, since it was accounted for last, that is neither CPU time nor known to be off the CPU. */
static uint64_t left_to_explain(const struct reading *reading)
{
	const struct thread_switches *switches = &reading->thread->switches;
	uint64_t used = reading->cpu_time - switches->from_cpu + switches->off;
	uint64_t passed = reading->now.monotonic - switches->from;
	return passed > used ? passed - used : 0;
}

void interval_account(struct reading *reading, uint64_t least)
{
	struct thread_switches *switches = &reading->thread->switches;
	uint64_t now = reading->now.monotonic, left = left_to_explain(reading);
	if (!reading->paused && (!left || left < least))
		return;
	if (!reading->paused)
		interval_record(reading, &(struct interval){STATE_UNEXPLAINED, now - left, now, 0, 0, {0, PLACE_NONE}});
	switches->from = now;
	switches->from_cpu = reading->cpu_time;
	switches->off = 0;
}

/* How long the intervals are that began with a preemption and are to be taken. */
static uint64_t preempted_length(const struct thread_switches *switches, uint64_t head)
{
	uint64_t place = switch_ring_first(switches), out = switches->preempted ? switches->out : 0, sum = 0;
	struct switch_record found;
	while (switches->ring && switch_ring_look(switches, &place, head, &found))
		if (found.what == SWITCHED_OUT) {
			out = found.preempted ? found.time : 0;
		} else if (found.what == SWITCHED_IN) {
			sum += out && found.time > out ? found.time - out : 0;
			out = 0;
		}
	return sum;
}

static void take_all(struct reading *reading, uint64_t head)
{
	if (reading->delay)
		reading->preempted = preempted_length(&reading->thread->switches, head);
	struct thread_switches *switches = &reading->thread->switches;
	struct switch_record found, next;
	bool some = switches->ring && switch_ring_take(switches, head, &found);
	while (some) {
		some = switches->ring && switch_ring_take(switches, head, &next);
		take_record(reading, &found, some && next.what == PAGE_FAULT ? &next : 0);
		if (some)
			found = next;
	}
}

static void begin(struct reading *reading)
{
	reading->paused = recording_paused_in(reading->thread);
	time_now(&reading->now);
	reading->delay = run_delay_read(&reading->thread->switches, reading->now.monotonic);
}

static void end(struct reading *reading)
{
	ended_record(reading, UINT64_MAX);
	run_delay_settle(&reading->thread->switches, reading->delay);
}

/* Where no context switch tells that a running thread was stopped: stops explain some of what is left, before that moment. */
static uint64_t explain_stops(struct reading *reading, uint64_t left, uint64_t until)
{
	struct thread_switches *switches = &reading->thread->switches;
	uint64_t since = switches->from > switches->stops_until ? switches->from : switches->stops_until;
	struct stop stop;
	for (; left && since < until && stops_next(switches, since, until, &stop); since = stop.to) {
		uint64_t from = stop.from > since ? stop.from : since, to = stop.to < until ? stop.to : until;
		uint64_t length = to - from < left ? to - from : left;
		switches->off += length;
		left -= length;
		if (!reading->paused)
			interval_record(reading, &(struct interval){STATE_STOPPED, from, from + length, 0, 0,
							 stack_for(reading, false)});
	}
	switches->stops_until = until > switches->stops_until ? until : switches->stops_until;
	return left;
}

/* The time on the run queue is known by the kernel's account alone: it explains some of what is left, before that moment. */
static void explain_delays(struct reading *reading, uint64_t left, uint64_t until)
{
	struct thread_switches *switches = &reading->thread->switches;
	uint64_t delay = run_delay_take(switches, reading->delay, left, false);
	if (!delay)
		return;
	switches->off += delay;
	if (!reading->paused)
		interval_record(reading,
			&(struct interval){STATE_RUNNABLE, until - delay, until, 0, 0, stack_for(reading, false)});
}

void intervals_begin(struct reading *reading)
{
	uint64_t left = left_to_explain(reading);
	if (left < DELAY_LEAST)
		return;
	reading->paused = recording_paused_in(reading->thread);
	reading->delay = run_delay_read(&reading->thread->switches, reading->now.monotonic);
	explain_delays(reading, left, reading->now.monotonic);
	run_delay_settle(&reading->thread->switches, reading->delay);
}

static void explain(struct reading *reading, uint64_t left, uint64_t until)
{
	explain_delays(reading, explain_stops(reading, left, until), until);
}

/* Before the time is read, the record's end is: an interval that ends later is not looked at. */
static void begin_with_records(struct reading *reading)
{
	uint64_t head = switches_recorded(&reading->thread->switches);
	begin(reading);
	take_all(reading, head);
}

void intervals_take(struct reading *reading)
{
	begin_with_records(reading);
	end(reading);
}

void intervals_learn(struct reading *reading)
{
	struct thread_lateness *lateness = &reading->thread->switches.lateness;
	if (lateness_can_learn(lateness))
		lateness_learn(lateness, reading->now.monotonic, cpu_time_clock().cpu);
}

/* In the thread itself: what it runs now has no end yet. */
void intervals_take_own(struct reading *reading, uint64_t least)
{
	begin_with_records(reading);
	reading->cpu_time = cpu_time_clock().cpu;
	if (reading->thread->switches.source == STATES_BY_CALLS)
		explain(reading, left_to_explain(reading), reading->now.monotonic);
	end(reading);
	if (lateness_can_learn(&reading->thread->switches.lateness))
		lateness_learn(&reading->thread->switches.lateness, reading->now.monotonic, reading->cpu_time);
	interval_account(reading, least);
}

/* From how many nanoseconds on a timed call is an interval. */
enum { LONG = 20000 };

/* The rate of raw time is known when some time has passed; until then more calls are looked at than need to be. */
static void learn_long(const struct time_triple *now)
{
	if (!blocking_call_long)
		__atomic_store_n(&blocking_call_long, time_raw_of(LONG, now), __ATOMIC_RELAXED);
}

void interval_of_call(struct reading *reading)
{
	struct thread_switches *switches = &reading->thread->switches;
	begin(reading);
	learn_long(&reading->now);
	uint64_t now = reading->now.monotonic, left = left_to_explain(reading);
	uint64_t length = time_nanoseconds_of(reading->now.raw - reading->begun, &reading->now);
	length = length < left ? length : left;
	if (length >= LONG) {
		explain(reading, left - length, now - length);
		switches->off += length;
		switches->preempted = false;
		struct interval interval = {reading->state, now - length, now, reading->object, 0, {0, PLACE_NONE}};
		interval.found = reading->paused ? interval.found : stack_for(reading, true);
		if (!reading->paused)
			record_parts(reading, &interval);
	}
	end(reading);
}
