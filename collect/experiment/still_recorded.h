/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an experiment is complete, as far as this host can know. */
#ifndef STILL_RECORDED_H
#define STILL_RECORDED_H

#include "experiment.h"
#include <sys/types.h>

/* The process of an experiment that did not end by its log, if it runs on this host; else 0, for we know no other's
   processes. */
pid_t still_recorded(const struct experiment *experiment);

#endif
