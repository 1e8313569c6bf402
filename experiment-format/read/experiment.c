/* SPDX-License-Identifier: Apache-2.0 */
/* Opening an experiment: its parts in the order in which they depend on each other. */
#include "experiment.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>

static void set_path(struct experiment *experiment, const char *path)
{
	size_t size = strlen(path);
	while (size > 1 && path[size - 1] == '/')
		size--;
	experiment->path = arena_string(experiment_strings(experiment), path, size);
	char *slash = strrchr(experiment->path, '/');
	experiment->name = slash && slash[1] ? slash + 1 : experiment->path;
}

static void set_unknown(struct experiment *experiment)
{
	experiment->process = (struct process_info){.cwd = "", .command = "", .executable = ""};
	log_head_share(experiment, log_head_new());
}

void triple_seen(struct experiment *experiment, const struct time_triple *triple)
{
	if (!experiment->start.monotonic)
		experiment->start = *triple;
	if (!experiment->end.monotonic || triple->raw > experiment->end.raw)
		experiment->end = *triple;
}

/* Raw ticks a second: what the start and the end triple say. Less than a millisecond between them says little; then, and
   if they make no sense, the nominal clock speed is the best guess. */
static double tick_rate(const struct experiment *experiment)
{
	const struct time_triple *start = &experiment->start, *end = &experiment->end;
	double guess = experiment->system->clock_mhz ? (double)experiment->system->clock_mhz * 1e6 : 1e9;
	if (experiment->settings->time_source == 0)
		return 1e9;
	if (end->raw <= start->raw || end->monotonic < start->monotonic + 1000000)
		return guess;
	return (double)(end->raw - start->raw) / ((double)(end->monotonic - start->monotonic) / 1e9);
}

uint64_t experiment_count_log_events(const struct experiment *experiment, const char *kind)
{
	uint64_t count = 0;
	for (size_t i = 0; i < experiment->event_count; i++)
		count += strcmp(experiment->events[i].kind, kind) == 0;
	return count;
}

uint64_t experiment_nanoseconds(const struct experiment *experiment, uint64_t raw)
{
	if (raw <= experiment->start.raw)
		return 0;
	uint64_t delta = raw - experiment->start.raw;
	double nanoseconds = (double)delta * experiment->nanoseconds_per_tick;
	/* A double has 53 bits: exact times would lose nanoseconds after 104 days. */
	return experiment->nanoseconds_per_tick == 1 ? delta
	       : nanoseconds < 1.8e19                ? (uint64_t)nanoseconds
						     : UINT64_MAX;
}

struct experiment *experiment_unknown(const char *path)
{
	struct experiment *experiment = memory_new(1, sizeof(*experiment));
	experiment->private = memory_new(1, sizeof(struct experiment_private));
	experiment->ticks_per_second = 1e9;
	experiment->nanoseconds_per_tick = 1;
	set_path(experiment, path);
	set_unknown(experiment);
	return experiment;
}

/* Most experiments have none, and there may be thousands of them. */
static void counters_of_settings(struct experiment *experiment)
{
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
	unsigned count = overflow_counters_decode(experiment->settings->counters, counters);
	experiment->overflow_counter_count = count;
	experiment->overflow_counters = memory_new(count, sizeof(*counters));
	memcpy(experiment->overflow_counters, counters, count * sizeof(*counters));
}

struct experiment *experiment_open(const char *path, struct error *error)
{
	return experiment_open_descendant(path, 0, error);
}

struct experiment *experiment_open_descendant(const char *path, const struct experiment *founder, struct error *error)
{
	struct experiment *experiment = experiment_unknown(path);
	if (!log_read(experiment, founder, error)) {
		experiment_close(experiment);
		return 0;
	}
	counters_of_settings(experiment);
	counters_read(experiment);
	mpi_read(experiment);
	sources_read(experiment);
	stacks_read(experiment);
	map_read(experiment);
	announced_read(experiment);
	experiment->ticks_per_second = tick_rate(experiment);
	experiment->nanoseconds_per_tick = 1e9 / experiment->ticks_per_second;
	return experiment;
}

void experiment_close(struct experiment *experiment)
{
	struct experiment_private *private = experiment->private;
	sources_free(experiment);
	free(experiment->overflow_counters);
	free(experiment->events);
	free(experiment->segments);
	free(experiment->functions);
	free(experiment->tallies);
	free(experiment->mpi_functions);
	free(experiment->mpi_open_calls);
	free(experiment->stacks.node);
	log_head_release(private->head);
	arena_free(&private->strings);
	free(private);
	free(experiment);
}
