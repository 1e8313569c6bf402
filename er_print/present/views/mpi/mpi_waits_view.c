/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waits of MPI calls: the wait states, then each pair of a stack that waited and the stack that it waited for. */
#include "command_functions.h"
#include "mpi_names.h"
#include "mpi_stack_pairs.h"
#include "mpi_waits.h"
#include "number_map.h"
#include "search.h"
#include "stack_text.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Waits that have something in common: their state, the stack that waited and the one that it waited for, and of `parts` the
   process that waited. */
struct sum {
	uint64_t time, count, longest;
	uint64_t most;            /* that one process waited */
	uint32_t most_experiment; /* it; of a part: the process */
	enum mpi_wait_state state;
	uint32_t stack, late_stack;
};
struct sums {
	struct sum *all;
	uint32_t count, capacity;
};

struct report {
	struct session *session;
	struct number_map pairs;  /* (stack, late stack) -> number */
	struct number_map groups; /* (pair, state) -> number */
	struct number_map places; /* (group, experiment) -> part */
	uint32_t pair_count, group_count;
	struct sums parts;
};

static uint32_t number_of(struct number_map *map, uint64_t key, uint32_t *count)
{
	uint32_t *number = number_map_place(map, key);
	return *number == NO_NUMBER ? (*number = (*count)++) : *number;
}

static void forget_waits(void *context)
{
	struct report *report = context;
	number_map_free(&report->places);
	report->parts.count = 0;
}

static struct sum *new_sum(struct sums *sums, const struct sum *sum)
{
	memory_reserve(sums->all, sums->count, sums->capacity);
	sums->all[sums->count] = *sum;
	return &sums->all[sums->count++];
}

static void add_wait(void *context, const struct mpi_wait *wait)
{
	struct report *report = context;
	if (!wait->kept)
		return;
	uint32_t pair = number_of(&report->pairs, number_pair(wait->stack, wait->late_stack), &report->pair_count);
	uint32_t group = number_of(&report->groups, number_pair(pair, wait->state), &report->group_count);
	uint32_t *place = number_map_place(&report->places, number_pair(group, wait->experiment));
	if (*place == NO_NUMBER) {
		*place = report->parts.count;
		new_sum(&report->parts, &(struct sum){.most_experiment = wait->experiment,
						.state = wait->state,
						.stack = wait->stack,
						.late_stack = wait->late_stack});
	}
	struct sum *sum = &report->parts.all[*place];
	sum->time += wait->time;
	sum->count++;
	sum->longest = wait->time > sum->longest ? wait->time : sum->longest;
}

static int by_state(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	return COMPARE(a->state, b->state) ?: COMPARE(a->most_experiment, b->most_experiment);
}

static int by_stacks(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	int order = COMPARE(a->state, b->state) ?: COMPARE(a->stack, b->stack) ?: COMPARE(a->late_stack, b->late_stack);
	return order ?: COMPARE(a->most_experiment, b->most_experiment);
}

/* The parts that are neighbours from `first` on, as long as they are of the same state, and stacks if those are asked for. */
static struct sum sum_from(const struct sums *parts, uint32_t *first, bool stacks)
{
	const struct sum *own = &parts->all[*first];
	struct sum sum = {.state = own->state, .stack = own->stack, .late_stack = own->late_stack};
	uint64_t by_one = 0;
	for (uint32_t i = *first; i < parts->count; i++, *first = i) {
		const struct sum *next = &parts->all[i];
		if (next->state != sum.state ||
			(stacks && (next->stack != sum.stack || next->late_stack != sum.late_stack)))
			break;
		by_one = sum.count && next[-1].most_experiment == next->most_experiment ? by_one : 0;
		by_one += next->time;
		sum.time += next->time;
		sum.count += next->count;
		sum.longest = next->longest > sum.longest ? next->longest : sum.longest;
		if (by_one > sum.most) {
			sum.most = by_one;
			sum.most_experiment = next->most_experiment;
		}
	}
	return sum;
}

static int by_time(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	int order = COMPARE(b->time, a->time) ?: COMPARE(a->state, b->state);
	return order ?: COMPARE(a->stack, b->stack) ?: COMPARE(a->late_stack, b->late_stack);
}

static struct sums sums_of(const struct report *report, bool stacks)
{
	const struct sums *parts = &report->parts;
	struct sums sums = {0};
	if (parts->count)
		qsort(parts->all, parts->count, sizeof *parts->all, stacks ? by_stacks : by_state);
	for (uint32_t i = 0; i < parts->count;) {
		struct sum sum = sum_from(parts, &i, stacks);
		new_sum(&sums, &sum);
	}
	if (sums.count)
		qsort(sums.all, sums.count, sizeof *sums.all, by_time);
	return sums;
}

