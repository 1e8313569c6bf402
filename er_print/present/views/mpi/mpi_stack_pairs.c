/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of pairs of stacks: see mpi_stack_pairs.h. */
#include "mpi_stack_pairs.h"

#include <inttypes.h>

enum { LARGEST = 10 }; /* pairs that are shown unless the user says how many */

uint32_t mpi_stack_pairs_shown(const struct session *session, struct table *table, uint32_t count)
{
	unsigned long most = session->limit_given ? session->limit : LARGEST;
	uint32_t shown = most && most < count ? (uint32_t)most : count;
	if (shown < count)
		table->ending = table_text(
			table, "\n%" PRIu32 " of %" PRIu32 " pairs of stacks; limit 0 shows all\n", shown, count);
	return shown;
}

const char *mpi_stack_pair_seconds(struct table *table, const char *title, uint64_t nanoseconds)
{
	return table_text(
		table, ", %s = %" PRIu64 ".%09" PRIu64, title, nanoseconds / 1000000000, nanoseconds % 1000000000);
}
