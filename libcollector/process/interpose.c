/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the functions that we stand in front of. */
#include "interpose.h"
#include "architecture.h"
#include "next_definition.h"
#include "weak_libc.h"
#include <dlfcn.h>

/* The linker gives a section whose name is an identifier these two symbols. */
extern struct real_function __start_real_functions[] __attribute__((visibility("hidden"), weak));
extern struct real_function __stop_real_functions[] __attribute__((visibility("hidden"), weak));

/* A definition that was not found is nobody's error: the target would be told of it by dlerror(), and a library in front of
   free() which looks up the next one at its first call would for ever be called to free the message. A search
   that succeeds forgets it. */
static void forget_error(void)
{
	dlsym(RTLD_NEXT, "free");
}

/* Libraries that stand in front of free() like us: they are done with looking it up before an error can be pending. */
static void free_nothing(void)
{
	void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	if (next)
		next(0);
}

static void *ask_loader(const char *name, const char *version)
{
	void *function = version && dlvsym ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
	if (!function && !version && dlvsym)
		function = dlvsym(RTLD_NEXT, name, FIRST_LIBC_VERSION);
	if (!function)
		forget_error();
	return function;
}

static void *search(const char *name, const char *version)
{
	if (!next_definitions_known())
		return 0;
	void *function = next_definition(name, version);
	return function || version ? function : next_definition(name, FIRST_LIBC_VERSION);
}

void *real_function_version(const char *name, const char *version, void **kept)
{
	void *function = __atomic_load_n(kept, __ATOMIC_RELAXED);
	if (!function) {
		function = search(name, version);
		if (!function) /* it may be of a library that was loaded since */
			function = ask_loader(name, version);
		__atomic_store_n(kept, function, __ATOMIC_RELAXED);
	}
	return function;
}

void *real_function(const char *name, void **kept)
{
	return real_function_version(name, 0, kept);
}

void real_functions_resolve(void)
{
	if (next_definitions_known())
		return;
	free_nothing();
	for (struct real_function *f = __start_real_functions; f < __stop_real_functions; f++)
		real_function_version(f->name, f->version, &f->function);
}
