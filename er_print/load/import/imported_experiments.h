/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making experiments of an imported profile: one for each process, the first of a run as the founder of the others. */
#ifndef IMPORTED_EXPERIMENTS_H
#define IMPORTED_EXPERIMENTS_H

#include "data.h"
#include "imported_profile.h"

void imported_experiments_add(struct data *data, const char *path, const struct imported_profile *profile);

#endif
