/* SPDX-License-Identifier: Apache-2.0 */
/* The account is the second number of /proc/thread-self/schedstat. Source: Documentation/scheduler/sched-stats.rst of Linux,
   "/proc/<pid>/schedstat". */
#include "run_delay.h"
#include "collector.h"
#include "descriptors.h"
#include "plausible_delay.h"
#include "system_calls.h"
#include <fcntl.h>

/* Nanoseconds. Reading it takes 1 to 3 us, 3 in a virtual machine: about a hundredth of the time may go there. */
enum { BETWEEN_READINGS = 300000 };

static uint64_t number(const char **text, const char *end)
{
	uint64_t value = 0;
	while (*text < end && **text == ' ')
		++*text;
	for (; *text < end && **text >= '0' && **text <= '9'; ++*text)
		value = value * 10 + (uint64_t)(**text - '0');
	return value;
}

static uint64_t read_sum(const struct thread_switches *switches)
{
	char text[64];
	int fd = __atomic_load_n(&switches->delays, __ATOMIC_ACQUIRE);
	long got = fd >= 0 ? system_call(SYS_pread64, fd, text, sizeof text, 0) : 0;
	const char *at = text, *end = text + (got > 0 ? got : 0);
	number(&at, end);
	return number(&at, end);
}

void run_delay_open(struct thread_switches *switches)
{
	int fd = (int)system_call(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC, 0);
	switches->delays = -1;
	if (fd < 0)
		return;
	switches->delays = descriptor_take_spare(fd, &switches->delays);
	switches->delay = read_sum(switches);
}

void run_delay_close(struct thread_switches *switches)
{
	int fd = __atomic_exchange_n(&switches->delays, -1, __ATOMIC_ACQ_REL);
	if (descriptor_is_ours(fd))
		descriptor_release(fd);
}

uint64_t run_delay_read(struct thread_switches *switches, uint64_t now)
{
	if (switches->delays < 0 || now - switches->delay_read < BETWEEN_READINGS)
		return 0;
	switches->delay_read = now;
	return read_sum(switches);
}

uint64_t run_delay_take(struct thread_switches *switches, uint64_t sum, uint64_t length, bool preempted)
{
	uint64_t left = sum > switches->delay ? sum - switches->delay : 0;
	uint64_t part = preempted ? length : left < length ? left : length;
	switches->delay += part;
	if (preempted || delay_is_plausible(part))
		return part;
	count(TALLY_run_delays_doubted, 1);
	return 0;
}

void run_delay_give_back(struct thread_switches *switches, uint64_t part)
{
	switches->delay -= part;
}

/* Many short waits come between two readings, and each is on the run queue for a moment: that is recorded with a later one. It must
   not add up, nor must records that are a little longer than what the kernel sums up. */
void run_delay_settle(struct thread_switches *switches, uint64_t sum)
{
	enum { LEFT_MOST = 2 * BETWEEN_READINGS };
	if (!sum)
		return;
	uint64_t least = sum > LEFT_MOST ? sum - LEFT_MOST : 0;
	if (switches->delay < least)
		switches->delay = least;
	else if (switches->delay > sum)
		switches->delay = sum;
}
