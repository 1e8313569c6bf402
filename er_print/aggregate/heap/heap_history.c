/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two replays of the heap events: one for the curve and the sizes, one that stops at a peak. */
#include "heap_history.h"
#include "heap_replay.h"
#include "storage.h"

#include <stdlib.h>

struct reading {
	struct heap_history *history;
	struct heap_process now; /* of the present process */
	uint64_t bytes, mapped, pieces;
	unsigned moments;     /* of it that are filled in */
	uint64_t start, part; /* nanoseconds */
};

unsigned heap_size_class(uint64_t size)
{
	return size == 0 ? 0 : size == 1 ? 1 : 65 - (unsigned)__builtin_clzll(size - 1);
}

static void count_size(struct heap_sizes *sizes, uint64_t size)
{
	if (!sizes->count || size < sizes->smallest)
		sizes->smallest = size;
	if (size > sizes->largest)
		sizes->largest = size;
	sizes->count++;
	sizes->bytes += size;
	sizes->by_class[heap_size_class(size)]++;
	sizes->bytes_by_class[heap_size_class(size)] += size;
}

static void begin_experiment(void *context, const struct loaded_experiment *experiment)
{
	struct reading *reading = context;
	const struct experiment *file = experiment->file;
	uint64_t run = file->end.monotonic > file->start.monotonic ? file->end.monotonic - file->start.monotonic : 0;
	reading->now = (struct heap_process){.experiment = experiment};
	reading->bytes = reading->mapped = reading->pieces = 0;
	reading->moments = 0;
	reading->start = experiment->start_offset;
	/* Rounded up, so that the parts together are never shorter than the run and no event comes after the last part. */
	reading->part = run / HEAP_MOMENTS + 1;
}

/* The blocks of now were there at the ends of the parts that have passed since the last event. */
static void pass_time(struct reading *reading, uint64_t time)
{
	while (reading->moments < HEAP_MOMENTS && time > reading->start + (reading->moments + 1) * reading->part)
		reading->now.moment[reading->moments++] = reading->bytes;
}

static void allocated(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct reading *reading = context;
	if (!piece->counts)
		return;
	pass_time(reading, time);
	if (!piece->again)
		count_size(&reading->history->allocations, piece->size);
	reading->bytes += piece->size;
	reading->mapped += piece->mapping ? piece->size : 0;
	reading->pieces++;
	if (reading->bytes <= reading->now.peak)
		return;
	reading->now.peak = reading->bytes;
	reading->now.peak_mapped = reading->mapped;
	reading->now.peak_pieces = reading->pieces;
	reading->now.peak_time = time;
}

static void released(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct reading *reading = context;
	if (!piece->counts)
		return;
	pass_time(reading, time);
	reading->bytes -= piece->size;
	reading->mapped -= piece->mapping ? piece->size : 0;
	reading->pieces--;
}

static void left(void *context, const struct heap_piece *piece)
{
	struct reading *reading = context;
	if (!piece->counts)
		return;
	count_size(&reading->history->leaks, piece->size);
}

static void end(void *context, const struct loaded_experiment *experiment, const struct heap_oddities *oddities)
{
	struct reading *reading = context;
	struct heap_history *history = reading->history;
	(void)experiment;
	pass_time(reading, UINT64_MAX);
	reading->now.left = reading->bytes;
	reading->now.left_mapped = reading->mapped;
	reading->now.unknown_releases = oddities->unknown_releases;
	reading->now.missed_releases = oddities->missed_releases;
	history->processes = memory_room(history->processes, history->process_count, sizeof *history->processes);
	history->processes[history->process_count++] = reading->now;
}

struct heap_history *heap_history_read(struct data *data, const struct event_filter *filter)
{
	struct reading reading = {.history = memory_new(1, sizeof *reading.history)};
	heap_replay(data, filter,
		&(struct heap_listener){.context = &reading,
			.begin = begin_experiment,
			.allocated = allocated,
			.released = released,
			.left = left,
			.end = end});
	return reading.history;
}

void heap_history_free(struct heap_history *history)
{
	free(history->processes);
	free(history);
}

struct peak {
	const struct heap_process *process;
	bool here, over;
	uint64_t bytes;
	uint64_t *of;
};

static void begin_peak(void *context, const struct loaded_experiment *experiment)
{
	struct peak *peak = context;
	peak->here = experiment == peak->process->experiment;
}

static void add_to_peak(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct peak *peak = context;
	(void)time;
	if (!peak->here || peak->over || !piece->counts)
		return;
	peak->of[piece->stack] += piece->size;
	peak->bytes += piece->size;
	/* The first replay has found the largest sum; this one stops at the first event that reaches it, and keeps what stands
	   there then. */
	peak->over = peak->bytes == peak->process->peak;
}

static void take_from_peak(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct peak *peak = context;
	(void)time;
	if (!peak->here || peak->over || !piece->counts)
		return;
	peak->of[piece->stack] -= piece->size;
	peak->bytes -= piece->size;
}

uint64_t *heap_at_peak(struct data *data, const struct event_filter *filter, const struct heap_process *process)
{
	struct peak peak = {.process = process, .over = !process->peak};
	peak.of = memory_new(data->stack_count, sizeof *peak.of);
	heap_replay(data, filter,
		&(struct heap_listener){
			.context = &peak, .begin = begin_peak, .allocated = add_to_peak, .released = take_from_peak});
	return peak.of;
}
