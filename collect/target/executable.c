/* SPDX-License-Identifier: Apache-2.0 */
/* Checking an executable before it is run: see executable.h. */
#include "executable.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#if __SIZEOF_POINTER__ == 8
#define OUR_CLASS ELFCLASS64
#else
#define OUR_CLASS ELFCLASS32
#endif
#if defined __x86_64__
#define OUR_MACHINE EM_X86_64
#elif defined __aarch64__
#define OUR_MACHINE EM_AARCH64
#else
#error "unknown machine: name its EM_ constant here"
#endif
#define INTERPRETERS_MAX 5 /* scripts run by scripts; the kernel's limit is 5 too */

/* The dynamic loader (PT_INTERP) of an ELF file of our class, "" if it has none. False if the file is damaged. */
static bool loader_of(int fd, const ElfW(Ehdr) * header, char loader[PATH_MAX])
{
	loader[0] = '\0';
	if (header->e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	for (unsigned i = 0; i < header->e_phnum; i++) {
		ElfW(Phdr) segment;
		off_t offset = (off_t)(header->e_phoff + i * sizeof segment);
		if (pread(fd, &segment, sizeof segment, offset) != (ssize_t)sizeof segment)
			return false;
		if (segment.p_type != PT_INTERP)
			continue;
		if (segment.p_filesz == 0 || segment.p_filesz >= PATH_MAX)
			return false;
		if (pread(fd, loader, segment.p_filesz, (off_t)segment.p_offset) != (ssize_t)segment.p_filesz)
			return false;
		loader[segment.p_filesz] = '\0';
	}
	return true;
}

static bool read_header(int fd, ElfW(Ehdr) * header)
{
	return pread(fd, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
	       memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Another C library has another loader, which cannot load a collector that is linked with ours. */
static bool check_loader(const char *name, const char *loader, struct error *error)
{
	char ours[PATH_MAX] = "";
	ElfW(Ehdr) header;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool known = fd >= 0 && read_header(fd, &header) && loader_of(fd, &header, ours) && ours[0];
	if (fd >= 0)
		close(fd);
	if (known && strcmp(base_of(ours), base_of(loader)) != 0)
		return error_set(error,
			"Target executable `%s' needs the dynamic loader %s; only programs of this C library "
			"(%s) can be recorded",
			name, loader, ours);
	return true;
}

static bool check_elf(const char *name, int fd, struct error *error)
{
	ElfW(Ehdr) header;
	char loader[PATH_MAX];
	if (!read_header(fd, &header))
		return error_set(error, "Target `%s' is not a valid ELF executable", name);
	if (header.e_ident[EI_CLASS] != OUR_CLASS || header.e_ident[EI_DATA] != ELFDATA2LSB ||
		header.e_machine != OUR_MACHINE)
		return error_set(
			error, "Target architecture of executable `%s' is not supported on this machine", name);
	if ((header.e_type != ET_EXEC && header.e_type != ET_DYN) || !loader_of(fd, &header, loader))
		return error_set(error, "Target `%s' is not a valid ELF executable", name);
	if (!loader[0])
		return error_set(error,
			"Target executable `%s' must be built with shared libraries: it is linked statically, and "
			"nothing can be preloaded into it",
			name);
	return check_loader(name, loader, error);
}

/* The loader ignores preloaded libraries of a program that runs with more privileges than its caller. */
static bool check_privileges(const char *name, const char *path, const struct stat *status, struct error *error)
{
	struct statvfs filesystem;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return true;
	if (statvfs(path, &filesystem) == 0 && (filesystem.f_flag & ST_NOSUID))
		return true;
	bool user = (status->st_mode & S_ISUID) && status->st_uid != geteuid();
	bool group = (status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) && status->st_gid != getegid();
	if (user || group)
		return error_set(error, "Target executable `%s' is set%sid: it cannot be recorded by this user", name,
			user ? "u" : "g");
	if (geteuid() != 0 && getxattr(path, "security.capability", 0, 0) > 0)
		return error_set(error,
			"Target executable `%s' gains capabilities from its file: it cannot be recorded by this user",
			name);
	return true;
}

/* The interpreter of a "#!" line in the first bytes of a script. False: there is none. */
static bool interpreter_of(const char *start, size_t size, char interpreter[PATH_MAX])
{
	if (size < 3 || start[0] != '#' || start[1] != '!')
		return false;
	const char *end = memchr(start, '\n', size);
	if (!end)
		end = start + size;
	const char *from = start + 2;
	while (from < end && (*from == ' ' || *from == '\t'))
		from++;
	const char *to = from;
	while (to < end && *to != ' ' && *to != '\t' && *to != '\r')
		to++;
	if (from == to)
		return false;
	memcpy(interpreter, from, (size_t)(to - from));
	interpreter[to - from] = '\0';
	return true;
}

static bool check_script(const char *name, const char *path, unsigned depth, bool *shell_script, struct error *error);

static bool check_file(const char *name, const char *path, unsigned depth, bool *shell_script, struct error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return true;
	struct stat status;
	char start[256];
	ssize_t size = pread(fd, start, sizeof start, 0);
	bool ok = true;
	if (fstat(fd, &status) == 0 && size >= 0) {
		char interpreter[PATH_MAX];
		if (size >= SELFMAG && memcmp(start, ELFMAG, SELFMAG) == 0)
			ok = check_elf(name, fd, error) && check_privileges(name, path, &status, error);
		else if (interpreter_of(start, (size_t)size, interpreter))
			ok = check_script(name, interpreter, depth + 1, shell_script, error);
		else if (memchr(start, '\0', (size_t)size))
			ok = error_set(error, "Target `%s' is not a valid ELF executable", name);
		else
			*shell_script = true;
	}
	close(fd);
	return ok;
}

static bool check_script(const char *name, const char *path, unsigned depth, bool *shell_script, struct error *error)
{
	if (depth > INTERPRETERS_MAX)
		return error_set(error, "Target `%s': too many levels of interpreters", name);
	if (access(path, X_OK) != 0)
		return error_set(error, "Interpreter %s of target `%s' cannot be run: %s", path, name, strerror(errno));
	if (!check_file(path, path, depth, shell_script, error))
		return error_context(error, "Interpreter of target `%s'", name);
	return true;
}

bool executable_check(const char *name, const char *path, bool *shell_script, struct error *error)
{
	*shell_script = false;
	return check_file(name, path, 0, shell_script, error);
}
