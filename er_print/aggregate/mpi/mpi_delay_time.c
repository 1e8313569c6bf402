/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI Delay and MPI Delay Chain: the time that others waited for what a stack did. */
#include "event_filter.h"
#include "metrics.h"
#include "mpi_call_paths.h"

#include <stdlib.h>

/* Rows of metrics.def: direct, chain. */
metric_pass mpi_delay_time;
void mpi_delay_time(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	uint64_t **sums, uint64_t *events)
{
	if (!filter || !filter->resolver)
		return;
	struct mpi_call_paths paths;
	mpi_call_paths_begin(&paths, data, filter->resolver);
	struct mpi_identity identity = mpi_call_paths_identity(&paths);
	struct mpi_delays delays = mpi_delays_find(data, filter, keys, &identity);
	for (uint32_t i = 0; i < delays.count; i++) {
		sums[0][delays.all[i].key] += delays.all[i].kept_direct;
		sums[1][delays.all[i].key] += delays.all[i].kept_chain;
	}
	*events += delays.waits.count;
	mpi_delays_free(&delays);
	mpi_call_paths_free(&paths);
}
