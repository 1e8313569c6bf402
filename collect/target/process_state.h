/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a process and its place among the others, from /proc. */
#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H

#include <stdbool.h>
#include <sys/types.h>

/* Fields of /proc/PID/stat: proc(5). */
struct process_state {
	char letter; /* 'T': stopped */
	pid_t parent, group;
};

/* False: it is gone. */
bool process_state_read(pid_t pid, struct process_state *state);
/* Whether it is the ancestor, or a process that it or its descendants started and that has its parent still. */
bool process_descends_from(pid_t pid, pid_t ancestor);
/* Whether all of a process's descendants that are in its process group are stopped, too. */
bool process_group_is_stopped(pid_t process);

#endif
