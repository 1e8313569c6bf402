/* SPDX-License-Identifier: Apache-2.0 */
/* The stops are in the file that all processes of the experiment map: see founder_stops.h. */
#include "founder_stops.h"
#include "monotonic.h"
#include "process_state.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void founder_stops_start(struct founder_stops *stops, const struct created *created)
{
	char path[PATH_MAX + sizeof WAITS_FILE + 1];
	struct stat status;
	*stops = (struct founder_stops){0};
	snprintf(path, sizeof path, "%s/%s", created->path, WAITS_FILE);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	void *mapped = MAP_FAILED;
	if (fstat(fd, &status) == 0 && status.st_size == sizeof *stops->waits)
		mapped = mmap(0, sizeof *stops->waits, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	stops->waits = mapped == MAP_FAILED ? 0 : mapped;
	close(fd);
}

void founder_stops_end(struct founder_stops *stops)
{
	if (stops->waits)
		munmap(stops->waits, sizeof *stops->waits);
	*stops = (struct founder_stops){0};
}

/* The process group of which all the founder's descendants are stopped; 0: not all are. A terminal stops them one after the
   other. */
static uint64_t stopped_group(pid_t founder)
{
	const struct timespec soon = {.tv_nsec = 2000000};
	bool all = process_group_is_stopped(founder);
	if (!all)
		nanosleep(&soon, 0);
	pid_t group = all || process_group_is_stopped(founder) ? getpgid(founder) : 0;
	return group > 0 ? (uint64_t)group : 0;
}

void founder_stopped(struct founder_stops *stops, pid_t founder)
{
	founder_continued(stops);
	if (!stops->waits)
		return;
	uint64_t number = stops->waits->stop_count;
	stops->open = &stops->waits->stops[number % STOPS];
	stops->open->process = (uint64_t)founder;
	stops->open->group = stopped_group(founder);
	stops->open->from = monotonic_now();
	__atomic_store_n(&stops->open->to, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&stops->waits->stop_count, number + 1, __ATOMIC_RELEASE);
}

void founder_continued(struct founder_stops *stops)
{
	if (stops->open)
		__atomic_store_n(&stops->open->to, monotonic_now(), __ATOMIC_RELAXED);
	stops->open = 0;
}
