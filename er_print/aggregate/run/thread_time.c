/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread has lived until a moment for the time since its start, less the time since its end. */
#include "thread_time.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct reading {
	struct thread_times *times;
	const struct data *data;
};

static void add_moment(struct moments *moments, uint64_t time)
{
	moments->time = memory_room(moments->time, moments->count, sizeof *moments->time);
	moments->time[moments->count++] = time;
}

static void read_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	uint32_t index = (uint32_t)(batch->experiment - reading->data->experiments);
	const uint64_t *what = batch->field[FIELD_INDEX(THREAD, what)];
	for (uint32_t i = 0; i < batch->count; i++)
		add_moment(what[i] ? &reading->times->ends[index] : &reading->times->starts[index], batch->time[i]);
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return COMPARE(x, y);
}

static void sum_up(struct moments *moments)
{
	moments->sum = memory_new(moments->count + 1ull, sizeof *moments->sum);
	if (moments->count)
		qsort(moments->time, moments->count, sizeof *moments->time, ascending);
	for (uint32_t i = 0; i < moments->count; i++)
		moments->sum[i + 1] = moments->sum[i] + moments->time[i];
}

void thread_times_read(struct thread_times *times, struct data *data)
{
	*times = (struct thread_times){.starts = memory_new(data->experiment_count, sizeof *times->starts),
		.ends = memory_new(data->experiment_count, sizeof *times->ends),
		.experiment_count = data->experiment_count};
	data_visit(data, KIND_THREAD, read_batch, &(struct reading){times, data});
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		sum_up(&times->starts[e]);
		sum_up(&times->ends[e]);
	}
}

void thread_times_free(struct thread_times *times)
{
	for (uint32_t e = 0; e < times->experiment_count; e++) {
		free(times->starts[e].time);
		free(times->starts[e].sum);
		free(times->ends[e].time);
		free(times->ends[e].sum);
	}
	free(times->starts);
	free(times->ends);
}

/* The time since each of those that are before the moment. */
static uint64_t time_since(const struct moments *moments, uint64_t moment)
{
	uint32_t low = FIRST_WHERE(i, moments->count, moments->time[i] > moment);
	return low * moment - moments->sum[low];
}

uint64_t thread_time_until(const struct thread_times *times, uint32_t experiment, uint64_t moment)
{
	uint64_t started = time_since(&times->starts[experiment], moment);
	uint64_t ended = time_since(&times->ends[experiment], moment);
	return started > ended ? started - ended : 0;
}
