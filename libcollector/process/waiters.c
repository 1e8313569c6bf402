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
static uint8_t polled[WAITERS];
uint8_t *shared_polled = polled;
struct shared_waits *shared_waits;

void waiters_forget(void)
{
	for (unsigned i = 0; i < WAITERS; i++)
		if (waiters[i]) /* pages that are not written to are not copied */
			waiters[i] = 0;
}

void waiters_share(void)
{
	if (shared_waits) /* a fork child, whose parent has done that */
		return;
	struct stat status;
	int fd = experiment_directory_open_file(&collector.founder, WAITS_FILE, O_RDWR);
	if (fd < 0)
		return;
	void *mapped = (void *)-1;
	if (system_call(SYS_fstat, fd, &status) == 0 && status.st_size == sizeof *shared_waits)
		mapped = place_map(sizeof *shared_waits, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!sys_failed(mapped)) {
		shared_waits = mapped;
		shared_waiters = shared_waits->waiters;
		shared_polled = shared_waits->polled;
	}
	sys_close(fd);
}

static void nobody(const struct waking *waking, const void *frame)
{
	(void)waking;
	(void)frame;
}

waking_taker *waking_take = nobody;
