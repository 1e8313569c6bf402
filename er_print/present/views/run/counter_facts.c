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

struct counter_facts *counter_facts_collect(struct data *data)
{
	struct collecting collecting = {data, memory_new(data->experiment_count, sizeof(struct counter_facts))};
	data_visit(data, KIND_COUNTING, add_totals, &collecting);
	data_visit(data, KIND_OVERFLOW, add_overflows, &collecting);
	return collecting.facts;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_description(const struct overflow_counter *counter, FILE *file)
{
	static const char *const modes[] = {"nothing", "user mode", "the kernel", "user mode and the kernel"};
	print_between(file, "    ", counter->name, " (");
	print_between(file, "", counter->event, "): ");
	fprintf(file, "%s, ", modes[counter->modes & 3]);
	if (counter->ceiling)
		fprintf(file, "interval from %" PRIu64 " upwards, for at most one overflow in %.3f millisec.\n",
			counter->interval, (double)counter->ceiling / 1e6);
	else
		fprintf(file, "interval = %" PRIu64 "\n", counter->interval);
	if (counter->memory)
		fprintf(file, "      data addresses are recorded\n");
	if (counter->units == UNITS_CPU_CYCLES || counter->units == UNITS_FIXED_CYCLES) {
		if (counter->rate)
			fprintf(file,
				"      shown as a time at %.3f MHz, the harmonic mean of the CPUs' nominal rates\n",
				(double)counter->rate / 1000);
		else
			fprintf(file, "      shown as a count: the CPUs' rate is not known\n");
	}
}

static void print_precision(const struct counter_account *of, const struct overflow_counter *counter, FILE *file)
{
	fprintf(file, "      %" PRIu64 " overflows, %.2f %% at the instruction that counted", of->overflows,
		percent(of->precise, of->overflows));
	if (of->late)
		fprintf(file, ", %.2f %% with stacks that were found later", percent(of->late, of->overflows));
	if (counter->precise_asked || counter->precise)
		fprintf(file, "; precise level %" PRIu64 " asked for, %" PRIu64 " obtained", counter->precise_asked,
			counter->precise);
	putc('\n', file);
}

static void print_account(const struct counter_account *of, FILE *file)
{
	if (!of->threads) {
		fprintf(file, "      no account of what it counted: no thread has ended\n");
		return;
	}
	fprintf(file,
		"      counted %" PRIu64 " in %" PRIu64 " thread%s, of which overflows show %" PRIu64 " (%.2f %%)\n",
		of->counted, of->threads, of->threads == 1 ? "" : "s", of->recorded,
		percent(of->recorded, of->counted));
	fprintf(file, "      it ran for %.2f %% of the time that it was enabled%s\n", percent(of->running, of->enabled),
		of->running < of->enabled - of->enabled / 100
			? ": counters took turns, its values are of that part of the time and not scaled"
			: "");
}

static void print_losses(const struct counter_account *of, FILE *file)
{
	if (of->throttled)
		fprintf(file, "      *** Warning: the kernel held it back %" PRIu64 " times: too many overflows\n",
			of->throttled);
	if (of->lost)
		fprintf(file, "      *** Warning: %" PRIu64 " overflows were lost\n", of->lost);
	if (of->stalled)
		fprintf(file,
			"      *** Warning: its interval was doubled %" PRIu64
			" times: the program did not get on between overflows\n",
			of->stalled);
	if (of->adapted)
		fprintf(file, "      its interval was doubled %" PRIu64 " times to keep to the rate asked for\n",
			of->adapted);
}

void counter_facts_print(const struct counter_facts *facts, const struct experiment *experiment, FILE *file)
{
	if (!experiment->overflow_counter_count)
		return;
	fprintf(file, "  Counter overflow profiling, %u counter%s\n", experiment->overflow_counter_count,
		experiment->overflow_counter_count == 1 ? "" : "s");
	for (unsigned i = 0; i < experiment->overflow_counter_count; i++) {
		print_description(&experiment->overflow_counters[i], file);
		print_precision(&facts->of[i], &experiment->overflow_counters[i], file);
		print_account(&facts->of[i], file);
		print_losses(&facts->of[i], file);
	}
}
