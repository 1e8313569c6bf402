/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which load objects are the system's, by which a program or its run-time waits. */
#ifndef SYSTEM_CODE_H
#define SYSTEM_CODE_H

#include "data.h"

/* libc, its libpthread of old, or the dynamic linker. */
bool load_object_is_libc(const struct load_object *object);

#endif
