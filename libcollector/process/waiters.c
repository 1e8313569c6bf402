/* SPDX-License-Identifier: Apache-2.0 */
/* The table, and where the ends of waits go: see waiters.h. */
#include "waiters.h"
#include "place.h"
#include "system_calls.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

uint32_t waiters[WAITERS];
uint32_t *shared_waiters = waiters;

void waiters_forget(void)
{
	for (unsigned i = 0; i < WAITERS; i++)
		if (waiters[i]) /* pages that are not written to are not copied */
			waiters[i] = 0;
}

void waiters_share(void)
{
	if (shared_waiters != waiters) /* a fork child, whose parent has done that */
		return;
	struct stat status;
	int fd = experiment_directory_open_file(&collector.founder, WAITERS_FILE, O_RDWR);
	if (fd < 0)
		return;
	void *mapped = (void *)-1;
	if (system_call(SYS_fstat, fd, &status) == 0 && status.st_size == sizeof waiters)
		mapped = place_map(sizeof waiters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!sys_failed(mapped))
		shared_waiters = mapped;
	sys_close(fd);
}

static void nobody(const struct waking *waking, const void *frame)
{
	(void)waking;
	(void)frame;
}

waking_taker *waking_take = nobody;
