/* SPDX-License-Identifier: Apache-2.0 */
/* A file's kind by its first bytes, its program headers and its mode. */
#include "program_image.h"
#include "needed_library.h"
#include "system_calls.h"
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#define START_SIZE IMAGE_PATH_SIZE

#if __SIZEOF_POINTER__ == 8
#define OUR_CLASS ELFCLASS64
#else
#define OUR_CLASS ELFCLASS32
#endif

/* The loader ignores preloaded libraries of a program that runs with more privileges than its caller. The kernel gives none where
   the process has forbidden it, or the file system was mounted so. */
static bool is_privileged(int fd, const struct stat *status, enum image_privilege *privilege)
{
	uid_t user = (uid_t)system_call(SYS_geteuid);
	gid_t group = (gid_t)system_call(SYS_getegid);
	if ((status->st_mode & S_ISUID) && status->st_uid != user)
		*privilege = PRIVILEGE_USER;
	else if ((status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) && status->st_gid != group)
		*privilege = PRIVILEGE_GROUP;
	else if (user != 0 && system_call(SYS_fgetxattr, fd, "security.capability", 0, 0) > 0)
		*privilege = PRIVILEGE_CAPABILITIES;
	else
		return false;
	struct statfs filesystem;
	bool without = system_call(SYS_fstatfs, fd, &filesystem) == 0 && (filesystem.f_flags & ST_NOSUID);
	return !without && system_call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

/* The path of the loader that the file asks for, "" if it asks for none. False: the file is damaged. */
static bool read_loader(int fd, const ElfW(Ehdr) * header, char path[IMAGE_PATH_SIZE])
{
	ElfW(Phdr) segment;
	path[0] = 0;
	if (header->e_phentsize != sizeof segment)
		return false;
	for (unsigned i = 0; i < header->e_phnum; i++) {
		uint64_t at = header->e_phoff + i * sizeof segment;
		if (system_call(SYS_pread64, fd, &segment, sizeof segment, at) != (long)sizeof segment)
			return false;
		if (segment.p_type != PT_INTERP)
			continue;
		size_t size = segment.p_filesz, cut = size < IMAGE_PATH_SIZE ? 0 : size - (IMAGE_PATH_SIZE - 1);
		if (size == 0 || size > PATH_MAX)
			return false;
		size -= cut;
		if (system_call(SYS_pread64, fd, path, size, segment.p_offset + cut) != (long)size)
			return false;
		path[size] = 0;
	}
	return true;
}

static bool is_our_loader(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	return !strcmp(name, MACHINE_LOADER) || !strcmp(name, MACHINE_LOADER_BY_STANDARD);
}

static enum image image_of_elf(
	int fd, const char *start, long size, const struct stat *status, struct image_facts *facts)
{
	ElfW(Ehdr) header;
	if (size < (long)sizeof header)
		return IMAGE_DAMAGED;
	memcpy(&header, start, sizeof header);
	if (header.e_ident[EI_CLASS] != OUR_CLASS || header.e_ident[EI_DATA] != ELFDATA2LSB ||
		header.e_machine != MACHINE_ELF)
		return IMAGE_FOREIGN;
	if ((header.e_type != ET_EXEC && header.e_type != ET_DYN) || !read_loader(fd, &header, facts->path))
		return IMAGE_DAMAGED;
	if (!facts->path[0])
		return IMAGE_STATIC;
	if (!is_our_loader(facts->path))
		return IMAGE_OTHER_LIBC;
	if (is_privileged(fd, status, &facts->privilege))
		return IMAGE_PRIVILEGED;
	return needs_library(fd, &header, "libasan.so") ? IMAGE_SANITIZED : IMAGE_DYNAMIC;
}

/* The interpreter in "#! /path argument". False: there is none. */
static bool read_interpreter(const char *start, char path[IMAGE_PATH_SIZE])
{
	const char *from = start + 2 + strspn(start + 2, " \t");
	size_t size = strcspn(from, " \t\n");
	memcpy(path, from, size);
	path[size] = 0;
	return size > 0;
}

enum image image_of_file(int fd, struct image_facts *facts)
{
	char start[START_SIZE] = "";
	struct stat status;
	facts->path[0] = 0;
	long size = system_call(SYS_pread64, fd, start, sizeof start - 1, 0);
	if (size < 0 || system_call(SYS_fstat, fd, &status) < 0)
		return IMAGE_DYNAMIC;
	start[size] = 0;
	if (size >= SELFMAG && !memcmp(start, ELFMAG, SELFMAG))
		return image_of_elf(fd, start, size, &status, facts);
	if (!memcmp(start, "#!", 2) && read_interpreter(start, facts->path))
		return IMAGE_SCRIPT;
	return memchr(start, 0, (size_t)size) ? IMAGE_OTHER : IMAGE_TEXT;
}
