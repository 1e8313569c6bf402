/* SPDX-License-Identifier: Apache-2.0 */
/* Preloading the collector: see preload.h. */
#include "preload.h"
#include "environment.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define LIBRARY     "libcollector.so"
#define LIBRARY_MPI "libcollector_mpi.so"

bool preload_find_library(bool mpi, char *library, size_t size, struct error *error)
{
	static const char *const places[] = {"../lib/er-tools/", "../lib/"};
	const char *base = mpi ? LIBRARY_MPI : LIBRARY;
	char own[PATH_MAX], path[PATH_MAX + 64], real[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
	if (length > 0)
		own[length] = '\0';
	else if (!realpath((const char *)getauxval(AT_EXECFN), own)) /* no /proc */
		return error_set(
			error, "Cannot find %s: %s: %s", base, (const char *)getauxval(AT_EXECFN), strerror(errno));
	own[strrchr(own, '/') - own + 1] = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%s%s%s", own, places[i], base);
		if (!realpath(path, real))
			continue;
		if (access(real, R_OK) != 0)
			return error_set(error, "Cannot read the collector %s: %s", real, strerror(errno));
		/* LD_PRELOAD is a list without quoting. */
		if (strpbrk(real, ": \n"))
			return error_set(error,
				"The collector %s cannot be preloaded: its path has a blank or colon; "
				"install er-tools elsewhere",
				real);
		if ((size_t)snprintf(library, size, "%s", real) >= size)
			return error_set(error, "The path of the collector is too long: %s", real);
		return true;
	}
	return error_set(error, "Cannot find %s: it is not in %s../lib/er-tools nor in %s../lib", base, own, own);
}

static bool is_named(const char *element, size_t size, const char *name)
{
	const size_t base = strlen(name);
	return size >= base && memcmp(element + size - base, name, base) == 0 &&
	       (size == base || element[size - base - 1] == '/');
}

static bool is_collector(const char *element, size_t size)
{
	return is_named(element, size, LIBRARY) || is_named(element, size, LIBRARY_MPI);
}

bool preload_set_environment(
	const char *library, const char *founder, const char *lineage, bool *was_there, struct error *error)
{
	const char *old_value = getenv("LD_PRELOAD"), *old = old_value;
	size_t room = strlen(library) + (old ? strlen(old) : 0) + 2;
	char *value = malloc(room);
	*was_there = false;
	if (!value)
		return error_set(error, "Out of memory");
	strcpy(value, library);
	while (old && *old) {
		size_t size = strcspn(old, ": ");
		if (is_collector(old, size))
			*was_there = true;
		else if (size)
			sprintf(value + strlen(value), ":%.*s", (int)size, old);
		old += size;
		old += strspn(old, ": ");
	}
	/* Its separators, too, are the target's to see. */
	if (!*was_there && old_value && *old_value)
		sprintf(value, "%s:%s", library, old_value);
	bool ok = setenv("LD_PRELOAD", value, 1) == 0 && setenv(ENVIRONMENT_FOUNDER, founder, 1) == 0 &&
		  setenv(ENVIRONMENT_LINEAGE, lineage, 1) == 0 &&
		  (strcmp(value, library) != 0 || setenv(ENVIRONMENT_PADDING, "", 1) == 0);
	unsetenv(ENVIRONMENT_LAUNCH);
	unsetenv(ENVIRONMENT_UNWINDER);
	free(value);
	return ok || error_set(error, "Cannot set the environment of the target: %s", strerror(errno));
}
