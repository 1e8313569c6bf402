/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles in the format of pprof (its proto/profile.proto). */
#ifndef PPROF_PROFILE_H
#define PPROF_PROFILE_H

#include "error.h"
#include "imported_profile.h"
#include <stddef.h>

/* Whether a file can be one, by its first bytes. */
bool pprof_begins(const unsigned char *bytes, size_t size);
/* Reads a profile, which is not compressed any more. False and *error (without the file's name) if it cannot be one. */
bool pprof_read(struct imported_profile *profile, const unsigned char *bytes, size_t size, struct error *error);

#endif
