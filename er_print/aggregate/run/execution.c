/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up time, threads and samples. */
#include "execution.h"
#include "heap_sample_peaks.h"
#include "storage.h"
#include "thread_time.h"

#include <stdlib.h>
#include <string.h>

struct executions {
	const struct data *data;
	const struct selection *selection;
	struct thread_times threads;
	uint64_t **heap_peaks;
};

struct executions *executions_create(struct data *data, const struct selection *selection)
{
	struct executions *executions = memory_new(1, sizeof *executions);
	executions->data = data;
	executions->selection = selection;
	thread_times_read(&executions->threads, data);
	executions->heap_peaks = heap_sample_peaks_read(data);
	return executions;
}

void executions_free(struct executions *executions)
{
	thread_times_free(&executions->threads);
	heap_sample_peaks_free(executions->heap_peaks, executions->data);
	free(executions);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t end_of(const struct loaded_experiment *experiment)
{
	return experiment->start_offset + less(experiment->file->end.monotonic, experiment->file->start.monotonic);
}

static bool process_time(const struct experiment *experiment, uint64_t *user, uint64_t *system)
{
	bool known = false;
	for (size_t i = 0; i < experiment->event_count; i++) {
		const struct log_event *event = &experiment->events[i];
		const char *texts[] = {log_event_attribute(event, "user"), log_event_attribute(event, "system")};
		if (strcmp(event->kind, "exit") != 0 || !texts[0] || !texts[1])
			continue;
		*user = strtoull(texts[0], 0, 10);
		*system = strtoull(texts[1], 0, 10);
		known = true;
	}
	return known;
}

/* The kernel counts for a process; an image that exec made does not count what the images before it used. */
static void add_whole_time(const struct data *data, uint32_t index, struct execution *execution)
{
	const struct loaded_experiment *own = &data->experiments[index];
	uint64_t user, system, before_user = 0, before_system = 0;
	if (!process_time(own->file, &user, &system))
		return;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct loaded_experiment *other = &data->experiments[e];
		uint64_t other_user, other_system;
		if (e == index || other->founder != own->founder || other->start_offset >= own->start_offset ||
			other->file->process.pid != own->file->process.pid ||
			!process_time(other->file, &other_user, &other_system))
			continue;
		before_user = other_user > before_user ? other_user : before_user;
		before_system = other_system > before_system ? other_system : before_system;
	}
	sample_set(&execution->used, SAMPLE_user, less(user, before_user));
	sample_set(&execution->used, SAMPLE_system, less(system, before_system));
}

static void keep_most(struct sample_values *values, unsigned field, const struct sample_values *from)
{
	if (from->known[field] && (!values->known[field] || from->value[field] > values->value[field]))
		sample_set(values, (enum sample_field)field, from->value[field]);
}

/* Adds what was used between two samples; one that does not know ends what can be said. */
static void add_used(
	struct sample_values *used, const struct sample_point *from, const struct sample_point *to, bool first)
{
	for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++) {
		if (sample_field_row((enum sample_field)f)->nature != SAMPLE_USED)
			continue;
		bool known = from->values.known[f] && to->values.known[f] && (first || used->known[f]);
		uint64_t sum = first ? 0 : used->value[f];
		used->value[f] = sum + less(to->values.value[f], from->values.value[f]);
		used->known[f] = known;
	}
}

/* A part of a process that is selected without a gap: stretches `from` up to, not including, `to`. */
static void add_stretches(
	const struct executions *executions, uint32_t index, uint32_t from, uint32_t to, struct execution *execution)
{
	const struct loaded_experiment *experiment = &executions->data->experiments[index];
	const struct process_samples *samples = &experiment->samples;
	const struct sample_point *first = &samples->points[from - 1];
	const struct sample_point *last = &samples->points[to <= samples->count ? to - 1 : samples->count - 1];
	uint64_t end = to <= samples->count ? last->time : end_of(experiment);
	bool none = !execution->duration;
	if (none)
		execution->start = first->time;
	execution->end = end;
	execution->duration += less(end, first->time);
	execution->thread_time += less(thread_time_until(&executions->threads, index, end),
		thread_time_until(&executions->threads, index, first->time));
	if (last > first)
		add_used(&execution->used, first, last, none);
	for (const struct sample_point *point = first + 1; point <= last; point++)
		for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++)
			if (sample_field_row((enum sample_field)f)->nature != SAMPLE_USED)
				keep_most(&execution->used, f, &point->values);
	const uint64_t *heap_peaks = executions->heap_peaks[index];
	bool to_the_end = to > samples->count;
	if (heap_peaks && (last > first || to_the_end)) {
		struct sample_values peak = {0};
		sample_set(&peak, SAMPLE_heap_peak,
			heap_peaks[to_the_end ? samples->count : (uint32_t)(last - samples->points)]);
		keep_most(&execution->used, SAMPLE_heap_peak, &peak);
	}
}

