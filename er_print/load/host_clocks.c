/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One time for all processes of a founder. Processes of one host share a raw clock: they get one rate and one beginning, so
   that what happened earlier in one is earlier than what happened later in another (FORMAT.md, "Time"). Another host's
   clock is known by what a process there measured against a rank of an MPI job, else by the time of day. */
#include "data_tables.h"
#include "mpi_ranks.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct clocks {
	struct data *data;
	uint32_t founder;
	bool *placed; /* by experiment: its times are the founder's */
};

static struct experiment *file_of(const struct clocks *clocks, uint32_t e)
{
	return clocks->data->experiments[e].file;
}

static bool share_monotonic(const struct experiment *a, const struct experiment *b)
{
	return a->system->boot_id[0] && !strcmp(a->system->boot_id, b->system->boot_id) &&
	       !strcmp(a->system->time_namespace, b->system->time_namespace);
}

static bool share_clock(const struct experiment *a, const struct experiment *b)
{
	return a->settings->time_source == b->settings->time_source && share_monotonic(a, b);
}

/* Widens the span of triples by which the rate is known. */
static void widen(struct time_triple *first, struct time_triple *last, const struct experiment *experiment)
{
	if (!first->monotonic || experiment->start.raw < first->raw)
		*first = experiment->start;
	if (!last->monotonic || experiment->end.raw > last->raw)
		*last = experiment->end;
}

static void set_rate(struct experiment *experiment, double nanoseconds_per_tick)
{
	experiment->nanoseconds_per_tick = nanoseconds_per_tick;
	experiment->ticks_per_second = 1e9 / nanoseconds_per_tick;
}

/* Processes that share a clock; there are as many of these as hosts. */
struct shared_clock {
	uint32_t first; /* experiment of it */
	struct time_triple start, end;
};
struct shared_clocks {
	struct shared_clock *all;
	uint32_t count;
	uint32_t *of; /* by experiment from the founder on; NO_ID: it shares with none */
};

static uint32_t clock_of(const struct clocks *clocks, struct shared_clocks *shared, uint32_t e)
{
	const struct experiment *own = file_of(clocks, e);
	for (uint32_t c = 0; c < shared->count; c++)
		if (share_clock(own, file_of(clocks, shared->all[c].first)))
			return c;
	if (!share_clock(own, own))
		return NO_ID;
	shared->all = memory_room(shared->all, shared->count, sizeof *shared->all);
	shared->all[shared->count] = (struct shared_clock){.first = e};
	return shared->count++;
}

static void set_rates(const struct clocks *clocks)
{
	uint32_t founder = clocks->founder, count = clocks->data->experiment_count;
	struct shared_clocks shared = {.of = memory_new(count - founder, sizeof *shared.of)};
	for (uint32_t e = founder; e < count; e++) {
		uint32_t c = shared.of[e - founder] = clock_of(clocks, &shared, e);
		if (c != NO_ID)
			widen(&shared.all[c].start, &shared.all[c].end, file_of(clocks, e));
	}
	for (uint32_t e = founder; e < count; e++) {
		const struct shared_clock *its =
			shared.of[e - founder] == NO_ID ? 0 : &shared.all[shared.of[e - founder]];
		if (its && file_of(clocks, e)->settings->time_source != 0 && its->end.raw > its->start.raw &&
			its->end.monotonic >= its->start.monotonic + 1000000)
			set_rate(file_of(clocks, e), (double)(its->end.monotonic - its->start.monotonic) /
							     (double)(its->end.raw - its->start.raw));
	}
	free(shared.all);
	free(shared.of);
}

static uint64_t positive(double nanoseconds)
{
	return nanoseconds > 0 ? (uint64_t)(nanoseconds + 0.5) : 0;
}

static double difference(uint64_t a, uint64_t b)
{
	return (double)(int64_t)(a - b);
}

/* A raw time of a process, in nanoseconds since the founder's start. */
static double time_of(const struct clocks *clocks, uint32_t e, uint64_t raw)
{
	const struct experiment *own = file_of(clocks, e);
	return (double)clocks->data->experiments[e].start_offset +
	       difference(raw, own->start.raw) * own->nanoseconds_per_tick;
}

/* Where a raw time is in the founder's. */
struct position {
	uint64_t raw;
	double nanoseconds; /* since the founder's start */
	double nanoseconds_per_tick;
	enum clock_basis basis;
	uint64_t error; /* nanoseconds */
};

/* All that share a process's clock. */
static void place(const struct clocks *clocks, uint32_t process, const struct position *position)
{
	for (uint32_t e = clocks->founder; e < clocks->data->experiment_count; e++) {
		struct experiment *own = file_of(clocks, e);
		if (e != process && !share_clock(own, file_of(clocks, process)))
			continue;
		struct loaded_experiment *loaded = &clocks->data->experiments[e];
		double rate = position->nanoseconds_per_tick;
		set_rate(own, rate);
		loaded->start_offset =
			positive(position->nanoseconds + difference(own->start.raw, position->raw) * rate);
		loaded->clock = position->basis;
		loaded->clock_error = position->error;
		clocks->placed[e] = true;
	}
}

