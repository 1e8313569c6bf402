/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From linkage names to the names of the source, by libiberty: the only file that knows it. */
#include "demangle.h"
#include <libiberty/demangle.h>
#include <string.h>

/* What names unpack to grows faster than they do: no compiler writes longer ones for people to read. */
enum { NAME_MAX_LENGTH = 8192 };

char *demangle_name(const char *mangled, bool with_arguments)
{
	if (mangled[0] != '_' || strnlen(mangled, NAME_MAX_LENGTH) == NAME_MAX_LENGTH)
		return 0;
	return cplus_demangle(mangled, DMGL_AUTO | (with_arguments ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS));
}
