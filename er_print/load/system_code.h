/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which load objects are libc, and which are OpenMP's run-time: code that is there to wait for others. */
#ifndef SYSTEM_CODE_H
#define SYSTEM_CODE_H

#include "data.h"

/* libc, its libpthread of old, or the dynamic linker. */
bool load_object_is_libc(const struct load_object *object);

#endif
