/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One time for all processes of a founder. Processes of one host share a raw clock: they get one rate and one beginning, so
   that what happened earlier in one is earlier than what happened later in another (FORMAT.md, "Time"). Another host's
   clock is known by what its processes measured against a rank of ours, else by the time of day. */
#include "data_tables.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool share_clock(const struct experiment *a, const struct experiment *b)
{
	return a->settings.time_source == b->settings.time_source && !strcmp(a->system.boot_id, b->system.boot_id) &&
	       !strcmp(a->system.time_namespace, b->system.time_namespace) && a->system.boot_id[0];
}

/* Offset of a process's CLOCK_MONOTONIC to that of the founder's host, as a line over its own time. */
struct offset {
	bool known;
	double at, nanoseconds, slope; /* at: its CLOCK_MONOTONIC */
};

static double attribute(const struct log_event *event, const char *name)
{
	const char *text = log_event_attribute(event, name);
	return text ? strtod(text, 0) : 0;
}

/* Between the first and the last measurement. */
static struct offset measured_offset(const struct experiment *experiment)
{
	struct offset offset = {.known = false};
	for (size_t i = 0; i < experiment->event_count; i++) {
		const struct log_event *event = &experiment->events[i];
		if (strcmp(event->kind, "mpi_clock"))
			continue;
		double at = attribute(event, "monotonic"), nanoseconds = attribute(event, "offset");
		if (offset.known && at > offset.at)
			offset.slope = (nanoseconds - offset.nanoseconds) / (at - offset.at);
		else
			offset = (struct offset){true, at, nanoseconds, 0};
	}
	return offset;
}

/* Widens the span of triples by which the rate is known. */
static void widen(struct time_triple *first, struct time_triple *last, const struct experiment *experiment)
{
	if (!first->monotonic || experiment->start.raw < first->raw)
		*first = experiment->start;
	if (!last->monotonic || experiment->end.raw > last->raw)
		*last = experiment->end;
}

static void set_rate(struct experiment *experiment, const struct time_triple *first, const struct time_triple *last)
{
	if (experiment->settings.time_source == 0 || last->raw <= first->raw ||
		last->monotonic < first->monotonic + 1000000)
		return;
	experiment->nanoseconds_per_tick =
		(double)(last->monotonic - first->monotonic) / (double)(last->raw - first->raw);
	experiment->ticks_per_second = 1e9 / experiment->nanoseconds_per_tick;
}

static uint64_t positive(double nanoseconds)
{
	return nanoseconds > 0 ? (uint64_t)(nanoseconds + 0.5) : 0;
}

/* Of another host. */
static void align_foreign(struct loaded_experiment *loaded, const struct experiment *founder)
{
	struct experiment *own = loaded->file;
	struct offset offset = measured_offset(own);
	if (!offset.known) {
		loaded->start_offset = positive((double)own->start.realtime - (double)founder->start.realtime);
		return;
	}
	double start = (double)own->start.monotonic;
	double at_start = offset.nanoseconds + offset.slope * (start - offset.at);
	loaded->start_offset = positive(start - at_start - (double)founder->start.monotonic);
	own->nanoseconds_per_tick *= 1 - offset.slope;
	own->ticks_per_second = 1e9 / own->nanoseconds_per_tick;
}

void data_align_clocks(struct data *data, uint32_t founder)
{
	for (uint32_t e = founder; e < data->experiment_count; e++) {
		struct loaded_experiment *loaded = &data->experiments[e];
		struct experiment *own = loaded->file;
		struct time_triple first = {0}, last = {0};
		for (uint32_t other = founder; other < data->experiment_count; other++)
			if (share_clock(own, data->experiments[other].file))
				widen(&first, &last, data->experiments[other].file);
		set_rate(own, &first, &last);
	}
	const struct experiment *base = data->experiments[founder].file;
	for (uint32_t e = founder + 1; e < data->experiment_count; e++) {
		struct loaded_experiment *loaded = &data->experiments[e];
		if (!share_clock(base, loaded->file))
			align_foreign(loaded, base);
		else if (loaded->file->start.raw > base->start.raw)
			loaded->start_offset = positive(
				(double)(loaded->file->start.raw - base->start.raw) * base->nanoseconds_per_tick);
	}
}
