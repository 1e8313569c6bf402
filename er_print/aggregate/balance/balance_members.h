/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members that the balance of a metric is computed over: MPI ranks, processes or threads. */
#ifndef BALANCE_MEMBERS_H
#define BALANCE_MEMBERS_H

#include "data.h"
#include "metrics.h"
#include "number_map.h"

/* In the order of experiments, ranks in that of their numbers. */
struct balance_members {
	struct balance_member {
		uint32_t experiment, thread; /* index, and its number; of ranks and processes 0 */
		/* "3"; of threads "1.3" where there are several processes, of ranks of several jobs "0 (5)": process 5 */
		char name[24];
	} * all;
	uint32_t count;
	struct number_map places; /* by number_pair of experiment and thread */
	bool by_thread;
};
/* All that were recorded. */
struct balance_members balance_members_find(struct data *data, enum balance_over over);
void balance_members_free(struct balance_members *members);
/* The member that a thread's events are of: its index, or NO_NUMBER. */
static inline uint32_t balance_member_of(const struct balance_members *members, uint32_t experiment, uint32_t thread)
{
	return number_map_find(&members->places, number_pair(experiment, members->by_thread ? thread : 0));
}

#endif
