/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of OpenMP, added up by where in the code they are created. */
#ifndef OMP_TASKS_H
#define OMP_TASKS_H

#include "event_filter.h"
#include "omp_sites.h"

/* Times are in nanoseconds: those that the tasks ran, with waiting, without other tasks of the same region that their thread
   ran meanwhile. */
struct omp_task_sums {
	uint64_t tasks;
	uint64_t threads; /* that ran any */
	uint64_t time, longest;
	uint64_t wait; /* of the time */
};
struct omp_task_site {
	struct omp_site site;
	struct omp_task_sums sums;
};
struct omp_tasks {
	struct omp_task_site *sites; /* by time, longest first */
	uint32_t site_count;
	struct omp_task_sums total;
};
/* Tasks are kept by their ends. total.tasks is 0 where there are none. The caller frees it. */
struct omp_tasks *omp_tasks_read(struct data *data, const struct event_filter *filter, struct resolver *resolver);
void omp_tasks_free(struct omp_tasks *tasks);

#endif
