/* SPDX-License-Identifier: Apache-2.0 */
/* Naming experiments: see experiment_name.h. */
#include "experiment_name.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);
	return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

uint64_t experiment_number(const char *base, size_t *stem_size)
{
	if (!ends_in(base, ".er"))
		return 0;
	const char *end = base + strlen(base) - 3, *digits = end;
	while (digits > base && isdigit((unsigned char)digits[-1]))
		digits--;
	/* More than 18 digits are a name, not a number. */
	if (digits == end || end - digits > 18 || digits - base < 2 || digits[-1] != '.')
		return 0;
	uint64_t number = 0;
	for (const char *digit = digits; digit < end; digit++)
		number = number * 10 + (uint64_t)(*digit - '0');
	*stem_size = (size_t)(digits - 1 - base);
	return number;
}

static bool check_directory(const char *directory, struct error *error)
{
	const char *path = directory[0] ? directory : ".";
	struct stat status;
	if (stat(path, &status) != 0)
		return error_set(error, "Store directory %s is not accessible: %s", path, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return error_set(error, "Store directory %s is not accessible: %s", path, strerror(ENOTDIR));
	if (access(path, X_OK) != 0)
		return error_set(error, "Store directory %s is not accessible: %s", path, strerror(errno));
	if (access(path, W_OK) != 0)
		return error_set(error, "Store directory %s is not writeable: %s", path, strerror(errno));
	return true;
}

/* -d DIRECTORY joined with a relative path; false if it does not fit. */
static bool join(const char *directory, const char *path, char *joined, size_t size)
{
	int n;
	if (path[0] == '/' || !directory || !directory[0])
		n = snprintf(joined, size, "%s", path);
	else
		n = snprintf(joined, size, "%s%s%s", directory, ends_in(directory, "/") ? "" : "/", path);
	return n >= 0 && (size_t)n < size;
}

bool group_path(const char *group, const char *directory, char *path, size_t size, struct error *error)
{
	if (!ends_in(group, ".erg") || strlen(base_of(group)) == 4)
		return error_set(error, "Experiment group name `%s' must end in `.erg'", group);
	if (!join(directory, group, path, size))
		return error_set(error, "Experiment group name `%s' is too long", group);
	return true;
}

static bool set_stem(struct experiment_name *name, const char *stem, size_t size, struct error *error)
{
	if (size >= sizeof name->stem)
		return error_set(error, "Experiment name `%s' is too long", stem);
	memcpy(name->stem, stem, size);
	name->stem[size] = '\0';
	return true;
}

static bool set_output(struct experiment_name *name, const char *output, const char *directory, struct error *error)
{
	const char *base = base_of(output);
	if (!ends_in(output, ".er"))
		return error_set(error, "Experiment name `%s' must end in `.er'", output);
	if (strlen(base) == 3)
		return error_set(error, "Experiment name `%s' has nothing before `.er'", output);
	char path[PATH_MAX];
	if (!join(directory, output, path, sizeof path))
		return error_set(error, "Experiment name `%s' is too long", output);
	name->unused_directory = directory && output[0] == '/';
	size_t directory_size = (size_t)(base_of(path) - path);
	/* The slash stays only where it is all there is: the root directory. */
	if (directory_size > 1)
		directory_size--;
	memcpy(name->directory, path, directory_size);
	name->directory[directory_size] = '\0';
	size_t stem_size = strlen(base) - 3;
	name->number = experiment_number(base, &stem_size);
	return set_stem(name, base, stem_size, error);
}

bool experiment_name_parse(
	struct experiment_name *name, const char *output, const char *directory, const char *group, struct error *error)
{
	*name = (struct experiment_name){.chosen = !output};
	if (directory) {
		struct stat status;
		if (stat(directory, &status) != 0)
			return error_set(error, "Can't set directory `%s': %s", directory, strerror(errno));
		if (!S_ISDIR(status.st_mode))
			return error_set(error, "Can't set directory `%s': %s", directory, strerror(ENOTDIR));
	}
	if (output) {
		if (!set_output(name, output, directory, error))
			return false;
	} else {
		if (directory && strlen(directory) >= sizeof name->directory)
			return error_set(error, "Can't set directory `%s': %s", directory, strerror(ENAMETOOLONG));
		strcpy(name->directory, directory ? directory : "");
		const char *stem = group ? base_of(group) : "test";
		if (!set_stem(name, stem, group ? strlen(stem) - strlen(".erg") : strlen(stem), error))
			return false;
		name->number = 1;
	}
	return check_directory(name->directory, error);
}

/* The highest number of the stem in the directory, 0 if there is none. */
static bool highest_number(const struct experiment_name *name, uint64_t *highest, struct error *error)
{
	const char *path = name->directory[0] ? name->directory : ".";
	DIR *directory = opendir(path);
	if (!directory)
		return error_set(error, "Store directory %s is not accessible: %s", path, strerror(errno));
	*highest = 0;
	for (struct dirent *entry; (entry = readdir(directory));) {
		size_t stem_size;
		uint64_t number = experiment_number(entry->d_name, &stem_size);
		if (number > *highest && stem_size == strlen(name->stem) &&
			memcmp(entry->d_name, name->stem, stem_size) == 0)
			*highest = number;
	}
	closedir(directory);
	return true;
}

bool experiment_name_next_free(struct experiment_name *name, bool *changed, struct error *error)
{
	char path[PATH_MAX + NAME_MAX + 2];
	struct stat status;
	*changed = false;
	experiment_name_path(name, path, sizeof path);
	bool in_use = lstat(path, &status) == 0;
	if (!in_use && !name->chosen)
		return true;
	if (name->number == 0) {
		char base[NAME_MAX + 1];
		experiment_name_base(name, base, sizeof base);
		return error_set(error, "name %s is in use and cannot be updated", base);
	}
	uint64_t highest = 0;
	if (!highest_number(name, &highest, error))
		return false;
	*changed = !name->chosen;
	name->number = highest + 1;
	return true;
}

void experiment_name_base(const struct experiment_name *name, char *base, size_t size)
{
	if (name->number)
		snprintf(base, size, "%s.%" PRIu64 ".er", name->stem, name->number);
	else
		snprintf(base, size, "%s.er", name->stem);
}

void experiment_name_path(const struct experiment_name *name, char *path, size_t size)
{
	char base[NAME_MAX + 1];
	experiment_name_base(name, base, sizeof base);
	if (!join(name->directory, base, path, size))
		path[0] = '\0';
}
