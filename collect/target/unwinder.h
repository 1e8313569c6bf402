/* SPDX-License-Identifier: Apache-2.0 */
/* Which unwinder takes the stacks: the collector's own, unless the environment says otherwise. */
#ifndef UNWINDER_H
#define UNWINDER_H

#include "error.h"
#include "settings.h"

/* The value of ER_TOOLS_UNWINDER, or 0. False: it is none that there is, or libunwind is not installed. */
bool unwinder_choose(const char *value, uint64_t *unwinder, struct error *error);

#endif