static const struct number_ranges *selected_samples(const struct executions *executions, uint32_t experiment)
{
	return &selection_of(executions->selection, experiment)->of[SELECT_SAMPLES];
}

static void add_selected(const struct executions *executions, uint32_t index, struct execution *execution)
{
	const struct number_ranges *ranges = selected_samples(executions, index);
	uint32_t stretches = executions->data->experiments[index].samples.stretches;
	for (uint32_t from = 1; from <= stretches; from++) {
		uint32_t to = from;
		while (to <= stretches && ranges_have(ranges, to))
			to++;
		if (to > from)
			add_stretches(executions, index, from, to, execution);
		from = to;
	}
}

static void judge(struct execution *execution)
{
	bool known = execution->used.known[SAMPLE_user] && execution->used.known[SAMPLE_system];
	execution->times_known = known;
	execution->times_unknown = !known;
}

struct execution execution_of(const struct executions *executions, uint32_t index)
{
	const struct loaded_experiment *experiment = &executions->data->experiments[index];
	struct execution execution = {.without_samples = experiment->samples.count < 2};
	add_selected(executions, index, &execution);
	if (!selected_samples(executions, index)->some) {
		execution.start = experiment->start_offset;
		execution.end = end_of(experiment);
		execution.duration = less(execution.end, execution.start);
		execution.thread_time = thread_time_until(&executions->threads, index, execution.end);
		execution.used.known[SAMPLE_user] = execution.used.known[SAMPLE_system] = false;
		add_whole_time(executions->data, index, &execution);
		/* A thread is known from the moment at which the collector starts in it. What it used before, it lived for, too. */
		uint64_t used = execution.used.value[SAMPLE_user] + execution.used.value[SAMPLE_system];
		if (execution.used.known[SAMPLE_user] && used > execution.thread_time)
			execution.thread_time = used;
	}
	judge(&execution);
	return execution;
}

struct execution execution_of_sample(const struct executions *executions, uint32_t index, uint32_t number)
{
	struct execution execution = {0};
	add_stretches(executions, index, number, number + 1, &execution);
	judge(&execution);
	return execution;
}

/* A sum is known if each of its parts is. */
static void add_values(struct sample_values *sum, const struct sample_values *values, bool first, bool samples)
{
	for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++) {
		bool time = f == SAMPLE_user || f == SAMPLE_system;
		if (sample_field_row((enum sample_field)f)->nature != SAMPLE_USED) {
			keep_most(sum, f, values);
		} else if (time) {
			sum->value[f] += values->value[f] * values->known[f];
			sum->known[f] |= values->known[f];
		} else if (samples) {
			sum->value[f] += values->value[f];
			sum->known[f] = values->known[f] && (first || sum->known[f]);
		}
	}
}

struct execution execution_sum(const struct executions *executions, const uint32_t *groups, uint32_t group)
{
	const struct data *data = executions->data;
	struct execution sum = {0};
	bool first = true;
	for (uint32_t f = 0; f < data->experiment_count; f++) {
		uint64_t end = 0;
		bool whole = true;
		uint64_t selected = 0;
		for (uint32_t e = 0; e < data->experiment_count && data->experiments[f].founder == f; e++) {
			if (data->experiments[e].founder != f || (group && groups[e] != group) ||
				selection_of(executions->selection, e)->off)
				continue;
			struct execution own = execution_of(executions, e);
			end = own.end > end ? own.end : end;
			whole = whole && !selected_samples(executions, e)->some;
			selected = own.duration > selected ? own.duration : selected;
			sum.thread_time += own.thread_time;
			sum.times_known += own.times_known;
			sum.times_unknown += own.times_unknown;
			sum.without_samples += own.without_samples;
			add_values(&sum.used, &own.used, first, !own.without_samples);
			first = first && own.without_samples;
		}
		sum.duration += whole ? end : selected;
	}
	return sum;
}
