/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing the unwinder: see unwinder.h. */
#include "unwinder.h"
#include "environment.h"
#include <dlfcn.h>

#define LIBRARY "libunwind.so.8"

bool unwinder_choose(const char *value, uint64_t *unwinder, struct error *error)
{
	const struct setting_choice *choice = value && value[0] ? setting_choice_named(SETTING_unwinder, value) : 0;
	*unwinder = choice ? choice->value : UNWINDER_OWN;
	if (!value || !value[0])
		return true;
	if (*unwinder == UNWINDER_OWN)
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
