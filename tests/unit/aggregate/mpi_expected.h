/* SPDX-License-Identifier: Apache-2.0 */
/* The waits that a run written for a test should have, all of them and no others. */
#ifndef MPI_EXPECTED_H
#define MPI_EXPECTED_H

#include "mpi_run.h"
#include "mpi_waits.h"

struct expected {
	uint64_t rank, begin;
	enum mpi_wait_state state;
	uint64_t time, late_rank, late_begin;
};

static inline void check_wait(
	const struct mpi_wait *wait, const struct expected *expected, unsigned expected_count, bool *found)
{
	for (unsigned e = 0; e < expected_count; e++) {
		const struct expected *right = &expected[e];
		if (right->rank != rank_of(wait->experiment) || right->begin != wait->begin || found[e])
			continue;
		found[e] = true;
		ck_assert_uint_eq(wait->state, right->state);
		ck_assert_uint_eq(wait->time, right->time);
		ck_assert_uint_eq(rank_of(wait->late_experiment), right->late_rank);
		ck_assert_uint_eq(wait->late_begin, right->late_begin);
		return;
	}
	ck_abort_msg("rank %u does not wait at %u", (unsigned)rank_of(wait->experiment), (unsigned)wait->begin);
}

/* In the run that is loaded. */
static inline void check_waits(const struct expected *expected, unsigned expected_count)
{
	bool *found = calloc(expected_count, sizeof *found);
	ck_assert_ptr_nonnull(found);
	struct mpi_waits waits = mpi_waits_read(data, 0, 0);
	for (uint32_t i = 0; i < waits.count; i++)
		check_wait(&waits.all[i], expected, expected_count, found);
	for (unsigned e = 0; e < expected_count; e++)
		ck_assert_msg(
			found[e], "rank %u should wait at %u", (unsigned)expected[e].rank, (unsigned)expected[e].begin);
	free(waits.all);
	free(found);
}

#endif
