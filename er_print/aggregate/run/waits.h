/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All waits of all threads: intervals in which a thread waited for something, and not for a CPU. */
#ifndef WAITS_H
#define WAITS_H

#include "data.h"

/* Times are ns since the founder's start. */
struct wait {
	uint64_t object, begin, end; /* object 0: not known */
	uint64_t again;              /* when the thread ran again: after it had waited for a CPU, too */
	uint32_t experiment, thread, stack;
	uint32_t number; /* of its event of KIND_OFFCPU, as data_visit_in_time visits them */
};
struct waits {
	struct wait *all; /* by experiment, thread, end */
	uint32_t count;
	uint32_t event_count; /* of all events of KIND_OFFCPU */
};
void waits_read(struct waits *waits, struct data *data);
void waits_free(struct waits *waits);

#endif
