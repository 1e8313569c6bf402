/* SPDX-License-Identifier: Apache-2.0 */
/* Reading /proc/PID: see process_usage.h. */
#include "process_usage.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Fields of /proc/PID/stat that come behind the name, from 0; proc(5) counts them from 3. */
enum {
	STATE = 0,
	MINOR_FAULTS = 7,
	MAJOR_FAULTS = 9,
	USER_TICKS = 11,
	SYSTEM_TICKS = 12,
	THREADS = 17,
	STARTED = 19,
	FIELDS_READ = 20
};

struct stat_line {
	char state;
	uint64_t field[FIELDS_READ];
};

static bool read_file(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

static bool read_stat(pid_t pid, struct stat_line *line)
{
	char text[1024], *next;
	if (!read_file(pid, "stat", text, sizeof text) || !(next = strrchr(text, ')')) || !next[1])
		return false;
	next += 2;
	line->state = *next++;
	for (unsigned i = STATE + 1; i < FIELDS_READ; i++)
		line->field[i] = strtoull(next, &next, 10);
	return true;
}

static bool identity_of(pid_t pid, const struct stat_line *line, struct process_identity *identity)
{
	char path[64];
	struct stat status;
	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	*identity = (struct process_identity){.started = line->field[STARTED]};
	if (stat(path, &status) == 0) {
		identity->device = status.st_dev;
		identity->inode = status.st_ino;
	}
	return line->state != 'Z' && line->state != 'X';
}

bool process_identify(pid_t pid, struct process_identity *identity)
{
	struct stat_line line;
	return read_stat(pid, &line) && identity_of(pid, &line, identity);
}

/* Its CPU clock is exact; stat has the shares of user and system time. */
static void read_times(pid_t pid, const struct stat_line *line, struct sample_values *usage)
{
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return;
	uint64_t used = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	uint64_t all = line->field[USER_TICKS] + line->field[SYSTEM_TICKS];
	uint64_t user = all ? (uint64_t)((double)used * (double)line->field[USER_TICKS] / (double)all) : used;
	user = user < used ? user : used;
	sample_set(usage, SAMPLE_user, user);
	sample_set(usage, SAMPLE_system, used - user);
}

/* A line "NAME: NUMBER" of a file. */
static void read_named(const char *text, const char *name, struct sample_values *usage, enum sample_field field)
{
	const char *found = strstr(text, name);
	uint64_t value;
	if (found && (found == text || found[-1] == '\n') && sscanf(found + strlen(name), " %" SCNu64, &value) == 1)
		sample_set(usage, field, value);
}

bool process_usage_read(pid_t pid, const struct process_identity *identity, struct sample_values *usage)
{
	struct stat_line line;
	struct process_identity now;
	char text[4096];
	*usage = (struct sample_values){.known = {false}};
	if (!read_stat(pid, &line) || !identity_of(pid, &line, &now) || now.started != identity->started ||
		now.device != identity->device || now.inode != identity->inode)
		return false;
	read_times(pid, &line, usage);
	sample_set(usage, SAMPLE_minor_faults, line.field[MINOR_FAULTS]);
	sample_set(usage, SAMPLE_major_faults, line.field[MAJOR_FAULTS]);
	bool status = read_file(pid, "status", text, sizeof text);
	if (status)
		sample_read_status(usage, text);
	if (line.field[THREADS] != 1)
		return true;
	if (status) {
		read_named(text, "voluntary_ctxt_switches:", usage, SAMPLE_voluntary_switches);
		read_named(text, "nonvoluntary_ctxt_switches:", usage, SAMPLE_involuntary_switches);
	}
	/* Not the process's own file, which has what its children used, too. */
	char name[64];
	snprintf(name, sizeof name, "task/%ld/io", (long)pid);
	if (read_file(pid, name, text, sizeof text)) {
		read_named(text, "read_bytes:", usage, SAMPLE_read_bytes);
		read_named(text, "write_bytes:", usage, SAMPLE_write_bytes);
	}
	return true;
}
