/* SPDX-License-Identifier: Apache-2.0 */
/* Trying counters out. */
#include "counter_probe.h"
#include "counter_event.h"
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LATE_STACK 8192u /* bytes that are copied of the stack at an overflow that is read later */

static bool is_software(const struct overflow_counter *counter)
{
	return counter->type == PERF_TYPE_SOFTWARE || counter->type == PERF_TYPE_TRACEPOINT;
}

static bool is_no_event(const struct overflow_counter *counter)
{
	return counter->type >= TYPE_ACCOUNT;
}

/* The kernel's names of core PMUs: cpu, cpu_core and cpu_atom, armv8_pmuv3_0, armv8_cortex_a72... */
bool counter_probe_has_pmu(void)
{
	DIR *directory = opendir("/sys/bus/event_source/devices");
	bool found = false;
	for (struct dirent *entry; directory && (entry = readdir(directory));)
		found |= strncmp(entry->d_name, "cpu", 3) == 0 || strncmp(entry->d_name, "armv", 4) == 0;
	if (directory)
		closedir(directory);
	return found;
}

static long paranoid_level(void)
{
	long level = -1;
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	if (file && fscanf(file, "%ld", &level) != 1)
		level = -1;
	if (file)
		fclose(file);
	return level;
}

/* A descriptor, or -errno. */
static int open_event(const struct overflow_counter *counter, int group)
{
	struct perf_event_attr attributes = {
		.size = sizeof attributes,
		.type = (uint32_t)counter->type,
		.config = counter->config,
		.config1 = counter->config1,
		.config2 = counter->config2,
		.sample_period = counter->interval,
		.sample_type = PERF_SAMPLE_IP | (counter->kernel_stack ? PERF_SAMPLE_CALLCHAIN : 0) |
			       (counter->memory ? PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT : 0),
		.disabled = 1,
		.exclude_user = !(counter->modes & MODE_USER),
		.exclude_kernel = !(counter->modes & MODE_KERNEL),
		.exclude_hv = !(counter->modes & MODE_HYPERVISOR),
		.exclude_callchain_user = counter->kernel_stack != 0,
		.precise_ip = counter->precise & 3,
	};
	if (counter->delivery == DELIVERY_LATER) {
		attributes.sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attributes.sample_regs_user = 1;
		attributes.sample_stack_user = LATE_STACK;
		attributes.use_clockid = 1;
		attributes.clockid = CLOCK_MONOTONIC;
	}
	int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool refused(const struct overflow_counter *counter, struct error *error)
{
	return error_set(error,
		"HW counter `%s': not permitted: %s is %ld here; as root, run: sysctl kernel.perf_event_paranoid=%d, "
		"or give "
		"collect the capability CAP_PERFMON%s",
		counter->name, "kernel.perf_event_paranoid", paranoid_level(),
		counter->type == PERF_TYPE_TRACEPOINT ? -1
		: counter->modes & MODE_KERNEL        ? 1
						      : 2,
		paranoid_level() < 2 ? " (or the container's seccomp filter refuses perf_event_open)" : "");
}

static bool explain(const struct overflow_counter *counter, int code, struct error *error)
{
	char *names = software_event_names();
	bool result;
	if (code == EACCES || code == EPERM)
		result = refused(counter, error);
	else if (!is_software(counter) && !counter_probe_has_pmu())
		result = error_set(error,
			"HW counter `%s': HW counter profiling is not supported on this system: it shows no "
			"performance "
			"monitoring unit (most virtual machines have none). What the kernel counts itself can be had: "
			"%s",
			counter->name, names);
	else if (code == ENOENT || code == EOPNOTSUPP || code == ENODEV || code == ENXIO)
		result = error_set(error, "HW counter `%s' (%s): this CPU does not have it, or cannot overflow on it",
			counter->name, counter->event);
	else if (code == ENOSYS)
		result = error_set(error, "HW counter `%s': the kernel has no perf_event_open", counter->name);
	else
		result = error_set(error, "HW counter `%s' (%s): the kernel refuses it: %s", counter->name,
			counter->event, strerror(code));
	free(names);
	return result;
}

/* Events of the kernel itself that carry the address that the program accessed. */
static bool is_access(uint64_t software)
{
	return software == PERF_COUNT_SW_PAGE_FAULTS || software == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
	       software == PERF_COUNT_SW_PAGE_FAULTS_MAJ || software == PERF_COUNT_SW_ALIGNMENT_FAULTS ||
	       software == PERF_COUNT_SW_EMULATION_FAULTS;
}

static bool has_addresses(const struct overflow_counter *counter, struct error *error)
{
	if (counter->type == PERF_TYPE_SOFTWARE ? is_access(counter->config)
						: counter->type != PERF_TYPE_TRACEPOINT && counter->precise)
		return true;
	return error_set(error, "HW counter `+%s': it has no data addresses: %s: leave out the `+'", counter->name,
		is_software(counter) ? "it is no access to memory (page-faults is)"
				     : "they need precise sampling, which this CPU does not do for it");
}

/* Overflows in the kernel have the kernel's part of the stack, where that may be seen. */
static void probe_kernel_stack(struct overflow_counter *counter)
{
	counter->kernel_stack =
		(counter->modes & MODE_KERNEL) && !counter->unrelated && counter->delivery != DELIVERY_READ;
	int fd = counter->kernel_stack ? open_event(counter, -1) : -1;
	counter->kernel_stack = fd >= 0;
	if (fd >= 0)
		close(fd);
}

/* From the precise level that was asked for downwards. */
static bool probe_alone(struct overflow_counter *counter, struct error *error)
{
	int fd;
	if (is_no_event(counter))
		return true;
	counter->precise = counter->precise_asked;
	while ((fd = open_event(counter, -1)) < 0 && counter->precise && fd != -EACCES && fd != -EPERM)
		counter->precise--;
	if (fd < 0)
		return explain(counter, -fd, error);
	close(fd);
	probe_kernel_stack(counter);
	return !counter->memory || has_addresses(counter, error);
}

/* Those of the core's PMU must fit on it at once: counters that take turns would say little of short phases. */
static bool probe_together(const struct overflow_counter *counters, unsigned count, struct error *error)
{
	int fds[OVERFLOW_COUNTERS_MAX], group = -1;
	unsigned opened = 0;
	bool fits = true;
	for (unsigned i = 0; i < count && fits; i++) {
		if (is_software(&counters[i]) || (counters[i].type > PERF_TYPE_RAW))
			continue;
		fds[opened] = open_event(&counters[i], group);
		fits = fds[opened] >= 0;
		if (!fits)
			break;
		group = fds[0];
		opened++;
	}
	for (unsigned i = 0; i < opened; i++)
		close(fds[i]);
	return fits ||
	       error_set(error,
		       "The HW counter configuration could not be loaded: More than %u counters were specified, or two "
		       "that the CPU cannot count at once; record them in several runs",
		       opened);
}

bool counter_probe(struct overflow_counter *counters, unsigned count, struct error *error)
{
	for (unsigned i = 0; i < count; i++)
		if (!probe_alone(&counters[i], error))
			return false;
	return probe_together(counters, count, error);
}
