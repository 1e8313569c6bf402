/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chain stacks: on the stack of a wait, a separator and the stack of who ended it, from its leaf to its root; on that, likewise,
   who ended a wait that the waker itself had been in meanwhile, and so on. */
#ifndef CHAINS_H
#define CHAINS_H

#include "data.h"

struct chains {
	uint32_t *
		stack; /* by event of KIND_OFFCPU, as data_visit_in_time visits them: that of a wait; 0 of what is none */
	uint32_t count;
};
/* The stacks are added to the data where they are new. */
void chains_make(struct chains *chains, struct data *data);
void chains_free(struct chains *chains);

#endif
