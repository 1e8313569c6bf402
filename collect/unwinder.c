/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing the unwinder: see unwinder.h. */
#include "unwinder.h"
#include "environment.h"
#include <dlfcn.h>
#include <string.h>

#define LIBRARY "libunwind.so.8"

bool unwinder_choose(const char *value, uint64_t *unwinder, struct error *error)
{
	*unwinder = UNWINDER_OWN;
	if (!value || !value[0])
		return true;
	if (strcmp(value, "libunwind") == 0)
		*unwinder = UNWINDER_LIBUNWIND;
	else if (strcmp(value, "both") == 0)
		*unwinder = UNWINDER_BOTH;
	else
		return error_set(error, ENVIRONMENT_UNWINDER " is neither \"libunwind\" nor \"both\": `%s'", value);
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		return error_set(error,
			ENVIRONMENT_UNWINDER "=%s needs " LIBRARY
					     ", which cannot be loaded: install it, or unset the variable",
			value);
	dlclose(library);
	return true;
}

const char *unwinder_text(enum unwinder unwinder)
{
	return unwinder == UNWINDER_BOTH ? "stacks will be taken, and beside them those that libunwind finds (not safe)"
					 : "stacks will be taken by libunwind (not safe)";
}
