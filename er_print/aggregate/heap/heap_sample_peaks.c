/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One replay of the heap events, whose peak is read at each sample. */
#include "heap_sample_peaks.h"
#include "heap_replay.h"
#include "storage.h"

#include <stdlib.h>

struct reading {
	uint64_t **peaks;
	const struct data *data;
	const struct process_samples *samples; /* of the present process */
	uint64_t *own;
	uint32_t passed; /* samples that are filled in */
	uint64_t bytes, peak;
};

static void pass_time(struct reading *reading, uint64_t time)
{
	while (reading->passed < reading->samples->count && reading->samples->points[reading->passed].time < time)
		reading->own[reading->passed++] = reading->peak;
}

static void begin_experiment(void *context, const struct loaded_experiment *experiment)
{
	struct reading *reading = context;
	reading->samples = &experiment->samples;
	reading->own = memory_new(reading->samples->count + 1ull, sizeof *reading->own);
	reading->peaks[experiment - reading->data->experiments] = reading->own;
	reading->passed = 0;
	reading->bytes = reading->peak = 0;
}

static void allocated(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct reading *reading = context;
	pass_time(reading, time);
	reading->bytes += piece->size;
	reading->peak = reading->bytes > reading->peak ? reading->bytes : reading->peak;
}

static void released(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct reading *reading = context;
	(void)time;
	reading->bytes -= piece->size;
}

static void end(void *context, const struct loaded_experiment *experiment, const struct heap_oddities *oddities)
{
	struct reading *reading = context;
	(void)experiment;
	(void)oddities;
	pass_time(reading, UINT64_MAX);
	reading->own[reading->samples->count] = reading->peak;
}

uint64_t **heap_sample_peaks_read(struct data *data)
{
	struct reading reading = {.data = data};
	reading.peaks = memory_new(data->experiment_count + 1ull, sizeof *reading.peaks);
	heap_replay(data, 0,
		&(struct heap_listener){.context = &reading,
			.begin = begin_experiment,
			.allocated = allocated,
			.released = released,
			.end = end});
	return reading.peaks;
}

void heap_sample_peaks_free(uint64_t **peaks, const struct data *data)
{
	for (uint32_t e = 0; peaks && e < data->experiment_count; e++)
		free(peaks[e]);
	free(peaks);
}
