/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last part of a path, as reports name files. */
#ifndef BASE_NAME_H
#define BASE_NAME_H

#include <string.h>

static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

#endif
