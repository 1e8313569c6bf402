/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delays say who makes others wait, and where: by rank, by function, and each stack with the stack that waited for it. */
#include "command_functions.h"
#include "mpi_call_paths.h"
#include "mpi_names.h"
#include "mpi_stack_pairs.h"
#include "number_map.h"
#include "resolver.h"
#include "search.h"
#include "stack_text.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Costs that have something in common. */
struct sum {
	uint64_t direct, chain;
	uint64_t most; /* both, of one process */
	uint32_t most_experiment;
	uint32_t key; /* experiment, or function */
	uint32_t stack, wait_stack;
	uint64_t waited; /* by the process itself */
};
struct sums {
	struct sum *all;
	uint32_t count;
	struct number_map places;
};
struct report {
	struct session *session;
	struct mpi_delays delays;
	struct sums processes, functions, pairs;
	struct number_map alike;    /* (caller's stack, leaf function) -> the first stack of them */
	struct number_map of_pairs; /* (stack, stack that waited) -> number */
	uint64_t direct, chain;
};

static uint64_t both(const struct sum *sum)
{
	return sum->direct + sum->chain;
}

static struct sum *sum_at(struct sums *sums, uint64_t key, bool *fresh)
{
	uint32_t *place = number_map_place(&sums->places, key);
	*fresh = *place == NO_NUMBER;
	if (*fresh) {
		sums->all = memory_room(sums->all, sums->count, sizeof *sums->all);
		sums->all[sums->count] = (struct sum){.key = (uint32_t)key};
		*place = sums->count++;
	}
	return &sums->all[*place];
}

static uint32_t leaf_function(struct resolver *resolver, uint32_t stack)
{
	struct frame frames[FRAMES_MAX];
	return resolver_frames(resolver, stack, frames) ? frames[0].function : 0;
}

/* Samples have many addresses in a function: a stack stands for all that have its callers and its function. */
static uint32_t stack_alike(struct report *report, uint32_t stack, uint32_t function)
{
	uint32_t parent = report->session->data->stacks[stack].parent;
	uint32_t *first = number_map_place(&report->alike, number_pair(parent, function));
	return *first == NO_NUMBER ? (*first = stack) : *first;
}

static void add_costs(struct sum *sum, const struct mpi_delay *delay)
{
	sum->direct += delay->kept_direct;
	sum->chain += delay->kept_chain;
}

/* Those of a process are neighbours, so that its sums are complete before the next one's begin. */
static int by_process(const void *left, const void *right)
{
	const struct mpi_delay *a = left, *b = right;
	int order = COMPARE(a->experiment, b->experiment) ?: COMPARE(a->stack, b->stack);
	return order ?: COMPARE(a->wait_stack, b->wait_stack) ?: COMPARE(a->late_stack, b->late_stack);
}

/* Adds the sums of one process to those of all. */
static void add_process_pairs(struct report *report, struct sums *own, uint32_t experiment)
{
	for (uint32_t i = 0; i < own->count; i++) {
		const struct sum *part = &own->all[i];
		bool fresh;
		struct sum *sum = sum_at(&report->pairs, part->key, &fresh);
		sum->direct += part->direct;
		sum->chain += part->chain;
		sum->stack = part->stack;
		sum->wait_stack = part->wait_stack;
		if (both(part) > sum->most) {
			sum->most = both(part);
			sum->most_experiment = experiment;
		}
	}
	number_map_free(&own->places);
	free(own->all);
	*own = (struct sums){0};
}

static void add_delays(struct report *report)
{
	struct mpi_delays *delays = &report->delays;
	struct sums own = {0};
	uint32_t pair_count = 0;
	bool fresh;
	if (delays->count)
		qsort(delays->all, delays->count, sizeof *delays->all, by_process);
	for (uint32_t i = 0; i < delays->count; i++) {
		const struct mpi_delay *delay = &delays->all[i];
		if (i && delay->experiment != delay[-1].experiment)
			add_process_pairs(report, &own, delay[-1].experiment);
		if (!delay->kept_direct && !delay->kept_chain)
			continue;
		uint32_t function = leaf_function(report->session->resolver, delay->stack);
		uint32_t stack = stack_alike(report, delay->stack, function);
		uint32_t *pair = number_map_place(&report->of_pairs, number_pair(stack, delay->wait_stack));
		*pair = *pair == NO_NUMBER ? pair_count++ : *pair;
		struct sum *of_pair = sum_at(&own, *pair, &fresh);
		of_pair->stack = stack;
		of_pair->wait_stack = delay->wait_stack;
		add_costs(of_pair, delay);
		add_costs(sum_at(&report->processes, delay->experiment, &fresh), delay);
		add_costs(sum_at(&report->functions, function, &fresh), delay);
		report->direct += delay->kept_direct;
		report->chain += delay->kept_chain;
	}
	if (delays->count)
		add_process_pairs(report, &own, delays->all[delays->count - 1].experiment);
}

static void add_waits(struct report *report)
{
	const struct mpi_waits *waits = &report->delays.waits;
	bool fresh;
	for (uint32_t w = 0; w < waits->count; w++)
		if (waits->all[w].kept)
			sum_at(&report->processes, waits->all[w].experiment, &fresh)->waited += waits->all[w].time;
}

static int by_key(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	return COMPARE(a->key, b->key);
}

static int by_time(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	return COMPARE(both(b), both(a)) ?: COMPARE(a->key, b->key);
}

static void sort(struct sums *sums, int (*order)(const void *, const void *))
{
	if (sums->count)
		qsort(sums->all, sums->count, sizeof *sums->all, order);
}

