/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds appearances by thread and time. */
#include "space_times.h"
#include "search.h"

struct space_moment space_times_at(const struct space_times *times, uint32_t experiment, uint32_t thread, uint64_t time)
{
	const struct space_moment none = {0, 0, 0};
	if (!times)
		return none;
	const struct appearances *all = &times->appearances;
	const struct space_thread *threads = all->threads;
	uint32_t t = appearances_thread(all, experiment, thread);
	if (t == all->thread_count)
		return none;
	const struct appearance *own = all->all + threads[t].first;
	uint32_t a = (uint32_t)FIRST_WHERE(i, threads[t].count, own[i].to >= time);
	if (a == threads[t].count || own[a].from >= time)
		return none;
	a += threads[t].first;
	return (struct space_moment){all->all[a].class + 1, times->number[a], times->phases.of[a] + 1};
}
