/* SPDX-License-Identifier: Apache-2.0 */
/* A perf event without a ring: see fault_signal.h. */
#include "fault_signal.h"
#include "descriptors.h"
#include "our_signal.h"
#include "perf_event.h"
#include "system_calls.h"
#include <string.h>
#include <sys/ioctl.h>

static void release(struct thread_switches *switches)
{
	int fd = __atomic_exchange_n(&switches->faults, -1, __ATOMIC_ACQ_REL);
	if (descriptor_is_ours(fd))
		descriptor_release(fd);
}

void fault_signal_open(struct thread_switches *switches, pid_t tid)
{
	struct perf_event_attr attributes;
	if (switches->faults_tried)
		return;
	switches->faults_tried = true;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = PERF_TYPE_SOFTWARE;
	attributes.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	attributes.sample_period = 1;
	attributes.exclude_kernel = attributes.exclude_hv = 1;
	int fd = perf_event_open(&attributes, -1);
	if (fd < 0)
		return;
	switches->faults = descriptor_take_spare(fd, &switches->faults);
	switches->faults_signal = switches->faults;
	if (switches->faults >= 0 && !perf_event_signals(switches->faults, tid, OUR_SIGNAL))
		release(switches);
}

void fault_signal_close(struct thread_switches *switches)
{
	release(switches);
	switches->faults_tried = false;
}

void fault_signal_silence(struct thread_switches *switches)
{
	int fd = __atomic_load_n(&switches->faults, __ATOMIC_ACQUIRE);
	if (fd >= 0)
		system_call(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
}

bool fault_signal_is(const struct thread_switches *switches, const siginfo_t *info)
{
	return info->si_code == POLL_IN && switches->source && info->si_fd == switches->faults_signal;
}