static void show_processes(struct report *report)
{
	enum { DIRECT, CHAIN, WAITED, RANK };
	static const struct table_heading columns[] = {[DIRECT] = {"Delay Time", COLUMN_TIME},
		[CHAIN] = {"Delay Chain Time", COLUMN_TIME},
		[WAITED] = {"Wait Time", COLUMN_TIME},
		[RANK] = {"Rank", COLUMN_TEXT}};
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(report->session, &table);
	sort(&report->processes, by_key);
	table_preamble(&table, table_text(&table,
				       "MPI delays: others waited %.3f seconds for what ranks did, and %.3f seconds "
				       "through others that waited for it; by rank, with what it waited itself",
				       (double)report->direct * 1e-9, (double)report->chain * 1e-9));
	table_preamble(&table, "");
	table_headings(&table, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < report->processes.count; i++) {
		const struct sum *sum = &report->processes.all[i];
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[DIRECT], sum->direct);
		cell_number(&cells[CHAIN], sum->chain);
		cell_number(&cells[WAITED], sum->waited);
		cell_words(&cells[RANK], mpi_process_name(&names, sum->key));
	}
	session_print(report->session, &table);
	free(names.text);
}

static void show_functions(struct report *report)
{
	enum { DIRECT, CHAIN, NAME };
	static const struct table_heading columns[] = {[DIRECT] = {"Delay Time", COLUMN_TIME},
		[CHAIN] = {"Delay Chain Time", COLUMN_TIME},
		[NAME] = {"Function", COLUMN_TEXT}};
	struct session *session = report->session;
	struct table table = {.limited = true};
	sort(&report->functions, by_time);
	table_preamble(&table, "By function: late ranks spent more time there than those that waited for them");
	table_preamble(&table, "");
	table_headings(&table, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < report->functions.count && (!session->limit || i < session->limit); i++) {
		const struct sum *sum = &report->functions.all[i];
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[DIRECT], sum->direct);
		cell_number(&cells[CHAIN], sum->chain);
		cell_words(&cells[NAME], session_function_name(session, &table, sum->key));
	}
	session_another_report(session);
	session_print(session, &table);
}

enum pair_cell { DIRECT, CHAIN, MOST, RANK, STACK, WAITED };

static void add_pair(struct report *report, struct table *table, const struct sum *sum, const char *rank)
{
	struct session *session = report->session;
	const char *stack = stack_folded_from_main(session, table, sum->stack);
	const char *waited = stack_folded_from_main(session, table, sum->wait_stack);
	const char *between = table->row_count ? "\n" : "";
	size_t number = table->row_count + 1;
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[DIRECT], sum->direct);
	cell_number(&cells[CHAIN], sum->chain);
	cell_number(&cells[MOST], sum->most);
	cell_words(&cells[RANK], rank);
	cell_words(&cells[STACK], stack);
	cell_words(&cells[WAITED], waited);
	table_line(table, "%sDelay #%zu%s%s%s of Rank %s\n%smade wait\n%s", between, number,
		mpi_stack_pair_seconds(table, "Delay Time", sum->direct),
		mpi_stack_pair_seconds(table, "Delay Chain Time", sum->chain),
		mpi_stack_pair_seconds(table, "Most", sum->most), rank,
		stack_lines_from_main(session, table, sum->stack),
		stack_lines_from_main(session, table, sum->wait_stack));
}

static void show_pairs(struct report *report)
{
	static const struct table_heading columns[] = {[DIRECT] = {"Delay Time", COLUMN_TIME},
		[CHAIN] = {"Delay Chain Time", COLUMN_TIME},
		[MOST] = {"Most", COLUMN_TIME},
		[RANK] = {"of Rank", COLUMN_TEXT},
		[STACK] = {"Stack", COLUMN_TEXT},
		[WAITED] = {"Made Wait", COLUMN_TEXT}};
	struct session *session = report->session;
	struct table table = {.formed = "", .limited = true};
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	uint32_t shown = mpi_stack_pairs_shown(session, &table, report->pairs.count);
	sort(&report->pairs, by_time);
	table_preamble(&table, "MPI delays by stack, with the stack that waited for it");
	table_headings(&table, columns, sizeof columns / sizeof *columns);
	table_name_rows(&table, STACK, 2);
	for (uint32_t i = 0; i < shown; i++)
		add_pair(report, &table, &report->pairs.all[i],
			mpi_process_name(&names, report->pairs.all[i].most_experiment));
	session_another_report(session);
	session_print(session, &table);
	free(names.text);
}

static void free_sums(struct sums *sums)
{
	number_map_free(&sums->places);
	free(sums->all);
}

bool command_mpi_delays(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct report report = {.session = session};
	struct mpi_call_paths paths;
	mpi_call_paths_begin(&paths, session->data, session->resolver);
	struct mpi_identity identity = mpi_call_paths_identity(&paths);
	report.delays = mpi_delays_find(session->data, session_filter(session), 0, &identity);
	bool recorded = report.delays.recorded;
	if (recorded) {
		session_tell_names_apart(session);
		add_delays(&report);
		add_waits(&report);
		show_processes(&report);
		show_functions(&report);
		show_pairs(&report);
	} else {
		session_error(session, "No MPI messages or collective operations were recorded");
	}
	free_sums(&report.processes);
	free_sums(&report.functions);
	free_sums(&report.pairs);
	number_map_free(&report.alike);
	number_map_free(&report.of_pairs);
	mpi_call_paths_free(&paths);
	mpi_delays_free(&report.delays);
	return recorded;
}
