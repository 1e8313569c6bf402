/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in the code parallel regions and tasks of OpenMP are, and waits in them: one site each, whatever called it. */
#ifndef OMP_SITES_H
#define OMP_SITES_H

#include "number_map.h"
#include "resolver.h"

struct omp_site {
	uint32_t
		stack; /* of data->stacks: its leaf is the own function (exact), or the call that begins or creates it, or waits */
	uint32_t function, line; /* of the leaf: of the resolver; line 0: not known */
	bool outlined;           /* its leaf is the function, of a wait: of the region or task that it is the end of */
};
struct omp_sites {
	struct data *data;
	struct resolver *resolver;
	enum { SITES_OF_REGIONS, SITES_OF_TASKS, SITES_OF_WAITS } what;
	struct omp_site *sites;
	uint32_t count, capacity;
	struct number_map stacks, functions, lines, addresses; /* places of sites */
};

/* The place of the site that a stack is of. Stacks are of one if their leaves are one function, or else the lines of their calls
   are, or where these are not known, their addresses. */
uint32_t omp_site_of(struct omp_sites *sites, uint32_t stack);
void omp_sites_free(struct omp_sites *sites);

#endif
