/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects and words the facts about counters. */
#include "counter_facts.h"
#include "plain_text.h"
#include "storage.h"

#include <inttypes.h>

struct collecting {
	struct data *data;
	struct counter_facts *facts;
};

static struct counter_account *account(
	const struct collecting *collecting, const struct data_batch *batch, uint64_t counter)
{
	struct counter_facts *facts = &collecting->facts[batch->experiment - collecting->data->experiments];
	return counter < OVERFLOW_COUNTERS_MAX ? &facts->of[counter] : 0;
}

static void add_totals(void *context, const struct data_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		struct counter_account *of = account(context, batch, batch->field[FIELD_INDEX(COUNTING, counter)][i]);
		if (!of)
			continue;
		of->threads++;
		of->counted += batch->field[FIELD_INDEX(COUNTING, counted)][i];
		of->enabled += batch->field[FIELD_INDEX(COUNTING, enabled)][i];
		of->running += batch->field[FIELD_INDEX(COUNTING, running)][i];
		of->throttled += batch->field[FIELD_INDEX(COUNTING, throttled)][i];
		of->lost += batch->field[FIELD_INDEX(COUNTING, lost)][i];
		of->stalled += batch->field[FIELD_INDEX(COUNTING, stalled)][i];
		of->adapted += batch->field[FIELD_INDEX(COUNTING, adapted)][i];
	}
}

static void add_overflows(void *context, const struct data_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		struct counter_account *of = account(context, batch, batch->field[FIELD_INDEX(OVERFLOW, counter)][i]);
		if (!of)
			continue;
		of->overflows++;
		of->recorded += batch->field[FIELD_INDEX(OVERFLOW, interval)][i];
		uint64_t leaf = batch->field[FIELD_INDEX(OVERFLOW, leaf)][i];
		of->precise += leaf == STATE_VALUE(OVERFLOW, leaf, precise);
		of->late += leaf == STATE_VALUE(OVERFLOW, leaf, late);
	}
}

static void add_readings(void *context, const struct data_batch *batch)
{
	const struct collecting *collecting = context;
	const struct experiment *file = batch->experiment->file;
	for (unsigned counter = 0, value = 0; counter < file->overflow_counter_count && value < READINGS_MAX;
		counter++) {
		if (file->overflow_counters[counter].delivery != DELIVERY_READ)
			continue;
		struct counter_account *of = account(collecting, batch, counter);
		for (uint32_t i = 0; of && i < batch->count; i++) {
			bool known = batch->field[FIELD_INDEX(READING, known)][i] >> value & 1;
			of->readings++;
			of->unknown += !known;
			of->recorded += known ? batch->field[FIELD_INDEX(READING, value0) + value][i] : 0;
		}
		value++;
	}
}

