/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks about tasks of run-times with OpenMP's interface for tools. */
#ifndef OMPT_TASKS_H
#define OMPT_TASKS_H

#include "ompt_interface.h"

void ompt_task_create(union ompt_data *encountering, const struct ompt_frame *frame, union ompt_data *created,
	int flags, int dependent, const void *call);
void ompt_task_schedule(union ompt_data *prior, enum ompt_task_status status, union ompt_data *next);

#endif
