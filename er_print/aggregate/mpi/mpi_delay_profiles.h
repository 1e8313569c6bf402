/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of waits that are alike, and what both sides did since they were at a common point. For the files that make up
   mpi_delays.h. */
#ifndef MPI_DELAY_PROFILES_H
#define MPI_DELAY_PROFILES_H

#include "mpi_delays.h"
#include "mpi_meetings.h"
#include "mpi_timelines.h"

/* The waits of a stack for a stack of one process. */
struct delay_group {
	uint32_t experiment, wait_stack, late_stack;
	uint64_t direct, chain;          /* their costs, without those that are passed on */
	double outside, sampled;         /* of the late side: time outside MPI calls, weight of the samples in it */
	double own_outside, own_sampled; /* of the side that waited */
};
/* Time in MPI calls, weight of samples outside, and time before late calls outside, sampled or not, of the function that calls. */
struct delay_time {
	double inside, outside, before;
};
/* The late side of a group did this in a place. */
struct delay_share {
	uint32_t group, stack, key, identity;
	struct delay_time all, kept; /* kept: by the filter */
	uint64_t direct, chain;      /* its costs */
	bool some_kept;              /* where there is no time: the filter keeps a late call */
};
struct delay_profiles {
	const struct mpi_timelines *timelines;
	const struct mpi_meeting *meetings;
	const struct mpi_identity *identity;
	const struct data *data;
	bool by_stack;        /* keys are stacks */
	uint32_t *identities; /* by stack, as far as they were asked for */
	struct delay_group *groups;
	struct delay_share *shares;
	struct delay_time *owns; /* of the side that waited, by group and identity */
	uint32_t group_count, share_count, own_count, pair_count, place_count;
	uint32_t *group_of;          /* by wait */
	uint64_t *waited_in;         /* by call: ns of it that are a wait */
	struct number_map pairs;     /* (waiting stack, late stack) -> number */
	struct number_map group_map; /* (experiment, pair) -> group */
	struct number_map places;    /* (stack, key) -> number */
	struct number_map share_map; /* (group, place) -> share */
	struct number_map own_map;   /* (group, identity) -> own */
};
/* Reads all waits of the timelines. The first five members are set, the others zero. */
void delay_profiles_read(struct delay_profiles *profiles);
void delay_profiles_free(struct delay_profiles *profiles);
/* The side that waited did this there. */
struct delay_time delay_own_of(const struct delay_profiles *profiles, uint32_t group, uint32_t identity);

#endif
