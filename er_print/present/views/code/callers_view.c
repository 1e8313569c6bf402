/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callers and callees: panels of attributed sums, one function or all. */
#include "choose_function.h"
#include "command_functions.h"
#include "fragment.h"
#include "functions_view.h"
#include "metric_columns.h"

#include <stdlib.h>
#include <string.h>

struct panels {
	struct session *session;
	struct table table;
	struct metric_list list;
	struct metric_item sorted; /* attributed */
	const struct call_graph *graph;
	const struct key_sums *functions;
};

static void begin_panels(struct panels *panels, struct session *session)
{
	*panels = (struct panels){
		.session = session, .graph = session_graph(session), .functions = session_functions(session)};
	metric_list_attributed(&panels->list, &session->metrics);
	panels->sorted = session->sort.item;
	if (panels->sorted.type == ITEM_METRIC)
		panels->sorted.flavour = ATTRIBUTED;
	list_view_title(session, &panels->table, "Callers and callees", &panels->sorted);
	metric_columns_add(session, &panels->table, &panels->list, &panels->sorted, COLUMN_TEXT, "Name");
}

/* The inclusive sums of the centre, which its attributed sums are shares of. The caller frees them. */
static uint64_t *whole_of(const struct panels *panels, uint32_t centre)
{
	uint64_t *whole = memory_new(panels->functions->metrics->count, sizeof *whole);
	for (unsigned m = 0; m < panels->functions->metrics->count; m++)
		if (panels->functions->inclusive[m])
			whole[m] = panels->functions->inclusive[m][centre];
	return whole;
}

static void add_neighbours(struct panels *panels, const struct attributed *edges, uint32_t count, const uint64_t *whole)
{
	struct metric_ranked *rows = memory_new(count, sizeof *rows);
	struct metric_values values = {.attributed_whole = whole};
	uint32_t shown = 0;
	for (uint32_t e = 0; e < count; e++) {
		values.attributed = edges[e].sums;
		values.function = edges[e].other;
		if (!metric_columns_have_value(panels->session, &panels->list, &panels->sorted, &values))
			continue;
		const char *name = session_function_name(panels->session, &panels->table, edges[e].other);
		rows[shown++] = metric_rank(panels->session, &panels->sorted, &values, name, e);
	}
	metric_sort_rows(panels->session, rows, shown);
	for (uint32_t e = 0; e < shown; e++) {
		values.attributed = edges[rows[e].key].sums;
		values.function = edges[rows[e].key].other;
		metric_columns_fill(
			panels->session, table_row(&panels->table, ROW_PLAIN), &panels->list, &values, rows[e].name);
	}
	free(rows);
}

static void add_callers(struct panels *panels, uint32_t centre, const uint64_t *whole)
{
	const uint32_t *from = panels->graph->callers_from;
	add_neighbours(panels, panels->graph->callers + from[centre], from[centre + 1] - from[centre], whole);
}

static void add_callees(struct panels *panels, uint32_t centre, const uint64_t *whole)
{
	const uint32_t *from = panels->graph->callees_from;
	add_neighbours(panels, panels->graph->callees + from[centre], from[centre + 1] - from[centre], whole);
}

/* The centre's own row shows what is attributed to nobody: its exclusive sums. */
static void add_centre(struct panels *panels, uint32_t centre, const uint64_t *whole, enum row_mark mark)
{
	uint64_t *own = memory_new(panels->functions->metrics->count, sizeof *own);
	for (unsigned m = 0; m < panels->functions->metrics->count; m++)
		if (panels->functions->exclusive[m])
			own[m] = panels->functions->exclusive[m][centre];
	struct metric_values values = {.attributed = own, .attributed_whole = whole, .function = centre};
	metric_columns_fill(panels->session, table_row(&panels->table, mark), &panels->list, &values,
		session_function_name(panels->session, &panels->table, centre));
	free(own);
}

bool command_callers_callees(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct panels panels;
	begin_panels(&panels, session);
	struct table heading = {0};
	list_view_title(session, &heading, "Functions", &session->sort.item);
	const char *first = table_text(&panels.table, "%s", heading.preamble[0]);
	table_preamble(&panels.table, "");
	panels.table.preamble[1] = panels.table.preamble[0];
	panels.table.preamble[0] = first;
	table_free(&heading);
	size_t count;
	uint32_t *functions = functions_in_order(session, &count);
	for (size_t i = 0; i < count && (!session->limit || i < session->limit); i++) {
		if (i)
			table_blank(&panels.table);
		uint64_t *whole = whole_of(&panels, functions[i]);
		add_callers(&panels, functions[i], whole);
		add_centre(&panels, functions[i], whole, ROW_CENTRE);
		add_callees(&panels, functions[i], whole);
		free(whole);
	}
	free(functions);
	session_print(session, &panels.table);
	return true;
}

