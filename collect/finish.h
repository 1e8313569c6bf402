/* SPDX-License-Identifier: Apache-2.0 */
/* Closing the experiment from outside when the target has ended, however it ended. */
#ifndef FINISH_H
#define FINISH_H

#include "create.h"
#include "run.h"

/* Writes the close event: how the target ended and what it used, and saves and copies what the experiment will need
   elsewhere. What fails is a warning in the log. */
void finish_experiment(struct created *created, const struct outcome *outcome);

#endif
