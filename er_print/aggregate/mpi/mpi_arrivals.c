/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sort, and the minimum of what comes later. */
#include "mpi_arrivals.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

static int by_thread_and_time(const void *left, const void *right)
{
	const struct mpi_arrival *a = left, *b = right;
	return COMPARE(a->thread, b->thread) ?: COMPARE(a->received, b->received);
}

struct mpi_arrivals mpi_arrivals_read(const struct mpi_trace *trace)
{
	struct mpi_arrival *all = memory_new(trace->receive_count, sizeof *all);
	uint32_t count = 0;
	for (uint32_t r = 0; r < trace->receive_count; r++) {
		const struct mpi_side *receive = &trace->receives[r];
		const struct mpi_trace_call *call = &trace->calls[receive->completion];
		if (receive->partner == NO_MESSAGE)
			continue;
		uint64_t sent = trace->calls[trace->sends[receive->partner].start].begin;
		all[count++] = (struct mpi_arrival){mpi_thread_of(call), call->begin, sent};
	}
	if (count)
		qsort(all, count, sizeof *all, by_thread_and_time);
	for (uint32_t i = count; i-- > 1;)
		if (all[i].thread == all[i - 1].thread && all[i].sent < all[i - 1].sent)
			all[i - 1].sent = all[i].sent;
	return (struct mpi_arrivals){all, count};
}

uint64_t mpi_arrivals_first_sent(const struct mpi_arrivals *arrivals, const struct mpi_trace *trace, uint32_t call)
{
	const struct mpi_arrival *all = arrivals->all;
	uint64_t thread = mpi_thread_of(&trace->calls[call]), begin = trace->calls[call].begin;
	uint32_t next = FIRST_WHERE(
		i, arrivals->count, all[i].thread > thread || (all[i].thread == thread && all[i].received > begin));
	return next < arrivals->count && all[next].thread == thread ? all[next].sent : UINT64_MAX;
}
