/* SPDX-License-Identifier: Apache-2.0 */
/* Experiment groups: a text file whose first line says so, then one experiment path a line. */
#ifndef GROUP_H
#define GROUP_H

#include "error.h"
#include <stdbool.h>

#define GROUP_FIRST_LINE "#analyzer experiment group\n"

/* Says whether group_join() could succeed: the file is a group that can be written, or can be made. Creates nothing. */
bool group_check(const char *path, struct error *error);

/* Makes the group file or appends to it, under a lock that waits for other writers for two minutes. */
bool group_join(const char *path, const char *experiment, struct error *error);

/* Takes the experiment out again, if it is still the last line: its target never ran. */
void group_leave(const char *path, const char *experiment);

#endif