struct counter_facts *counter_facts_collect(struct data *data)
{
	struct collecting collecting = {data, memory_new(data->experiment_count, sizeof(struct counter_facts))};
	data_visit(data, KIND_COUNTING, add_totals, &collecting);
	data_visit(data, KIND_OVERFLOW, add_overflows, &collecting);
	data_visit(data, KIND_READING, add_readings, &collecting);
	return collecting.facts;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

/* The name of a fact about a counter. */
static const char *named(struct facts *facts, const struct overflow_counter *counter, const char *what)
{
	return table_text(&facts->table, "Counter %s: %s", counter->name, what);
}

static void add_interval(struct facts *facts, const struct overflow_counter *counter)
{
	if (counter->ceiling)
		fprintf(facts->text, "interval from %" PRIu64 " upwards, for at most one overflow in %.3f millisec.\n",
			counter->interval, (double)counter->ceiling / 1e6);
	else
		fprintf(facts->text, "interval = %" PRIu64 "\n", counter->interval);
	fact_number(facts, named(facts, counter, counter->ceiling ? "least interval" : "interval"), counter->interval);
	if (counter->ceiling)
		fact_seconds(facts, named(facts, counter, "at most one overflow in"), counter->ceiling);
}

static void add_units(struct facts *facts, const struct overflow_counter *counter)
{
	if (counter->units != UNITS_CPU_CYCLES && counter->units != UNITS_FIXED_CYCLES)
		return;
	if (counter->rate)
		fprintf(facts->text,
			"      shown as a time at %.3f MHz, the harmonic mean of the CPUs' nominal rates\n",
			(double)counter->rate / 1000);
	else
		fprintf(facts->text, "      shown as a count: the CPUs' rate is not known\n");
	if (counter->rate)
		fact_number(facts, named(facts, counter, "shown as a time at (kHz)"), counter->rate);
}

static void add_readings_of(
	struct facts *facts, const struct counter_account *of, const struct overflow_counter *counter)
{
	fprintf(facts->text,
		"      counted %" PRIu64 " in %" PRIu64 " readings, of which %" PRIu64 " (%.2f %%) %s not known\n",
		of->recorded, of->readings, of->unknown, percent(of->unknown, of->readings),
		of->unknown == 1 ? "is" : "are");
	fact_number(facts, named(facts, counter, "counted"), of->recorded);
	fact_number(facts, named(facts, counter, "readings"), of->readings);
	fact_number(facts, named(facts, counter, "readings that are not known"), of->unknown);
}

static void add_description(struct facts *facts, const struct overflow_counter *counter)
{
	static const char *const modes[] = {"nothing", "user mode", "the kernel", "user mode and the kernel"};
	const char *mode = modes[counter->modes & 3];
	print_between(facts->text, "    ", counter->name, " (");
	print_between(facts->text, "", counter->event, "): ");
	fprintf(facts->text, "%s, ", mode);
	if (counter->delivery == DELIVERY_READ)
		fprintf(facts->text, "read at each sample\n");
	else
		add_interval(facts, counter);
	fact_text(facts, named(facts, counter, "event"), counter->event);
	fact_text(facts, named(facts, counter, "counts in"), mode);
	if (counter->memory) {
		fprintf(facts->text, "      data addresses are recorded\n");
		fact_text(facts, named(facts, counter, "data addresses"), "recorded");
	}
	add_units(facts, counter);
}

static void add_precision(struct facts *facts, const struct counter_account *of, const struct overflow_counter *counter)
{
	bool asked = counter->precise_asked || counter->precise;
	fprintf(facts->text, "      %" PRIu64 " overflows, %.2f %% at the instruction that counted", of->overflows,
		percent(of->precise, of->overflows));
	if (of->late)
		fprintf(facts->text, ", %.2f %% with stacks that were found later", percent(of->late, of->overflows));
	if (asked)
		fprintf(facts->text, "; precise level %" PRIu64 " asked for, %" PRIu64 " obtained",
			counter->precise_asked, counter->precise);
	putc('\n', facts->text);
	fact_number(facts, named(facts, counter, "overflows"), of->overflows);
	fact_number(facts, named(facts, counter, "overflows at the instruction that counted"), of->precise);
	fact_number(facts, named(facts, counter, "overflows with stacks that were found later"), of->late);
	if (asked) {
		fact_number(facts, named(facts, counter, "precise level asked for"), counter->precise_asked);
		fact_number(facts, named(facts, counter, "precise level obtained"), counter->precise);
	}
}

static void add_account(struct facts *facts, const struct counter_account *of, const struct overflow_counter *counter)
{
	if (!of->threads) {
		fprintf(facts->text, "      no account of what it counted: no thread has ended\n");
		return;
	}
	fprintf(facts->text,
		"      counted %" PRIu64 " in %" PRIu64 " thread%s, of which overflows show %" PRIu64 " (%.2f %%)\n",
		of->counted, of->threads, of->threads == 1 ? "" : "s", of->recorded,
		percent(of->recorded, of->counted));
	fact_number(facts, named(facts, counter, "counted"), of->counted);
	fact_number(facts, named(facts, counter, "threads"), of->threads);
	fact_number(facts, named(facts, counter, "shown by overflows"), of->recorded);
	fprintf(facts->text, "      it ran for %.2f %% of the time that it was enabled%s\n",
		percent(of->running, of->enabled),
		of->running < of->enabled - of->enabled / 100
			? ": counters took turns, its values are of that part of the time and not scaled"
			: "");
	fact_seconds(facts, named(facts, counter, "ran for"), of->running);
	fact_seconds(facts, named(facts, counter, "enabled for"), of->enabled);
}

static void add_losses(struct facts *facts, const struct counter_account *of, const struct overflow_counter *counter)
{
	const struct {
		uint64_t count;
		const char *line, *rest, *name;
	} losses[] = {
		{of->throttled, "*** Warning: the kernel held it back", "times: too many overflows",
			"times held back by the kernel"},
		{of->lost, "*** Warning:", "overflows were lost", "overflows lost"},
		{of->stalled, "*** Warning: its interval was doubled",
			"times: the program did not get on between overflows",
			"interval doubled for the program to get on (times)"},
		{of->adapted, "its interval was doubled", "times to keep to the rate asked for",
			"interval doubled to keep to the rate asked for (times)"},
	};
	for (unsigned i = 0; i < sizeof losses / sizeof *losses; i++) {
		if (!losses[i].count)
			continue;
		fprintf(facts->text, "      %s %" PRIu64 " %s\n", losses[i].line, losses[i].count, losses[i].rest);
		fact_number(facts, named(facts, counter, losses[i].name), losses[i].count);
	}
}

static void add_counter(struct facts *facts, const struct counter_account *of, const struct overflow_counter *counter)
{
	add_description(facts, counter);
	if (counter->delivery == DELIVERY_READ) {
		add_readings_of(facts, of, counter);
		return;
	}
	add_precision(facts, of, counter);
	add_account(facts, of, counter);
	add_losses(facts, of, counter);
}

/* Those that are read, or the others. */
static void add_counters(
	struct facts *facts, const struct counter_facts *counters, const struct experiment *experiment, bool read)
{
	unsigned count = 0;
	for (unsigned i = 0; i < experiment->overflow_counter_count; i++)
		count += (experiment->overflow_counters[i].delivery == DELIVERY_READ) == read;
	if (!count)
		return;
	fprintf(facts->text,
		read ? "  Counters read at samples, %u counter%s\n" : "  Counter overflow profiling, %u counter%s\n",
		count, count == 1 ? "" : "s");
	for (unsigned i = 0; i < experiment->overflow_counter_count; i++)
		if ((experiment->overflow_counters[i].delivery == DELIVERY_READ) == read)
			add_counter(facts, &counters->of[i], &experiment->overflow_counters[i]);
}

void counter_facts_add(struct facts *facts, const struct counter_facts *counters, const struct experiment *experiment)
{
	add_counters(facts, counters, experiment, false);
	add_counters(facts, counters, experiment, true);
}
