/* SPDX-License-Identifier: Apache-2.0 */
/* Grouped reading of perf events (perf_event_open(2): PERF_FORMAT_GROUP). */
#include "reading_groups.h"
#include "descriptors.h"
#include "perf_event.h"
#include "system_calls.h"
#include <string.h>
#include <sys/ioctl.h>

static int open_counter(const struct overflow_counter *wanted, int leader)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = (uint32_t)wanted->type;
	attributes.config = wanted->config;
	attributes.config1 = wanted->config1;
	attributes.config2 = wanted->config2;
	attributes.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attributes.disabled = leader < 0;
	attributes.exclude_user = !(wanted->modes & MODE_USER);
	attributes.exclude_kernel = !(wanted->modes & MODE_KERNEL);
	attributes.exclude_hv = !(wanted->modes & MODE_HYPERVISOR);
	return perf_event_open(&attributes, leader);
}

static int descriptor_of(const struct reading_groups *groups, unsigned counter)
{
	return __atomic_load_n(&groups->descriptor[counter], __ATOMIC_ACQUIRE);
}

/* Into the first group that takes it, or else one of its own. */
static bool add_counter(struct reading_groups *groups, const struct overflow_counter *wanted, unsigned counter)
{
	int fd = -1;
	unsigned g = 0;
	for (; g < groups->count; g++) {
		fd = open_counter(wanted, descriptor_of(groups, groups->group[g].counter[0]));
		if (fd >= 0)
			break;
	}
	if (fd < 0 && groups->count < READING_GROUPS_MAX)
		fd = open_counter(wanted, -1);
	if (fd < 0)
		return false;
	int *descriptor = &groups->descriptor[counter];
	*descriptor = descriptor_take(fd, descriptor);
	if (*descriptor < 0)
		return false;
	if (g == groups->count)
		groups->group[groups->count++] = (struct reading_group){.size = 0};
	struct reading_group *group = &groups->group[g];
	group->counter[group->size++] = counter;
	return true;
}

bool reading_groups_open(struct reading_groups *groups, struct wanted_counters wanted)
{
	bool all = true;
	groups->count = 0;
	for (unsigned i = 0; i < READINGS_MAX; i++)
		groups->descriptor[i] = -1;
	for (unsigned i = 0; i < wanted.count; i++)
		if (wanted.counter[i].type < TYPE_ACCOUNT && !add_counter(groups, &wanted.counter[i], i))
			all = false;
	for (unsigned g = 0; g < groups->count; g++)
		system_call(SYS_ioctl, descriptor_of(groups, groups->group[g].counter[0]), PERF_EVENT_IOC_ENABLE, 0);
	return all;
}

void reading_groups_close(struct reading_groups *groups)
{
	groups->count = 0;
	for (unsigned i = 0; i < READINGS_MAX; i++) {
		int fd = __atomic_exchange_n(&groups->descriptor[i], -1, __ATOMIC_ACQ_REL);
		if (descriptor_is_ours(fd))
			descriptor_release(fd);
	}
}

static void read_group(const struct reading_groups *groups, struct reading_group *group, struct reading *reading)
{
	struct {
		uint64_t size, enabled, running, value[READINGS_MAX];
	} now;
	const size_t least = sizeof now - sizeof now.value;
	int fd = descriptor_of(groups, group->counter[0]);
	long size = fd >= 0 ? sys_read(fd, &now, sizeof now) : -1;
	if (size < (long)least || now.size != group->size)
		return;
	/* Events that take turns with others on the CPU's counters have run for less time than they were to. */
	bool continuous = now.enabled - group->enabled == now.running - group->running;
	group->enabled = now.enabled;
	group->running = now.running;
	for (unsigned i = 0; i < group->size; i++) {
		reading->value[group->counter[i]] = now.value[i];
		reading->known |= 1u << group->counter[i];
		reading->continuous |= continuous ? 1u << group->counter[i] : 0;
	}
}

void reading_groups_read(struct reading_groups *groups, struct reading *reading)
{
	for (unsigned g = 0; g < groups->count; g++)
		read_group(groups, &groups->group[g], reading);
}