/* A fragment of one function has the panel of the function. */
static void show_single(struct panels *panels, uint32_t centre)
{
	uint64_t *whole = whole_of(panels, centre);
	table_section(&panels->table, "============== Callers");
	add_callers(panels, centre, whole);
	table_blank(&panels->table);
	table_section(&panels->table, "============== Stack Fragment");
	add_centre(panels, centre, whole, ROW_PLAIN);
	table_blank(&panels->table);
	table_section(&panels->table, "============== Callees");
	add_callees(panels, centre, whole);
	free(whole);
}

/* Metrics that are attributed to nobody stand beside the last function; those above it have nothing of their own. */
static void show_run(struct panels *panels, const struct session_fragment *run)
{
	struct session *session = panels->session;
	struct fragment *fragment = fragment_compute(
		session_merged(session), run->functions, run->count, resolver_function_count(session->resolver));
	uint64_t *nothing = memory_new(panels->functions->metrics->count, sizeof *nothing);
	table_section(&panels->table, "============== Callers");
	add_neighbours(panels, fragment->callers, fragment->caller_count, fragment->whole);
	table_blank(&panels->table);
	table_section(&panels->table, "============== Stack Fragment");
	for (unsigned i = 0; i < run->count; i++) {
		struct metric_values values = {.attributed = i + 1 < run->count ? nothing : fragment->own,
			.attributed_whole = fragment->whole,
			.function = run->functions[i]};
		metric_columns_fill(session, table_row(&panels->table, ROW_PLAIN), &panels->list, &values,
			session_function_name(session, &panels->table, run->functions[i]));
	}
	table_blank(&panels->table);
	table_section(&panels->table, "============== Callees");
	add_neighbours(panels, fragment->callees, fragment->callee_count, fragment->whole);
	free(nothing);
	fragment_free(fragment);
}

static bool show_fragment(struct session *session)
{
	struct panels panels;
	begin_panels(&panels, session);
	if (session->fragment.count == 1)
		show_single(&panels, session->fragment.functions[0]);
	else
		show_run(&panels, &session->fragment);
	session_print(session, &panels.table);
	return true;
}

bool command_csingle(struct session *session, unsigned argc, char **argv)
{
	uint32_t centre;
	if (!choose_function(session, argv[0], argc > 1 ? argv[1] : 0, &centre))
		return false;
	session->fragment.functions[0] = centre;
	session->fragment.count = 1;
	return show_fragment(session);
}

/* Room for one more function beside those of the fragment, and which one it is. */
static bool choose_more(struct session *session, unsigned argc, char **argv, uint32_t *function)
{
	const struct session_fragment *run = &session->fragment;
	if (!run->count)
		return session_error(session, "There is no stack fragment: csingle begins one");
	if (!choose_function(session, argv[0], argc > 1 ? argv[1] : 0, function))
		return false;
	if (*function == FUNCTION_TOTAL || run->functions[0] == FUNCTION_TOTAL)
		return session_error(session, "<Total> is no part of a longer stack fragment");
	return run->count < FRAGMENT_MAX ||
	       session_error(session, "A stack fragment has at most %d functions", FRAGMENT_MAX);
}

bool command_cprepend(struct session *session, unsigned argc, char **argv)
{
	struct session_fragment *run = &session->fragment;
	uint32_t function;
	if (!choose_more(session, argc, argv, &function))
		return false;
	memmove(run->functions + 1, run->functions, run->count * sizeof *run->functions);
	run->functions[0] = function;
	run->count++;
	return show_fragment(session);
}

bool command_cappend(struct session *session, unsigned argc, char **argv)
{
	uint32_t function;
	if (!choose_more(session, argc, argv, &function))
		return false;
	session->fragment.functions[session->fragment.count++] = function;
	return show_fragment(session);
}

static bool remove_one(struct session *session, bool first)
{
	struct session_fragment *run = &session->fragment;
	if (!run->count)
		return session_error(session, "There is no stack fragment: csingle begins one");
	if (run->count == 1) {
		session_warning(session, "there is only one function in the stack segment; cannot remove it.");
		return true;
	}
	run->count--;
	if (first)
		memmove(run->functions, run->functions + 1, run->count * sizeof *run->functions);
	return show_fragment(session);
}

bool command_crmfirst(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	return remove_one(session, true);
}

bool command_crmlast(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	return remove_one(session, false);
}
