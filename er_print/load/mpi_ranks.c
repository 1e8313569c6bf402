/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI ranks, by the logs of experiments. */
#include "mpi_ranks.h"

#include <stdlib.h>
#include <string.h>

const struct log_event *mpi_event(const struct experiment *experiment, const char *kind)
{
	for (size_t i = 0; i < experiment->event_count; i++)
		if (!strcmp(experiment->events[i].kind, kind))
			return &experiment->events[i];
	return 0;
}

uint64_t mpi_number(const struct log_event *event, const char *name)
{
	const char *text = event ? log_event_attribute(event, name) : 0;
	return text ? strtoull(text, 0, 0) : 0;
}

uint64_t mpi_rank_of(const struct experiment *experiment)
{
	return mpi_number(mpi_event(experiment, "mpi"), "rank");
}

uint64_t mpi_nanoseconds(const struct experiment *experiment, uint64_t ticks)
{
	double nanoseconds = (double)ticks * experiment->nanoseconds_per_tick + 0.5;
	return nanoseconds < 1.8e19 ? (uint64_t)nanoseconds : UINT64_MAX;
}