enum wait_cell { TIME, WAITS, LONGEST, MOST, RANK, STATE, OF_STATES, STACK = OF_STATES, WAITED_FOR };
static const struct table_heading headings[] = {[TIME] = {"Wait Time", COLUMN_TIME},
	[WAITS] = {"Waits", COLUMN_COUNT},
	[LONGEST] = {"Longest", COLUMN_TIME},
	[MOST] = {"Most", COLUMN_TIME},
	[RANK] = {"of Rank", COLUMN_TEXT},
	[STATE] = {"Wait State", COLUMN_TEXT},
	[STACK] = {"Stack", COLUMN_TEXT},
	[WAITED_FOR] = {"Waited for", COLUMN_TEXT}};

static void fill_sum(struct cell *cells, const struct sum *sum, const char *rank)
{
	cell_number(&cells[TIME], sum->time);
	cell_number(&cells[WAITS], sum->count);
	cell_number(&cells[LONGEST], sum->longest);
	cell_number(&cells[MOST], sum->most);
	cell_words(&cells[RANK], rank);
	cell_words(&cells[STATE], mpi_wait_title(sum->state));
}

static void add_heading(const struct report *report, struct table *table)
{
	const struct stack_sums *sums = session_sums(report->session);
	uint64_t waited = 0, count = 0;
	for (uint32_t i = 0; i < report->parts.count; i++) {
		waited += report->parts.all[i].time;
		count += report->parts.all[i].count;
	}
	table_preamble(
		table, table_text(table,
			       "MPI waits: %.3f seconds in %" PRIu64 " calls, of %.3f seconds MPI Time; by wait state, "
			       "with the most that one rank waited",
			       (double)waited * 1e-9, count,
			       (double)sums->total[metric_find(sums->metrics, "mpitime")] * 1e-9));
	table_preamble(table, "");
}

static void show_states(const struct report *report)
{
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(report->session, &table);
	struct sums sums = sums_of(report, false);
	add_heading(report, &table);
	table_headings(&table, headings, OF_STATES);
	for (uint32_t i = 0; i < sums.count; i++)
		fill_sum(table_row(&table, ROW_PLAIN), &sums.all[i],
			mpi_process_name(&names, sums.all[i].most_experiment));
	session_print(report->session, &table);
	free(names.text);
	free(sums.all);
}

/* A pair of stacks with the waits of one at the other. */
static void add_pair(struct session *session, struct table *table, const struct sum *sum, const char *rank)
{
	const char *stack = stack_folded_from_main(session, table, sum->stack);
	const char *late = stack_folded_from_main(session, table, sum->late_stack);
	const char *between = table->row_count ? "\n" : "";
	size_t number = table->row_count + 1;
	struct cell *cells = table_row(table, ROW_PLAIN);
	fill_sum(cells, sum, rank);
	cell_words(&cells[STACK], stack);
	cell_words(&cells[WAITED_FOR], late);
	table_line(table, "%s%s #%zu, Waits = %" PRIu64 "%s%s%s of Rank %s\n%swaited for\n%s", between,
		mpi_wait_title(sum->state), number, sum->count, mpi_stack_pair_seconds(table, "Wait Time", sum->time),
		mpi_stack_pair_seconds(table, "Longest", sum->longest),
		mpi_stack_pair_seconds(table, "Most", sum->most), rank,
		stack_lines_from_main(session, table, sum->stack),
		stack_lines_from_main(session, table, sum->late_stack));
}

static void show_stacks(const struct report *report)
{
	struct session *session = report->session;
	struct table table = {.formed = "", .limited = true};
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	struct sums sums = sums_of(report, true);
	uint32_t shown = mpi_stack_pairs_shown(session, &table, sums.count);
	table_preamble(&table, "MPI waits by stack, with the stack that each waited for");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	table_name_rows(&table, STATE, 3);
	for (uint32_t i = 0; i < shown; i++)
		add_pair(session, &table, &sums.all[i], mpi_process_name(&names, sums.all[i].most_experiment));
	session_another_report(session);
	session_print(session, &table);
	free(names.text);
	free(sums.all);
}

bool command_mpi_waits(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct report report = {.session = session};
	const struct mpi_wait_reader reader = {forget_waits, add_wait, &report, 0};
	bool recorded = mpi_waits_visit(session->data, session_filter(session), 0, &reader);
	if (recorded) {
		show_states(&report);
		show_stacks(&report);
	} else {
		session_error(session, "No MPI messages or collective operations were recorded");
	}
	number_map_free(&report.pairs);
	number_map_free(&report.groups);
	number_map_free(&report.places);
	free(report.parts.all);
	return recorded;
}
