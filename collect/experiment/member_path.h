/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a group file's members. */
#ifndef MEMBER_PATH_H
#define MEMBER_PATH_H

#include "error.h"
#include <limits.h>
#include <stdbool.h>

/* The path by which a group file names an experiment that exists: relative to the group file's directory, so that both can
   be moved together; absolute where they have nothing but the root directory in common, or where the group file is a
   symbolic link, whose directory depends on how it is named. */
bool member_path(const char *group, const char *experiment, char member[PATH_MAX], struct error *error);

#endif
