/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects and words the facts about clock profiling. */
#include "clock_facts.h"
#include "storage.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct collecting {
	struct data *data;
	struct clock_facts *facts;
};

static struct clock_facts *facts_of(const struct collecting *collecting, const struct data_batch *batch)
{
	return &collecting->facts[batch->experiment - collecting->data->experiments];
}

static void add_clock(void *context, const struct data_batch *batch)
{
	struct clock_facts *facts = facts_of(context, batch);
	facts->events += batch->count;
	for (uint32_t i = 0; i < batch->count; i++) {
		facts->user += batch->field[FIELD_INDEX(CLOCK, user)][i];
		facts->system += batch->field[FIELD_INDEX(CLOCK, system)][i];
	}
}

static void finer(uint64_t *resolution, uint64_t other)
{
	if (other && (!*resolution || other < *resolution))
		*resolution = other;
}

static void add_thread(void *context, const struct data_batch *batch)
{
	enum { PERF = STATE_VALUE(THREAD, clock, perf), TIMER = STATE_VALUE(THREAD, clock, timer) };
	struct clock_facts *facts = facts_of(context, batch);
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t source = batch->field[FIELD_INDEX(THREAD, clock)][i];
		uint64_t resolution = batch->field[FIELD_INDEX(THREAD, resolution)][i];
		if (batch->field[FIELD_INDEX(THREAD, what)][i] != STATE_VALUE(THREAD, what, start))
			continue;
		facts->perf_threads += source == PERF;
		facts->timer_threads += source == TIMER;
		facts->no_clock_threads += source == STATE_VALUE(THREAD, clock, none);
		if (source == PERF)
			finer(&facts->perf_resolution, resolution);
		else if (source == TIMER)
			finer(&facts->timer_resolution, resolution);
	}
}

struct clock_facts *clock_facts_collect(struct data *data)
{
	struct collecting collecting = {data, memory_new(data->experiment_count, sizeof(struct clock_facts))};
	data_visit(data, KIND_CLOCK, add_clock, &collecting);
	data_visit(data, KIND_THREAD, add_thread, &collecting);
	return collecting.facts;
}

static void add_source(struct facts *facts, uint64_t threads, const char *source, uint64_t resolution)
{
	if (!threads)
		return;
	fprintf(facts->text, "    %" PRIu64 " thread%s by %s", threads, threads == 1 ? "" : "s", source);
	if (resolution)
		fprintf(facts->text, ", finest interval %.3f microsecs.", (double)resolution / 1000);
	putc('\n', facts->text);
	fact_number(facts, table_text(&facts->table, "Threads by %s", source), threads);
	if (resolution)
		fact_seconds(facts, table_text(&facts->table, "Finest interval of %s", source), resolution);
}

static void add_split(struct facts *facts, const struct experiment *experiment)
{
	uint64_t by_tick = experiment_tally(experiment, TALLY_split_by_tick);
	uint64_t by_rusage = experiment_tally(experiment, TALLY_split_by_rusage);
	if (!by_tick && !by_rusage)
		return;
	fprintf(facts->text,
		"  User and system CPU time: told apart by where the tick hit (%" PRIu64
		" ticks), by the kernel's accounting alone (%" PRIu64 " ticks)\n",
		by_tick, by_rusage);
	fact_number(facts, "User and system CPU time told apart by where the tick hit (ticks)", by_tick);
	fact_number(facts, "User and system CPU time told apart by the kernel's accounting alone (ticks)", by_rusage);
}

/* n ticks give a share p a standard error of sqrt(p (1 - p) / n), Bernoulli. */
static void add_error(struct facts *facts, uint64_t ticks)
{
	if (!ticks)
		return;
	fprintf(facts->text,
		"  Sampling error: %" PRIu64 " ticks; a share p has a standard error of sqrt(p(1-p)/n): "
		"50 %% +- %.2f %%, 10 %% +- %.2f %%, 1 %% +- %.2f %%\n",
		ticks, 100 * sqrt(.25 / (double)ticks), 100 * sqrt(.09 / (double)ticks),
		100 * sqrt(.0099 / (double)ticks));
	fact_number(facts, "Ticks of the sampling error", ticks);
}

