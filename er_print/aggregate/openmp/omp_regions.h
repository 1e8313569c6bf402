/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parallel regions of OpenMP: each time that one ran, from its begin to its end, and what the members of its team did in it,
   added up by where in the code it begins. */
#ifndef OMP_REGIONS_H
#define OMP_REGIONS_H

#include "event_filter.h"
#include "omp_sites.h"

/* Times are in nanoseconds. Work: a member's time from its begin to its end, and of tasks that it ran after that, without waits,
   and without regions that it began itself meanwhile. Wait: waits inside, and the time from a member's end until the region ended,
   when all members had, without such tasks. */
struct omp_sums {
	uint64_t calls, members;
	uint64_t time; /* from the regions' begins to their ends */
	uint64_t work, wait;
	/* For each time that a region ran, the work of its members with regions inside: the largest, and the mean. */
	double largest, mean;
};
struct omp_region_site {
	struct omp_site site;
	struct omp_sums sums;
};
struct omp_regions {
	struct omp_region_site *sites; /* by work and wait, largest first */
	uint32_t site_count;
	/* The sums of all sites; time, largest and mean are those of regions that are in no other. */
	struct omp_sums total;
	uint64_t unfinished; /* calls that had not ended when recording did, which then ended */
	bool recorded;       /* there are any, whatever the filter keeps */
};
/* The filter (0: it keeps all) keeps members by their begin, tasks after their end by the own end, and regions of which it keeps
   any of these or the begin. The caller frees it. */
struct omp_regions *omp_regions_read(struct data *data, const struct event_filter *filter, struct resolver *resolver);
void omp_regions_free(struct omp_regions *regions);

#endif
