/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a target: the name as it stands, then PATH. */
#include "target.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool can_execute(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

/* True and the path if a directory of PATH has an executable file of that name. An empty element is the current one. */
static bool search_path(const char *name, char *found, size_t size)
{
	const char *path = getenv("PATH");
	if (!path)
		path = "/bin:/usr/bin";
	for (const char *element = path; element;) {
		const char *end = strchrnul(element, ':');
		int length = (int)(end - element);
		int n = length ? snprintf(found, size, "%.*s/%s", length, element, name)
			       : snprintf(found, size, "./%s", name);
		if (n > 0 && (size_t)n < size && can_execute(found))
			return true;
		element = *end ? end + 1 : 0;
	}
	return false;
}

static bool ends_in(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);
	return size > end_size && strcmp(text + size - end_size, end) == 0;
}

/* Why the file of that name itself cannot be run. */
static bool explain(const char *name, struct error *error)
{
	struct stat status;
	if (stat(name, &status) != 0) {
		if (errno == ENOENT)
			return error_set(error, "Target `%s' not found", name);
		return error_set(error, "Target `%s' not found: %s", name, strerror(errno));
	}
	if (S_ISDIR(status.st_mode))
		return error_set(error, "Target `%s' is a directory, not an executable", name);
	if (ends_in(name, ".jar") || ends_in(name, ".class"))
		return error_set(error,
			"Target `%s': Java targets are not supported; run `collect java ...' to record the JVM", name);
	return error_set(error, "Target `%s' is not executable", name);
}

bool target_find(const char *name, struct target *target, struct error *error)
{
	*target = (struct target){.path = ""};
	if (!name[0])
		return error_set(error, "Name of target must be specified");
	if (strlen(name) >= sizeof target->path)
		return error_set(error, "Target `%.64s...' not found: %s", name, strerror(ENAMETOOLONG));
	if (can_execute(name))
		strcpy(target->path, name);
	else if (strchr(name, '/') || !search_path(name, target->path, sizeof target->path))
		return explain(name, error);
	return executable_check(name, target->path, &target->kind, error);
}
