/* SPDX-License-Identifier: Apache-2.0 */
/* -O NAME.er: a new experiment in the place of an old one. */
#ifndef OVERWRITE_H
#define OVERWRITE_H

#include "error.h"
#include <stdbool.h>

/* Says whether overwrite_remove() would remove what has this path, or finds nothing there: a directory of this user's that
   holds an experiment which nobody still records, and no symbolic link. */
bool overwrite_check(const char *path, struct error *error);

/* Checks once more, and removes it. */
bool overwrite_remove(const char *path, struct error *error);

#endif
