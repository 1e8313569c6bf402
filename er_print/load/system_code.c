/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known by their files' names. */
#include "system_code.h"
#include "base_name.h"

bool load_object_is_libc(const struct load_object *object)
{
	static const char *const names[] = {"libc.so", "libc-2", "libpthread", "ld-linux", "ld-musl", "libc.musl"};
	const char *name = base_name(object->path);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (object->type == OBJECT_FILE && !strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}
