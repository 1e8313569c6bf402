/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the functions that we stand in front of. */
#include "interpose.h"
#include <dlfcn.h>

/* The linker gives a section whose name is an identifier these two symbols. */
extern struct real_function __start_real_functions[] __attribute__((visibility("hidden"), weak));
extern struct real_function __stop_real_functions[] __attribute__((visibility("hidden"), weak));

/* libc's version of what programs linked today cannot ask for by name alone, but old ones can. */
#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

void *real_function(const char *name, void **kept)
{
	void *function = __atomic_load_n(kept, __ATOMIC_RELAXED);
	if (!function) {
		function = dlsym(RTLD_NEXT, name);
		if (!function)
			function = dlvsym(RTLD_NEXT, name, FIRST_VERSION);
		__atomic_store_n(kept, function, __ATOMIC_RELAXED);
	}
	return function;
}

void *real_function_version(const char *name, const char *version, void **kept)
{
	void *function = __atomic_load_n(kept, __ATOMIC_RELAXED);
	if (!function) {
		function = dlvsym(RTLD_NEXT, name, version);
		__atomic_store_n(kept, function, __ATOMIC_RELAXED);
	}
	return function;
}

void real_functions_resolve(void)
{
	for (struct real_function *f = __start_real_functions; f < __stop_real_functions; f++)
		if (f->version)
			real_function_version(f->name, f->version, &f->function);
		else
			real_function(f->name, &f->function);
}
