/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks about waits of run-times with OpenMP's interface for tools (ompt_waits.c). */
#ifndef OMPT_WAITS_H
#define OMPT_WAITS_H

#include "ompt_interface.h"

void ompt_sync_region_wait(enum ompt_sync kind, enum ompt_endpoint endpoint, union ompt_data *parallel,
	union ompt_data *task, const void *call);
void ompt_mutex_acquire(enum ompt_mutex kind, unsigned hint, unsigned implementation, uint64_t wait, const void *call);
void ompt_mutex_acquired(enum ompt_mutex kind, uint64_t wait, const void *call);
void ompt_nest_lock(enum ompt_endpoint endpoint, uint64_t wait, const void *call);

#endif
