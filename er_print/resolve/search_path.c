/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds files by a search path. */
#include "search_path.h"
#include "storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_entry(struct search_path *path, char *entry)
{
	path->entries = memory_room(path->entries, path->entry_count, sizeof *path->entries);
	path->entries[path->entry_count++] = entry;
}

void search_path_create(struct search_path *path)
{
	*path = (struct search_path){0};
	search_path_add(path, SEARCH_EXPERIMENTS ":.", true);
	path->chosen = false;
}

static void remove_entries(struct search_path *path)
{
	for (unsigned i = 0; i < path->entry_count; i++)
		free(path->entries[i]);
	path->entry_count = 0;
}

void search_path_free(struct search_path *path)
{
	remove_entries(path);
	for (unsigned i = 0; i < path->map_count; i++) {
		free(path->maps[i].from);
		free(path->maps[i].to);
	}
	free(path->entries);
	free(path->maps);
	*path = (struct search_path){0};
}

void search_path_add(struct search_path *path, const char *list, bool replace)
{
	if (replace)
		remove_entries(path);
	path->chosen = true;
	for (const char *at = list; *at; at += *at == ':') {
		char *entry = memory_new(strlen(at) + 1, 1);
		size_t length = 0;
		for (; *at && *at != ':'; at++) {
			at += *at == '\\' && at[1] == ':';
			entry[length++] = *at;
		}
		if (length)
			add_entry(path, entry);
		else
			free(entry);
	}
}

void search_path_map(struct search_path *path, const char *from, const char *to)
{
	path->maps = memory_room(path->maps, path->map_count, sizeof *path->maps);
	path->maps[path->map_count++] = (struct search_map){strdup(from), strdup(to)};
}

struct search {
	const struct data *data;
	const char *name;
	search_try *try;
	void *context;
};

static bool try_one(const struct search *search, const char *candidate)
{
	struct stat status;
	return !stat(candidate, &status) && S_ISREG(status.st_mode) && search->try(search->context, candidate);
}

static bool try_joined(const struct search *search, const char *folder, const char *rest)
{
	char *candidate;
	if (asprintf(&candidate, "%s%s%s", folder, *rest == '/' ? "" : "/", rest) < 0)
		return false;
	bool found = try_one(search, candidate);
	free(candidate);
	return found;
}

/* An experiment's names must not lead out of the folders that the user has named. */
static bool leads_up(const char *name)
{
	size_t length = strlen(name);
	return strstr(name, "/../") || !strncmp(name, "../", 3) || (length >= 3 && !strcmp(name + length - 3, "/.."));
}

static bool try_folder(const struct search *search, const char *folder)
{
	const char *base = strrchr(search->name, '/');
	const char *rest = leads_up(search->name) && base ? base : search->name;
	while (!try_joined(search, folder, rest)) {
		rest = strchr(rest + 1, '/');
		if (!rest)
			return false;
	}
	return true;
}

/* A file that is looked for in an experiment must lie in it: a link there may lead anywhere. */
struct inside {
	const struct search *search;
	const char *folder;
};

static bool try_inside(void *context, const char *candidate)
{
	const struct inside *inside = context;
	char *folder = realpath(inside->folder, 0), *file = realpath(candidate, 0);
	size_t length = folder ? strlen(folder) : 0;
	bool lies_in = folder && file && !strncmp(file, folder, length) && file[length] == '/';
	free(folder);
	free(file);
	return lies_in && inside->search->try(inside->search->context, candidate);
}

static bool try_experiment(const struct search *search, const char *folder)
{
	struct inside inside = {search, folder};
	struct search in_folder = {search->data, search->name, try_inside, &inside};
	return try_folder(&in_folder, folder);
}

static bool try_entries(const struct search *search, const struct search_path *path)
{
	for (unsigned i = 0; i < path->entry_count; i++) {
		const char *entry = path->entries[i];
		bool experiments = !strcmp(entry, SEARCH_EXPERIMENTS) || !strcmp(entry, "$");
		if (!experiments && try_folder(search, entry))
			return true;
		for (uint32_t e = 0; experiments && e < search->data->experiment_count; e++)
			if (search->data->experiments[e].founder == e &&
				try_experiment(search, search->data->experiments[e].file->path))
				return true;
	}
	return false;
}

static bool try_maps(const struct search *search, const struct search_path *path)
{
	for (unsigned i = 0; i < path->map_count; i++) {
		size_t length = strlen(path->maps[i].from);
		const char *rest = search->name + length;
		bool whole = length && path->maps[i].from[length - 1] == '/';
		if (strncmp(search->name, path->maps[i].from, length) != 0 || (!whole && *rest != '/' && *rest) ||
			leads_up(rest))
			continue;
		char *candidate;
		if (asprintf(&candidate, "%s%s%s", path->maps[i].to,
			    whole && *path->maps[i].to && path->maps[i].to[strlen(path->maps[i].to) - 1] != '/' ? "/"
														: "",
			    rest) < 0)
			continue;
		bool found = try_one(search, candidate);
		free(candidate);
		if (found)
			return true;
	}
	return false;
}

bool search_path_find(const struct search_path *path, const struct data *data, const char *name, bool recorded,
	search_try *try, void *context)
{
	struct search search = {data, name, try, context};
	if (path && path->chosen && try_entries(&search, path))
		return true;
	if (path && try_maps(&search, path))
		return true;
	if (recorded && *name == '/' && try_one(&search, name))
		return true;
	return path && !path->chosen && try_entries(&search, path);
}
