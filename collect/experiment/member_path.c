/* SPDX-License-Identifier: Apache-2.0 */
/* The path of an experiment as its group file has it: see member_path.h. */
#include "member_path.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Without symbolic links, so that ".." leads where it seems to. */
static bool directory_of(const char *path, char directory[PATH_MAX])
{
	char text[PATH_MAX];
	if (snprintf(text, sizeof text, "%s", path) >= PATH_MAX)
		return false;
	char *slash = strrchr(text, '/');
	if (slash)
		slash[slash == text] = '\0';
	return realpath(slash ? text : ".", directory) != 0;
}

/* How many bytes of two absolute paths are the same whole components; 0 if only the root directory is. */
static size_t common_size(const char *a, const char *b)
{
	size_t size = 0;
	for (size_t i = 0;; i++) {
		bool end_a = a[i] == '\0' || a[i] == '/', end_b = b[i] == '\0' || b[i] == '/';
		if (end_a && end_b)
			size = i;
		if (a[i] != b[i] || a[i] == '\0')
			return size;
	}
}

bool member_path(const char *group, const char *experiment, char member[PATH_MAX], struct error *error)
{
	char directory[PATH_MAX], path[PATH_MAX], up[PATH_MAX] = "";
	struct stat status;
	if (!directory_of(group, directory) || !realpath(experiment, path))
		return error_set(
			error, "Cannot find the path of %s from group file %s: %s", experiment, group, strerror(errno));
	size_t common = strcmp(directory, "/") == 0 ? 0 : common_size(directory, path);
	bool is_link = lstat(group, &status) == 0 && S_ISLNK(status.st_mode);
	if (common == 0 || is_link) {
		memcpy(member, path, strlen(path) + 1);
		return true;
	}
	size_t size = 0;
	for (const char *byte = directory + common; *byte && size + 4 < sizeof up; byte++)
		if (*byte == '/')
			size += (size_t)snprintf(up + size, sizeof up - size, "../");
	/* The experiment is not a directory above the group file: something follows what they share. */
	if (snprintf(member, PATH_MAX, "%s%s", up, path + common + 1) < PATH_MAX)
		return true;
	return error_set(error, "The path of %s from group file %s is too long", experiment, group);
}
