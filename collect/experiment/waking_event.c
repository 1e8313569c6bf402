/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the tracepoint's description: see waking_event.h. Source: Documentation/trace/events.rst of Linux. */
#include "waking_event.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Inode of the first namespace of process ids (include/linux/proc_ns.h): in another one the tracepoint's ids are not those that
   the program sees. */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCu

static FILE *open_description(void)
{
	static const char *const paths[] = {"/sys/kernel/tracing/events/sched/sched_waking/format",
		"/sys/kernel/debug/tracing/events/sched/sched_waking/format"};
	struct stat namespace;
	if (stat("/proc/self/ns/pid", &namespace) != 0 || namespace.st_ino != FIRST_PID_NAMESPACE)
		return 0;
	FILE *description = fopen(paths[0], "re");
	return description ? description : fopen(paths[1], "re");
}

void waking_event_find(struct shared_waits *waits)
{
	FILE *description = open_description();
	char line[256];
	uint32_t number = 0, at = 0;
	if (!description)
		return;
	while (fgets(line, sizeof line, description)) {
		sscanf(line, "ID: %u", &number);
		sscanf(line, " field:pid_t pid; offset:%u;", &at);
	}
	fclose(description);
	if (!number || !at)
		return;
	waits->waking_event = number;
	waits->waking_thread_at = at;
}

int waking_event_hold(uint32_t number)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof attributes, .config = number, .disabled = 1};
	return number ? (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) : -1;
}

/* This process is to keep nobody waiting who reads what we write, or waits until all who could write are gone. */
static void close_all_but(int kept)
{
	enum { OLD_KERNEL_MOST = 1024 }; /* before 5.9 there is no close_range */
	if (dup2(kept, 0) < 0)
		return;
	if (syscall(SYS_close_range, 1u, ~0u, 0) != 0)
		for (int fd = 1; fd < OLD_KERNEL_MOST; fd++)
			close(fd);
}

void waking_event_let_go(int held)
{
	if (held < 0)
		return;
	if (fork() == 0) {
		close_all_but(held);
		_exit(0);
	}
	close(held);
}
