/* SPDX-License-Identifier: Apache-2.0 */
/* Checking an executable before it is run: see executable.h. */
#include "executable.h"
#include "machine.h"
#include "program_image.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Sets the error of an image that nothing can be preloaded into. True: it is fine. */
static bool check_image(const char *name, enum image image, const struct image_facts *facts, struct error *error)
{
	switch (image) {
	case IMAGE_FOREIGN:
		return error_set(
			error, "Target architecture of executable `%s' is not supported on this machine", name);
	case IMAGE_STATIC:
		return error_set(error,
			"Target executable `%s' must be built with shared libraries: it is linked statically, and "
			"nothing can be preloaded into it",
			name);
	case IMAGE_OTHER_LIBC:
		return error_set(error,
			"Target executable `%s' needs the dynamic loader %s; only programs of this C library "
			"(%s) can be recorded",
			name, facts->path, MACHINE_LOADER);
	case IMAGE_PRIVILEGED:
		if (facts->privilege == PRIVILEGE_CAPABILITIES)
			return error_set(error,
				"Target executable `%s' gains capabilities from its file: it cannot be recorded by "
				"this user",
				name);
		return error_set(error, "Target executable `%s' is set%sid: it cannot be recorded by this user", name,
			facts->privilege == PRIVILEGE_USER ? "u" : "g");
	case IMAGE_DAMAGED:
	case IMAGE_OTHER:
		return error_set(error, "Target `%s' is not a valid ELF executable", name);
	default:
		return true;
	}
}

static bool check_script(
	const char *name, const char *interpreter, unsigned depth, struct executable *kind, struct error *error);

static bool check_file(const char *name, const char *path, unsigned depth, struct executable *kind, struct error *error)
{
	struct image_facts facts;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return true;
	enum image image = image_of_file(fd, &facts);
	close(fd);
	if (image == IMAGE_SCRIPT)
		return check_script(name, facts.path, depth + 1, kind, error);
	kind->shell_script = image == IMAGE_TEXT;
	kind->sanitized = image == IMAGE_SANITIZED;
	return check_image(name, image, &facts, error);
}

static bool check_script(
	const char *name, const char *interpreter, unsigned depth, struct executable *kind, struct error *error)
{
	if (depth > INTERPRETERS_MAX)
		return error_set(error, "Target `%s': too many levels of interpreters", name);
	if (access(interpreter, X_OK) != 0)
		return error_set(
			error, "Interpreter %s of target `%s' cannot be run: %s", interpreter, name, strerror(errno));
	if (!check_file(interpreter, interpreter, depth, kind, error))
		return error_context(error, "Interpreter of target `%s'", name);
	return true;
}

bool executable_check(const char *name, const char *path, struct executable *kind, struct error *error)
{
	*kind = (struct executable){.shell_script = false};
	return check_file(name, path, 0, kind, error);
}
