/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of posix_spawn and popen: the child finds its experiment. */
#include "blocking_call.h"
#include "collector.h"
#include "departure.h"
#include "environment_block.h"
#include "hold.h"
#include "interpose.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

/* libc's FILE: <stdio.h> is not for the collector, which only hands it through. */
struct _IO_FILE *popen(const char *command, const char *type);

/* The caller waits until the child has become the program. */
INTERPOSE int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
	struct departure departure;
	departure_spawn(&departure, image_of(AT_FDCWD, path), environment);
	pid_t own = 0;
	pid = pid ? pid : &own;
	int code = BLOCKING_CALL(
		int, STATE_CHILD, REAL(posix_spawn)(pid, path, actions, attributes, arguments, departure.environment));
	departure_spawned(&departure, "posix_spawn", path, code, code ? 0 : *pid);
	return code;
}

INTERPOSE int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
	struct departure departure;
	departure_spawn(&departure, image_of_command(file), environment);
	pid_t own = 0;
	pid = pid ? pid : &own;
	int code = BLOCKING_CALL(
		int, STATE_CHILD, REAL(posix_spawnp)(pid, file, actions, attributes, arguments, departure.environment));
	departure_spawned(&departure, "posix_spawnp", file, code, code ? 0 : *pid);
	return code;
}

/* libc spawns the shell of popen with the process's environment, so that is what must be ours for the moment of the call.
   What another thread changes meanwhile is kept: ours is then taken out of what it made. */
INTERPOSE struct _IO_FILE *popen(const char *command, const char *type)
{
	static struct hold hold;
	struct departure departure;
	departure_spawn(&departure, image_of(AT_FDCWD, "/bin/sh"), environ);
	bool swapped = departure.memory && hold_take(&hold);
	char **before = environ;
	if (swapped)
		environ = (char **)departure.environment;
	struct _IO_FILE *stream = REAL(popen)(command, type);
	int code = errno;
	if (swapped) {
		if (environ == departure.environment)
			environ = before;
		else
			environment_clean(environ, collector.settings.library);
		hold_release(&hold);
	}
	departure_spawned(&departure, "popen", command, stream ? 0 : code, 0);
	errno = code;
	return stream;
}
