/* SPDX-License-Identifier: Apache-2.0 */
/* Asking the kernel for the CPUs' rates: cpufreq where there is one, else what it measured at boot (x86 alone tells). */
#include "cpu_rate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t read_number(long cpu, const char *name)
{
	char path[128];
	unsigned long long number = 0;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/%s", cpu, name);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

struct mean {
	double periods; /* milliseconds a cycle, summed over CPUs */
	unsigned count;
	uint64_t least, greatest;
};

static void add_rate(struct mean *mean, uint64_t kilohertz)
{
	mean->periods += 1 / (double)kilohertz;
	mean->least = !mean->count || kilohertz < mean->least ? kilohertz : mean->least;
	mean->greatest = kilohertz > mean->greatest ? kilohertz : mean->greatest;
	mean->count++;
}

static void add_measured(struct mean *mean)
{
	char line[4096];
	FILE *file = fopen("/proc/cpuinfo", "re");
	while (file && fgets(line, sizeof line, file)) {
		double megahertz =
			strncmp(line, "cpu MHz", 7) == 0 && strchr(line, ':') ? strtod(strchr(line, ':') + 1, 0) : 0;
		if (megahertz > 0)
			add_rate(mean, (uint64_t)(megahertz * 1000 + 0.5));
	}
	if (file)
		fclose(file);
}

struct cpu_rate cpu_rate_of_machine(void)
{
	struct mean mean = {.count = 0};
	bool varies = false;
	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		uint64_t base = read_number(cpu, "base_frequency"), most = read_number(cpu, "cpuinfo_max_freq");
		uint64_t least = read_number(cpu, "cpuinfo_min_freq");
		if (base || most)
			add_rate(&mean, base ? base : most);
		varies |= least != most;
	}
	if (!mean.count)
		add_measured(&mean);
	if (!mean.count)
		return (struct cpu_rate){0, false};
	return (struct cpu_rate){(uint64_t)((double)mean.count / mean.periods + 0.5),
		varies || mean.greatest > mean.least + mean.least / 100};
}