static void add_stacks(struct facts *facts, const struct experiment *experiment)
{
	static const struct {
		enum tally tally;
		const char *what;
	} rows[] = {
		{TALLY_stacks_complete, "complete"},
		{TALLY_stacks_heuristic, "with frames found by heuristics"},
		{TALLY_stacks_truncated, "truncated"},
		{TALLY_stacks_failed, "not walked to the thread's start"},
	};
	enum { ROWS = sizeof rows / sizeof *rows };
	bool damaged = experiment->damage.nodes_bad > 0;
	uint64_t counts[ROWS], all = 0;
	for (unsigned i = 0; i < ROWS; i++)
		all += counts[i] = experiment_tally(experiment, rows[i].tally);
	if (!all)
		return;
	fprintf(facts->text, "  Stacks: %" PRIu64 " captured", all);
	if (damaged)
		fputs("; the experiment is damaged, not all of them can be read", facts->text);
	for (unsigned i = 0; i < ROWS && !damaged; i++)
		if (counts[i] || i == 0)
			fprintf(facts->text, ", %.2f %% %s", 100 * (double)counts[i] / (double)all, rows[i].what);
	putc('\n', facts->text);
	fact_number(facts, "Stacks captured", all);
	for (unsigned i = 0; i < ROWS && !damaged; i++)
		fact_number(facts, table_text(&facts->table, "Stacks %s", rows[i].what), counts[i]);
}

/* Threads whose switches the kernel did not let us have are known by their calls. */
static void add_states(struct facts *facts, const struct experiment *experiment)
{
	uint64_t with = experiment_tally(experiment, TALLY_threads_switches);
	uint64_t without = experiment_tally(experiment, TALLY_threads_without_switches);
	if (!experiment->settings->states || (!with && !without))
		return;
	fprintf(facts->text, "  Thread states: by the context switches of %" PRIu64 " thread%s\n", with,
		with == 1 ? "" : "s");
	if (without)
		fprintf(facts->text,
			"  Thread states by calls alone of %" PRIu64
			" thread%s (perf_event_open was refused, or had no "
			"descriptor or memory): waits of less than 20 microsecs. and outside of libc's calls are "
			"unexplained\n",
			without, without == 1 ? "" : "s");
	fact_number(facts, "Threads with states by switches", with);
	fact_number(facts, "Threads with states by calls", without);
}

void clock_facts_add(struct facts *facts, const struct clock_facts *clock, const struct experiment *experiment)
{
	uint64_t interval = experiment->settings->clock_interval;
	if (!interval) {
		fprintf(facts->text, "  Clock-profiling off\n");
		fact_text(facts, "Clock-profiling", "off");
		return;
	}
	fprintf(facts->text, "  Clock-profiling, interval = %.3f microsecs.\n", (double)interval / 1000);
	fact_seconds(facts, "Clock-profiling interval", interval);
	add_source(facts, clock->perf_threads, "a perf cpu-clock event", clock->perf_resolution);
	add_source(facts, clock->timer_threads, "a thread CPU-time timer", clock->timer_resolution);
	add_source(facts, clock->no_clock_threads, "no clock: their time is what was left at their end", 0);
	add_split(facts, experiment);
	add_states(facts, experiment);
	fprintf(facts->text, "  Recorded: %" PRIu64 " clock events, user %.3f secs., system %.3f secs.\n",
		clock->events, (double)clock->user / 1e9, (double)clock->system / 1e9);
	fact_number(facts, "Clock events", clock->events);
	fact_seconds(facts, "User CPU time of clock events", clock->user);
	fact_seconds(facts, "System CPU time of clock events", clock->system);
	uint64_t ticks = experiment_tally(experiment, TALLY_clock_ticks);
	add_error(facts, ticks ? ticks : clock->events);
	add_stacks(facts, experiment);
}
