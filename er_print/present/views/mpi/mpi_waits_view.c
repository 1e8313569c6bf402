/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waits of MPI calls: the wait states, then each pair of a stack that waited and the stack that it waited for. */
#include "command_functions.h"
#include "mpi_messages.h"
#include "mpi_names.h"
#include "mpi_stack_pairs.h"
#include "mpi_waits.h"
#include "search.h"
#include "stack_text.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Waits that have something in common. */
struct sum {
	uint64_t time, count, longest;
	uint64_t most;            /* that one process waited */
	uint32_t most_experiment; /* it */
	enum mpi_wait_state state;
	uint32_t stack, late_stack;
};

/* A wait, as it is sorted. */
struct sorted {
	const struct mpi_wait *wait;
	uint32_t experiment, stack, late_stack;
};

struct report {
	struct session *session;
	const struct mpi_trace *trace;
	struct sorted *waits;
	uint32_t count;
};

static int compare(uint64_t a, uint64_t b)
{
	return COMPARE(a, b);
}

static int by_state(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = compare(a->wait->state, b->wait->state);
	return order ? order : compare(a->experiment, b->experiment);
}

static int by_stacks(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = compare(a->wait->state, b->wait->state);
	order = order ? order : compare(a->stack, b->stack);
	order = order ? order : compare(a->late_stack, b->late_stack);
	return order ? order : compare(a->experiment, b->experiment);
}

/* The waits that are neighbours from `first` on, as long as they are of the same state, and stacks if those are asked for. */
static struct sum sum_from(const struct report *report, uint32_t *first, bool stacks)
{
	const struct sorted *own = &report->waits[*first];
	struct sum sum = {.state = own->wait->state, .stack = own->stack, .late_stack = own->late_stack};
	uint64_t by_one = 0;
	for (uint32_t i = *first; i < report->count; i++, *first = i) {
		const struct sorted *next = &report->waits[i];
		if (next->wait->state != sum.state ||
			(stacks && (next->stack != sum.stack || next->late_stack != sum.late_stack)))
			break;
		by_one = i && next[-1].experiment == next->experiment && sum.count ? by_one : 0;
		by_one += next->wait->time;
		sum.time += next->wait->time;
		sum.count++;
		sum.longest = next->wait->time > sum.longest ? next->wait->time : sum.longest;
		if (by_one > sum.most) {
			sum.most = by_one;
			sum.most_experiment = next->experiment;
		}
	}
	return sum;
}

static int by_time(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	int order = compare(b->time, a->time);
	order = order ? order : compare(a->state, b->state);
	order = order ? order : compare(a->stack, b->stack);
	return order ? order : compare(a->late_stack, b->late_stack);
}

static struct sum *sums_of(const struct report *report, bool stacks, uint32_t *count)
{
	struct sum *sums = 0;
	*count = 0;
	if (report->count)
		qsort(report->waits, report->count, sizeof *report->waits, stacks ? by_stacks : by_state);
	for (uint32_t i = 0; i < report->count;) {
		sums = memory_room(sums, *count, sizeof *sums);
		sums[(*count)++] = sum_from(report, &i, stacks);
	}
	if (*count)
		qsort(sums, *count, sizeof *sums, by_time);
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
	uint64_t waited = 0;
	for (uint32_t i = 0; i < report->count; i++)
		waited += report->waits[i].wait->time;
	table_preamble(
		table, table_text(table,
			       "MPI waits: %.3f seconds in %" PRIu32 " calls, of %.3f seconds MPI Time; by wait state, "
			       "with the most that one rank waited",
			       (double)waited * 1e-9, report->count,
			       (double)sums->total[metric_find(sums->metrics, "mpitime")] * 1e-9));
	table_preamble(table, "");
}

static void show_states(const struct report *report)
{
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(report->session, &table);
	uint32_t count;
	struct sum *sums = sums_of(report, false, &count);
	add_heading(report, &table);
	table_headings(&table, headings, OF_STATES);
	for (uint32_t i = 0; i < count; i++)
		fill_sum(table_row(&table, ROW_PLAIN), &sums[i], mpi_process_name(&names, sums[i].most_experiment));
	session_print(report->session, &table);
	free(names.text);
	free(sums);
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
	uint32_t count;
	struct sum *sums = sums_of(report, true, &count);
	uint32_t shown = mpi_stack_pairs_shown(session, &table, count);
	table_preamble(&table, "MPI waits by stack, with the stack that each waited for");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	table_name_rows(&table, STATE, 3);
	for (uint32_t i = 0; i < shown; i++)
		add_pair(session, &table, &sums[i], mpi_process_name(&names, sums[i].most_experiment));
	session_another_report(session);
	session_print(session, &table);
	free(names.text);
	free(sums);
}

bool command_mpi_waits(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct mpi_trace *trace = mpi_trace_read(session->data, session_filter(session), 0);
	struct report report = {.session = session, .trace = trace};
	bool recorded = trace->call_count != 0;
	mpi_messages_match(trace);
	struct mpi_wait *waits = mpi_waits_find(trace, session->data, &report.count);
	uint32_t count = report.count;
	report.waits = memory_new(count, sizeof *report.waits);
	report.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (!waits[i].kept)
			continue;
		const struct mpi_trace_call *call = &trace->calls[waits[i].call];
		report.waits[report.count++] =
			(struct sorted){&waits[i], call->experiment, call->stack, trace->calls[waits[i].late].stack};
	}
	if (recorded) {
		show_states(&report);
		show_stacks(&report);
	} else {
		session_error(session, "No MPI messages or collective operations were recorded");
	}
	free(report.waits);
	free(waits);
	mpi_trace_free(trace);
	return recorded;
}
