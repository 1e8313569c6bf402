/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waits inside of parallel regions of OpenMP, added up by construct and by where in the code they are. */
#ifndef OMP_WAITS_H
#define OMP_WAITS_H

#include "event_filter.h"
#include "omp_sites.h"

/* Times are in nanoseconds, without tasks that the thread ran while it waited. */
struct omp_wait_sums {
	uint64_t waits;
	uint64_t threads; /* that have waited */
	uint64_t time;
};
struct omp_wait_site {
	uint64_t construct; /* of kinds.def's */
	struct omp_site site;
	struct omp_wait_sums sums;
};
struct omp_waits {
	struct omp_wait_site *sites; /* by time, longest first */
	uint32_t site_count;
	struct omp_wait_sums total;
};
/* Waits are kept by their ends, short ones by when the thread wrote their sum. total.waits is 0 where there are none. The caller
   frees it. */
struct omp_waits *omp_waits_read(struct data *data, const struct event_filter *filter, struct resolver *resolver);
void omp_waits_free(struct omp_waits *waits);

#endif
