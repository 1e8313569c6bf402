/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds separate debug files. */
#include "debug_file.h"
#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char debug_root[] = "/usr/lib/debug";

bool elf_file_has_debug(const struct elf_file *file)
{
	GElf_Shdr header;
	return (elf_file_section(file, ".debug_info", &header) || elf_file_section(file, ".zdebug_info", &header)) &&
	       header.sh_type != SHT_NOBITS;
}

/* Opens a candidate; keeps it if it is the debug file of what has this build-id. */
static struct elf_file *open_matching(const char *path, const char *build_id)
{
	struct error ignored;
	struct elf_file *debug = elf_file_open(path, &ignored);
	if (debug && !strcmp(debug->build_id, build_id))
		return debug;
	elf_file_close(debug);
	return 0;
}

static struct elf_file *by_build_id(const char *build_id)
{
	char path[PATH_MAX];
	if (strlen(build_id) < 4)
		return 0;
	snprintf(path, sizeof path, "%s/.build-id/%.2s/%s.debug", debug_root, build_id, build_id + 2);
	return open_matching(path, build_id);
}

static struct elf_file *by_checksum(const char *path, GElf_Word expected)
{
	struct error ignored;
	struct elf_file *debug = elf_file_open(path, &ignored);
	if (debug && crc32_z(0, (const unsigned char *)debug->bytes, debug->size) == expected)
		return debug;
	elf_file_close(debug);
	return 0;
}

static struct elf_file *by_link(const struct elf_file *file, const char *path)
{
	GElf_Word checksum;
	const char *name = dwelf_elf_gnu_debuglink(file->elf, &checksum);
	const char *slash = strrchr(path, '/');
	if (!name || !*name || strchr(name, '/') || !slash || path[0] != '/')
		return 0;
	static const char *const forms[] = {"%s%.*s/%s", "%s%.*s/.debug/%s", "%s%.*s/%s"};
	struct elf_file *debug = 0;
	for (int i = 0; i < 3 && !debug; i++) {
		char candidate[PATH_MAX];
		int length = snprintf(candidate, sizeof candidate, forms[i], i == 2 ? debug_root : "",
			(int)(slash - path), path, name);
		if (length < 0 || length >= (int)sizeof candidate || !strcmp(candidate, file->path))
			continue;
		/* A build-id is found at once; the checksum of .gnu_debuglink takes reading a file of perhaps gigabytes. */
		debug = *file->build_id ? open_matching(candidate, file->build_id) : by_checksum(candidate, checksum);
	}
	return debug;
}

/* The functions of libdebuginfod that are used; the client is opaque. */
typedef void *client_begin(void);
typedef void client_end(void *client);
typedef int client_find(void *client, const unsigned char *build_id, int build_id_length, char **path);

/* libdebuginfod is loaded only when it is asked for: it brings half a web client with it. */
static struct elf_file *fetch(const char *build_id, const char *function)
{
	void *library = *build_id ? dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL) : 0;
	if (!library)
		return 0;
	client_begin *begin = (client_begin *)dlsym(library, "debuginfod_begin");
	client_end *end = (client_end *)dlsym(library, "debuginfod_end");
	client_find *find = (client_find *)dlsym(library, function);
	void *client = begin && end && find ? begin() : 0;
	struct elf_file *found = 0;
	if (client) {
		char *path = 0;
		int fd = find(client, (const unsigned char *)build_id, 0, &path); /* length 0: in hexadecimal */
		if (fd >= 0) {
			close(fd);
			found = open_matching(path, build_id);
			free(path);
		}
		end(client);
	}
	return found;
}

struct elf_file *debug_file_fetch_object(const char *build_id)
{
	return fetch(build_id, "debuginfod_find_executable");
}

struct elf_file *debug_file_find(const struct elf_file *file, const char *path, const char *build_id, bool debuginfod)
{
	struct elf_file *debug = by_build_id(build_id);
	if (!debug && file)
		debug = by_link(file, path);
	if (!debug && debuginfod)
		debug = fetch(build_id, "debuginfod_find_debuginfo");
	return debug;
}
