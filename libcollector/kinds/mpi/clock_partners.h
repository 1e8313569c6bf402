/* SPDX-License-Identifier: Apache-2.0 */
/* Which ranks compare their clocks: rank 0 and, of each other clock (another boot or time namespace) in the job, one process.
   They find each other through files in the founder's directory, which all hosts see (FORMAT.md, section 2), because messages
   to a rank that is not recorded would hang. Where all ranks have one clock, nothing is sent. */
#ifndef CLOCK_PARTNERS_H
#define CLOCK_PARTNERS_H

#include <stdint.h>

#define CLOCK_PARTNERS_MAX 1024u

struct clock_partners {
	uint32_t count; /* of ranks in MPI_COMM_WORLD that will compare with us, in this order; 0: nobody */
	uint32_t ranks[CLOCK_PARTNERS_MAX];
	uint64_t refused; /* rank 0: clocks that are one too many */
};

/* Before MPI_Init, which no rank leaves before all have called it. */
void clock_partners_announce(const char *job);
/* After MPI_Init, by the rank that it gave. Partners of one another both find the other, or neither does. */
void clock_partners_find(uint32_t rank, struct clock_partners *partners);

#endif
