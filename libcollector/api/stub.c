/* SPDX-License-Identifier: Apache-2.0 */
/* A program is linked to this in place of the collector. Linked dynamically, the collector's own functions, which come before
   them in the order of lookup, take their place; linked statically they pass the calls on to those. */
#pragma GCC visibility push(default)
#include "collectorAPI.h"
#pragma GCC visibility pop
#include <dlfcn.h>
#include <stdbool.h>

#define FUNCTIONS(FUNCTION)                                                                                            \
	FUNCTION(collector_sample, (const char *label), (label))                                                       \
	FUNCTION(collector_pause, (void), ())                                                                          \
	FUNCTION(collector_resume, (void), ())                                                                         \
	FUNCTION(collector_thread_pause, (unsigned thread), (thread))                                                  \
	FUNCTION(collector_thread_resume, (unsigned thread), (thread))                                                 \
	FUNCTION(collector_terminate_expt, (void), ())                                                                 \
	FUNCTION(collector_func_load,                                                                                  \
		(const char *name, const char *alias, const char *source, void *address, int size, int line_count,     \
			Lineno *lines),                                                                                \
		(name, alias, source, address, size, line_count, lines))                                               \
	FUNCTION(collector_func_unload, (void *address), (address))

#define POINTER(name, parameters, arguments) static void(*next_##name) parameters;
FUNCTIONS(POINTER)

/* Before other constructors of what it is linked into, so that they may call. */
static __attribute__((constructor(101))) void look_up(void)
{
#define LOOK_UP(name, parameters, arguments) *(void **)&next_##name = dlsym(RTLD_NEXT, #name);
	FUNCTIONS(LOOK_UP)
	dlerror(); /* what was not found is nobody's error */
}

#define PASS_ON(name, parameters, arguments)                                                                           \
	void name parameters                                                                                           \
	{                                                                                                              \
		if (next_##name)                                                                                       \
			next_##name arguments;                                                                         \
	}
FUNCTIONS(PASS_ON)
