/* SPDX-License-Identifier: Apache-2.0 */
/* Entering a founder as a rank: see mpi_rank.h. */
#include "mpi_rank.h"
#include "environment.h"
#include "preload.h"
#include "run.h"
#include "sanitizer.h"
#include "target.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WAITS = 1000, WAIT_NANOSECONDS = 10000000 }; /* 10 seconds for another rank to make the founder */

/* The first of them that is set. */
static const char *first_of(const char *const *names)
{
	for (; *names; names++) {
		const char *value = getenv(*names);
		if (value && value[0])
			return value;
	}
	return 0;
}

/* MPICH's launcher has no name for a job, but one process on each host that starts its ranks. */
static void name_by_parent(char *job, size_t size)
{
	char path[64], text[1024] = "";
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)getppid());
	FILE *file = fopen(path, "re");
	if (file && !fgets(text, sizeof text, file))
		text[0] = '\0';
	if (file)
		fclose(file);
	/* When it started is the 22nd field, the 20th after the name in parentheses. */
	const char *field = strrchr(text, ')');
	for (unsigned i = 0; field && i < 20; i++)
		field = strchr(field + 1, ' ');
	snprintf(job, size, "parent-%ld-%.*s", (long)getppid(), field ? (int)strcspn(field + 1, " ") : 0,
		field ? field + 1 : "");
}

struct mpi_rank mpi_rank_of_environment(void)
{
	static const char *const ranks[] = {MPI_RANK_VARIABLES, 0}, *const jobs[] = {MPI_JOB_VARIABLES, 0};
	struct mpi_rank rank = {.known = false};
	const char *value = first_of(ranks), *job = first_of(jobs);
	char *end;
	if (!value || value[0] < '0' || value[0] > '9')
		return rank;
	rank.rank = strtoull(value, &end, 10);
	rank.known = *end == '\0';
	if (job)
		snprintf(rank.job, sizeof rank.job, "%s", job);
	else
		name_by_parent(rank.job, sizeof rank.job);
	return rank;
}

static bool is_whole(const char *founder)
{
	/* The last thing that is made of it. */
	char path[PATH_MAX + 16];
	struct stat status;
	snprintf(path, sizeof path, "%s/archives", founder);
	return stat(path, &status) == 0;
}

static bool read_settings(const char *founder, struct settings *settings)
{
	char path[PATH_MAX + 16], text[SETTINGS_TEXT_MAX];
	unsigned line;
	snprintf(path, sizeof path, "%s/" SETTINGS_FILE, founder);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text);
	if (fd >= 0)
		close(fd);
	settings_default(settings);
	return size > 0 && settings_decode(settings, text, (size_t)size, &line);
}

bool mpi_founder_settings(
	const char *founder, const struct mpi_rank *rank, struct settings *settings, struct error *error)
{
	char host[256] = "this host";
	gethostname(host, sizeof host - 1);
	struct stat status;
	if (stat(founder, &status) != 0)
		return error_set(error,
			"The experiment %s cannot be reached on %s: %s; with -o or -d, put it where all hosts of the "
			"job see "
			"it",
			founder, host, strerror(errno));
	for (unsigned i = 0; i < WAITS && !is_whole(founder); i++)
		nanosleep(&(const struct timespec){.tv_nsec = WAIT_NANOSECONDS}, 0);
	if (!read_settings(founder, settings))
		return error_set(error, "%s has no settings to record by", founder);
	/* A spawned rank has a job of its own. */
	if (settings->mpi_job[0] && !rank->spawned && strcmp(settings->mpi_job, rank->job) != 0)
		return error_set(error, "name %s is in use and cannot be updated", founder);
	return true;
}

void mpi_rank_become(const char *founder, const struct settings *settings, const struct mpi_rank *rank, char **argv,
	struct error *error)
{
	struct target target;
	struct inherited inherited;
	bool was_there;
	char lineage[64];
	snprintf(lineage, sizeof lineage, "M_r%" PRIu64 "%s%.16s", rank->rank, rank->spawned ? LINEAGE_SPAWNED : "",
		rank->spawned ? rank->spawned : "");
	if (!target_find(argv[0], &target, error))
		return;
	if (access(settings->library, R_OK) != 0) {
		error_set(error, "Cannot read the collector %s: %s", settings->library, strerror(errno));
		return;
	}
	run_block_signals(&inherited);
	if (!preload_set_environment(settings->library, founder, lineage, &was_there, error))
		return;
	if (target.kind.sanitized)
		sanitizer_permit_preload();
	run_hold_signal(&inherited, (int)settings->pause_signal);
	run_hold_signal(&inherited, (int)settings->sample_signal);
	run_over_ourselves(&target, argv, 0, &inherited, error);
}
