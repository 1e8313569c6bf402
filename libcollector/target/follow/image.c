/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the file that will be run, and through scripts what runs it. */
#include "image.h"
#include "system_calls.h"
#include "text.h"
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a file that can be executed. -1: it cannot. Readable files only: of others nothing is known, which *unknown says. */
static int open_image(int directory, const char *path, bool *unknown)
{
	struct stat status;
	int flags = path[0] ? 0 : AT_EMPTY_PATH;
	*unknown = false;
	if (system_call(SYS_newfstatat, directory, path, &status, flags) < 0 || !S_ISREG(status.st_mode))
		return -1;
	if (path[0] && system_call(SYS_faccessat, directory, path, X_OK) < 0)
		return -1;
	int fd = path[0] ? sys_openat(directory, path, O_RDONLY | O_CLOEXEC, 0)
			 : (int)system_call(SYS_fcntl, directory, F_DUPFD_CLOEXEC, 0);
	*unknown = fd < 0;
	return fd < 0 ? -1 : fd;
}

enum image image_of(int directory, const char *path)
{
	struct image_facts facts;
	char interpreter[IMAGE_PATH_SIZE];
	for (int depth = 0; depth <= INTERPRETERS_MAX; depth++) {
		bool unknown;
		int fd = open_image(directory, path, &unknown);
		if (fd < 0)
			return unknown ? IMAGE_DYNAMIC : IMAGE_MISSING;
		enum image image = image_of_file(fd, &facts);
		sys_close(fd);
		if (image != IMAGE_SCRIPT)
			return image > IMAGE_OTHER_LIBC ? IMAGE_DYNAMIC : image;
		path = strcpy(interpreter, facts.path);
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
		char path[PATH_MAX];
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
	default:
		break;
	}
	return 0;
}

bool environment_permits_preload(char *const *environment)
{
	static const char variable[] = SANITIZER_VARIABLE "=";
	for (; environment && *environment; environment++)
		if (strncmp(*environment, variable, strlen(variable)) == 0)
			return strstr(*environment, SANITIZER_PERMIT) != 0;
	return false;
}
