/* SPDX-License-Identifier: Apache-2.0 */
/* Reading /proc/PID/stat of any process: see process_state.h. */
#include "process_state.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool process_state_read(pid_t pid, struct process_state *state)
{
	char path[64], text[1024];
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t size = read(fd, text, sizeof text - 1);
	close(fd);
	if (size <= 0)
		return false;
	text[size] = '\0';
	/* The command's name, in parentheses, may itself have some. */
	const char *end = strrchr(text, ')');
	long parent, group;
	if (!end || sscanf(end + 1, " %c %ld %ld", &state->letter, &parent, &group) != 3)
		return false;
	state->parent = (pid_t)parent;
	state->group = (pid_t)group;
	return true;
}

bool process_descends_from(pid_t pid, pid_t ancestor)
{
	struct process_state state;
	for (int depth = 0; depth < 256 && pid > 1; depth++) {
		if (pid == ancestor)
			return true;
		if (!process_state_read(pid, &state))
			return false;
		pid = state.parent;
	}
	return false;
}

bool process_group_is_stopped(pid_t process)
{
	struct process_state first, other;
	bool all = process_state_read(process, &first);
	DIR *processes = all ? opendir("/proc") : 0;
	const struct dirent *entry;
	while (processes && all && (entry = readdir(processes))) {
		pid_t pid = (pid_t)atol(entry->d_name);
		if (pid > 0 && process_state_read(pid, &other) && other.group == first.group &&
			!strchr("TZX", other.letter) && process_descends_from(pid, process))
			all = false;
	}
	if (processes)
		closedir(processes);
	return all && processes;
}
