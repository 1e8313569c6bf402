/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The starts of founders. */
#include "trace_times.h"
#include "storage.h"

#include <stdlib.h>

struct trace_times trace_times_make(const struct data *data)
{
	struct trace_times times = {.start = UINT64_MAX};
	for (uint32_t e = 0; e < data->experiment_count; e++)
		if (data->experiments[e].founder == e && data->experiments[e].file->start.realtime < times.start)
			times.start = data->experiments[e].file->start.realtime;
	times.shift = memory_new(data->experiment_count, sizeof *times.shift);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		times.shift[e] = data->experiments[data->experiments[e].founder].file->start.realtime - times.start;
	return times;
}

void trace_times_free(struct trace_times *times)
{
	free(times->shift);
}