/* A process's measurement of another's clock: its raw time is `its` + `slope` * (ours - `own`). */
struct comparison {
	uint32_t with;
	uint64_t own, its, error;
	double slope;
};

/* The rank of a process's job; its own index if it is not loaded. */
static uint32_t find_rank(const struct clocks *clocks, uint32_t process, uint64_t rank)
{
	const struct log_event *ours = mpi_event(file_of(clocks, process), "mpi");
	const char *job = ours ? log_event_attribute(ours, "job") : 0;
	for (uint32_t e = clocks->founder; e < clocks->data->experiment_count; e++) {
		const struct log_event *its = mpi_event(file_of(clocks, e), "mpi");
		const char *its_job = its ? log_event_attribute(its, "job") : 0;
		if (its && mpi_number(its, "rank") == rank && !strcmp(job ? job : "", its_job ? its_job : ""))
			return e;
	}
	return process;
}

/* Through the first and the last measurement. False: there is none. */
static bool compared(const struct clocks *clocks, uint32_t process, struct comparison *comparison)
{
	const struct experiment *own = file_of(clocks, process);
	const struct log_event *first = 0, *last = 0;
	for (size_t i = 0; i < own->event_count; i++)
		if (!strcmp(own->events[i].kind, "mpi_clock")) {
			first = first ? first : &own->events[i];
			last = &own->events[i];
		}
	if (!first)
		return false;
	*comparison = (struct comparison){.with = find_rank(clocks, process, mpi_number(first, "rank")),
		.own = mpi_number(first, "raw"),
		.its = mpi_number(first, "its_raw"),
		.error = mpi_number(first, "error")};
	if (mpi_number(last, "error") > comparison->error)
		comparison->error = mpi_number(last, "error");
	double by_rates = own->nanoseconds_per_tick / file_of(clocks, comparison->with)->nanoseconds_per_tick;
	double passed = difference(mpi_number(last, "raw"), comparison->own);
	comparison->slope = passed > 0 ? difference(mpi_number(last, "its_raw"), comparison->its) / passed : by_rates;
	/* Clocks do not differ so much: something is damaged. */
	if (!(fabs(comparison->slope / by_rates - 1) < 0.01))
		comparison->slope = by_rates;
	return comparison->with != process;
}

/* Takes times over from those that are placed to those that measured them, or, `backwards`, were measured by them. */
static void follow_comparisons(const struct clocks *clocks, bool backwards)
{
	for (uint32_t e = clocks->founder; e < clocks->data->experiment_count; e++) {
		struct comparison comparison;
		if (clocks->placed[e] != backwards || !compared(clocks, e, &comparison) ||
			clocks->placed[comparison.with] == backwards)
			continue;
		uint32_t with = comparison.with, known = backwards ? e : with;
		double rate = file_of(clocks, known)->nanoseconds_per_tick;
		struct position position = {.raw = backwards ? comparison.its : comparison.own,
			.nanoseconds = time_of(clocks, known, backwards ? comparison.own : comparison.its),
			.nanoseconds_per_tick = backwards ? rate / comparison.slope : rate * comparison.slope,
			.basis = CLOCK_COMPARED,
			.error = comparison.error + clocks->data->experiments[known].clock_error};
		place(clocks, backwards ? with : e, &position);
	}
}

/* Whether a process of the founder's host began before the founder by the raw clock alone: that was set back in between. */
static bool was_set_back(const struct clocks *clocks, uint32_t e)
{
	const struct experiment *base = file_of(clocks, clocks->founder), *own = file_of(clocks, e);
	return share_clock(base, own) && own->start.raw < base->start.raw &&
	       own->start.monotonic > base->start.monotonic;
}

/* Without a measurement. */
static void place_by_system_clocks(const struct clocks *clocks)
{
	const struct experiment *base = file_of(clocks, clocks->founder);
	for (uint32_t e = clocks->founder; e < clocks->data->experiment_count; e++) {
		const struct experiment *own = file_of(clocks, e);
		struct loaded_experiment *loaded = &clocks->data->experiments[e];
		if (clocks->placed[e] && !was_set_back(clocks, e))
			continue;
		bool shared = share_monotonic(base, own);
		loaded->clock = shared ? CLOCK_SHARED : CLOCK_TIME_OF_DAY;
		loaded->start_offset = positive(shared ? difference(own->start.monotonic, base->start.monotonic)
						       : difference(own->start.realtime, base->start.realtime));
	}
}

void data_align_clocks(struct data *data, uint32_t founder)
{
	struct clocks clocks = {data, founder, memory_new(data->experiment_count, sizeof *clocks.placed)};
	const struct experiment *base = file_of(&clocks, founder);
	set_rates(&clocks);
	place(&clocks, founder, &(struct position){base->start.raw, 0, base->nanoseconds_per_tick, CLOCK_SHARED, 0});
	follow_comparisons(&clocks, true);
	follow_comparisons(&clocks, false);
	place_by_system_clocks(&clocks);
	free(clocks.placed);
}
