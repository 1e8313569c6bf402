/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of program that a file is, read from its first bytes and its mode. */
#include "image.h"
#include "sanitized.h"
#include "system_calls.h"
#include "text.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPTS_MAX 5 /* interpreters that are scripts themselves; the kernel's limit */
#define START_SIZE  512
#define PATH_SIZE   4096

#define LOADER_MOST 64 /* bytes of a loader's name */

#if defined(__x86_64__)
#define OUR_MACHINE            EM_X86_64
#define OUR_LOADER             "ld-linux-x86-64.so.2"
#define OUR_LOADER_BY_STANDARD "ld-lsb-x86-64.so.3" /* a link to it, for programs of the Linux Standard Base */
#elif defined(__aarch64__)
#define OUR_MACHINE            EM_AARCH64
#define OUR_LOADER             "ld-linux-aarch64.so.1"
#define OUR_LOADER_BY_STANDARD OUR_LOADER
#endif

static bool is_privileged(int fd, const struct stat *status)
{
	uid_t user = (uid_t)system_call(SYS_geteuid);
	gid_t group = (gid_t)system_call(SYS_getegid);
	if (((status->st_mode & S_ISUID) && status->st_uid != user) ||
		((status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) && status->st_gid != group))
		return true;
	return user != 0 && system_call(SYS_fgetxattr, fd, "security.capability", 0, 0) > 0;
}

/* The loader that the file asks for: its name without folders, cut at LOADER_MOST. False: it asks for none. */
static bool read_loader(int fd, const ElfW(Ehdr) * header, char name[LOADER_MOST])
{
	for (unsigned i = 0; i < header->e_phnum; i++) {
		ElfW(Phdr) segment;
		if (system_call(SYS_pread64, fd, &segment, sizeof segment, header->e_phoff + i * sizeof segment) !=
			(long)sizeof segment)
			return false;
		if (segment.p_type != PT_INTERP)
			continue;
		char path[PATH_SIZE] = "";
		size_t size = segment.p_filesz < sizeof path ? segment.p_filesz : sizeof path - 1;
		system_call(SYS_pread64, fd, path, size, segment.p_offset);
		const char *slash = strrchr(path, '/');
		struct text text = {.bytes = name, .capacity = LOADER_MOST - 1};
		text_string(&text, slash ? slash + 1 : path);
		name[text.size] = 0;
		return true;
	}
	return false;
}

static enum image elf_image(int fd, const char *start)
{
	ElfW(Ehdr) header;
	memcpy(&header, start, sizeof header);
	if (header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
		header.e_machine != OUR_MACHINE)
		return IMAGE_FOREIGN;
	char loader[LOADER_MOST] = "";
	if (!read_loader(fd, &header, loader))
		return IMAGE_STATIC;
	if (strcmp(loader, OUR_LOADER) != 0 && strcmp(loader, OUR_LOADER_BY_STANDARD) != 0)
		return IMAGE_OTHER_LIBC;
	return needs_address_sanitizer(fd, &header) ? IMAGE_SANITIZED : IMAGE_DYNAMIC;
}

/* The interpreter in "#! /path argument", cut out in place; 0 if there is none. */
static const char *interpreter(char *start)
{
	char *path = start + 2 + strspn(start + 2, " \t");
	path[strcspn(path, " \t\n")] = 0;
	return path[0] ? path : 0;
}

/* Opens a file that can be executed, and reads its start. -1: it cannot. Readable files only: of others nothing is known,
   which *unknown says. */
static int open_image(int directory, const char *path, char start[START_SIZE], struct stat *status, bool *unknown)
{
	int flags = path[0] ? 0 : AT_EMPTY_PATH;
	*unknown = false;
	if (system_call(SYS_newfstatat, directory, path, status, flags) < 0 || !S_ISREG(status->st_mode))
		return -1;
	if (path[0] && system_call(SYS_faccessat, directory, path, X_OK) < 0)
		return -1;
	int fd = path[0] ? sys_openat(directory, path, O_RDONLY | O_CLOEXEC, 0)
			 : (int)system_call(SYS_fcntl, directory, F_DUPFD_CLOEXEC, 0);
	long size = fd < 0 ? -1 : system_call(SYS_pread64, fd, start, START_SIZE - 1, 0);
	if (size < 0) {
		*unknown = true;
		if (fd >= 0)
			sys_close(fd);
		return -1;
	}
	memset(start + size, 0, (size_t)(START_SIZE - size));
	return fd;
}

enum image image_of(int directory, const char *path)
{
	char start[START_SIZE], script[START_SIZE];
	struct stat status;
	for (int depth = 0; depth <= SCRIPTS_MAX; depth++) {
		bool unknown;
		int fd = open_image(directory, path, start, &status, &unknown);
		if (fd < 0)
			return unknown ? IMAGE_DYNAMIC : IMAGE_MISSING;
		enum image image = IMAGE_DYNAMIC;
		const char *next = 0;
		if (memcmp(start, "#!", 2) == 0)
			next = interpreter(start);
		else if (is_privileged(fd, &status))
			image = IMAGE_PRIVILEGED;
		else if (memcmp(start, ELFMAG, SELFMAG) == 0)
			image = elf_image(fd, start);
		sys_close(fd);
		if (!next)
			return image;
		path = strcpy(script, next);
		directory = AT_FDCWD;
	}
	return IMAGE_DYNAMIC;
}

enum image image_of_command(const char *file)
{
	if (strchr(file, '/') || !file[0])
		return image_of(AT_FDCWD, file);
	const char *list = getenv("PATH");
	for (list = list ? list : "/bin:/usr/bin";; list++) {
		char path[PATH_SIZE];
		struct text text = {.bytes = path, .capacity = sizeof path - 1};
		size_t length = strcspn(list, ":");
		text_append(&text, list, length);
		if (length)
			text_append(&text, "/", 1);
		text_string(&text, file);
		path[text.size] = 0;
		enum image image = text.cut ? IMAGE_MISSING : image_of(AT_FDCWD, path);
		if (image != IMAGE_MISSING)
			return image;
		list += length;
		if (!*list)
			return IMAGE_MISSING;
	}
}

const char *image_reason(enum image image)
{
	switch (image) {
	case IMAGE_STATIC:
		return "not followed: a statically linked program";
	case IMAGE_PRIVILEGED:
		return "not followed: a program with privileges of its own (set-user-id, set-group-id or capabilities)";
	case IMAGE_SANITIZED:
		return "not followed: AddressSanitizer ends a program into which another library was preloaded; "
		       "with verify_asan_link_order=0 in ASAN_OPTIONS it is followed";
	case IMAGE_FOREIGN:
		return "not followed: a program of another architecture";
	case IMAGE_OTHER_LIBC:
		return "not followed: a program of another C library, whose dynamic loader cannot load the collector";
	case IMAGE_DYNAMIC:
	case IMAGE_MISSING:
		break;
	}
	return 0;
}
