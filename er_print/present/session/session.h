/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state that the commands of one run of er_print share: the loaded experiments, the settings, what was computed from them,
   and where reports go. */
#ifndef SESSION_H
#define SESSION_H

#include "balance.h"
#include "callers_callees.h"
#include "comparison.h"
#include "counter_metrics.h"
#include "coverage.h"
#include "data.h"
#include "distinct_names.h"
#include "event_filter.h"
#include "index_objects.h"
#include "key_sums.h"
#include "metric_list.h"
#include "object_choice.h"
#include "path_tree.h"
#include "picture_setting.h"
#include "rc_settings.h"
#include "resolver.h"
#include "search_path.h"
#include "space_rules.h"
#include "stack_sums.h"
#include "table.h"
#include "table_print.h"
#include "tree_setting.h"
#include "variable_names.h"
#include <stdbool.h>
#include <stdio.h>

enum name_style { NAME_LONG, NAME_SHORT, NAME_MANGLED, NAME_STYLE_COUNT };
enum { HOT_PERCENT = 75 }; /* the thresholds of a fresh session */

enum { FRAGMENT_MAX = 256 };
/* The functions, caller first, that csingle and the commands after it have put together. */
struct session_fragment {
	uint32_t functions[FRAGMENT_MAX];
	unsigned count;
};

struct session_argument {
	char *path; /* what was loaded, as it was named */
	bool imported;
	uint32_t group; /* the number of what it brought, from 1; 0: nothing new */
};
struct session_arguments {
	struct session_argument *all;
	unsigned count;
};

/* Tables that were to be printed. */
struct captured_tables {
	struct table *all;
	unsigned count;
};

struct session {
	struct data *data;
	struct resolver *resolver;
	uint32_t *groups; /* by experiment: the number of the argument that named it, from 1 */
	uint32_t group_count;
	uint32_t only_group; /* all that is summed and shown is of this group, from 1; 0: of all */
	struct session_argument *arguments;
	unsigned argument_count;

	struct metric_list metrics;
	struct metric_sort sort;
	unsigned long limit;                         /* rows; 0: all */
	bool limit_given;                            /* else some reports show their largest rows only */
	unsigned source_threshold, disasm_threshold; /* percent of the largest value in a file: lines that are marked */
	enum name_style name_style;
	unsigned name_width;          /* text lists shorten longer names; 0: none */
	bool soname;                  /* names are followed by their load object */
	struct comparison comparison; /* session_set_comparison() changes it */
	struct tree_setting tree_setting;
	struct picture_setting picture;
	struct space_rules space_rules;
	enum view_mode view_mode;
	bool short_apart; /* time of threads too short for a tick is not divided; session_forget_sums when it has changed */
	bool builds_apart; /* session_forget_resolver when it has changed */
	bool skid_raw; /* clock ticks are where the interrupt found the thread; session_forget_places when it has changed */
	bool stacks_placed;                 /* of the data that is loaded */
	struct object_choice object_choice; /* session_forget_tree when it has changed */
	enum print_mode print_mode;         /* session_said() tells where settings go */
	bool debuginfod;                    /* ask the servers of DEBUGINFOD_URLS for what this machine lacks */
	uint64_t kept_names;                /* bytes of names that are kept for later reports */
	char delimiter;

	char *filter_text; /* 0: none */
	struct index_objects index_objects;
	struct search_path search_path; /* session_forget_resolver when it has changed */
	struct selection selection;     /* session_forget_sums when it has changed */
	struct event_filter filter;     /* use session_filter */
	bool filter_prepared;
	struct expression_setting expression_setting;
	struct table filter_names; /* of functions, while an expression is prepared */

	struct session_fragment fragment;
	struct rc_settings rc;
	bool quiet; /* settings are not repeated: they come from .er.rc */

	FILE *out;                        /* reports */
	struct captured_tables *captured; /* catches tables in place of printing them; 0: they are printed */
	FILE *tables;                     /* where tables go while `out` gathers the lines of a command; 0: to `out` */
	char *out_name;                   /* 0: standard output or error */

	bool output_taken;    /* standard output is for another tool: settings are said on standard error */
	bool on_command_line; /* the command that runs is an argument of er_print: what fails makes the exit status 1 */
	bool reported;        /* the last command's output was a report */
	bool said;            /* by the command that runs: what it prints is no report */
	unsigned script_depth;
	const char *command; /* that runs, for reports that name it; 0: none */
	const char *script;  /* the file that the command that runs stands in; 0: it stands in none */
	unsigned script_line;
	bool quit;
	int status; /* of the whole run */

	struct space_times *space_times; /* of filters; 0: not asked for yet */
	struct variable_names variable_names;
	bool coverage_known; /* use session_coverage */
	struct coverage coverage;
	struct metric_rows metric_rows;       /* those that there are; use session_table */
	struct balance balance;               /* use session_sum_table, session_balance_member */
	bool *recorded;                       /* by metric; use session_metrics */
	bool *wanted, every_wanted;           /* by metric; use session_wanted */
	const struct metric_list *also_shown; /* metrics of the list that is being printed; 0: none beside `metrics` */
	/* Computed when first asked for: use the functions below. */
	struct stack_sums *sums;
	uint64_t estimated; /* of these, CPU time that was divided, in nanoseconds */
	bool stacks_used;   /* for something but the totals, since the last table was printed */
	struct path_tree *tree, *merged;
	struct distinct_names distinct; /* of the functions of the tree */
	struct key_sums *functions;
	struct call_graph *graph;
};

struct session *session_create(void);
void session_destroy(struct session *session);
/* Loads an experiment or group, before what is loaded already if that has descendants of it. False and *error if it cannot be. */
bool session_load(struct session *session, const char *path, bool import, struct error *error);

/* Forgets all experiments, and what was chosen of them. Returns what they were, for session_load_again(). */
struct session_arguments session_unload(struct session *session);
/* Loads these again, but for one of that index, and frees them. */
void session_load_again(struct session *session, struct session_arguments *arguments, unsigned except);
/* Frees them only. */
void session_arguments_free(struct session_arguments *arguments);

/* These decode, resolve and sum what they need, once. */
const struct stack_sums *session_sums(struct session *session);
const struct path_tree *session_tree(struct session *session);
/* Finds out what functions of one name have to be told apart by. Reports that name functions call this before, so that their names
   do not depend on what was shown before them. */
void session_tell_names_apart(struct session *session);
/* The totals alone: the first number of each metric, 0 where it has no sums. */
uint64_t *const *session_totals(struct session *session);
const struct path_tree *session_merged(struct session *session);
/* Gives that tree the values of a metric of balance: balance_fill_tree(). */
void session_fill_balance(struct session *session, unsigned metric);
const struct key_sums *session_functions(struct session *session);
const struct call_graph *session_graph(struct session *session);
/* The filter that decides which events are in the sums. */
const struct event_filter *session_filter(struct session *session);
/* Whether reports are about an experiment: not if they are of another group alone. */
bool session_shows_experiment(const struct session *session, uint32_t experiment);
/* Which part of the processes was recorded. */
const struct coverage *session_coverage(struct session *session);
/* Makes an expression ready for the data and settings of now. */
void session_prepare(struct session *session, struct expression *expression);
/* Another filter in place of the old one; an empty text: none. False and *error if it is bad: the old one stays. */
bool session_set_filter(struct session *session, const char *text, struct error *error);
/* Events are chosen in another way now: what was computed is forgotten. */
void session_forget_sums(struct session *session);
/* Files are found in another way now: what was read of load objects is forgotten as well. */
void session_forget_resolver(struct session *session);
/* Code spaces are made in another way now: likewise. */
void session_forget_spaces(struct session *session);
/* Events have other stacks now: likewise. */
void session_forget_places(struct session *session);
/* Stacks are shown in another way now: likewise, but for the sums of stacks. */
void session_forget_tree(struct session *session);
/* How stacks are shown. */
struct stack_view session_view(const struct session *session);
/* Functions are called otherwise now. */
void session_set_names(struct session *session, enum name_style style, bool soname);
struct metric_context session_metrics(struct session *session);
/* The same, with the metrics of balance that a specification names. */
struct metric_context session_metrics_for(struct session *session, const char *specification);
/* The name of a member that a metric of balance tells, a number of its value; the session's. */
const char *session_balance_member(struct session *session, unsigned metric, uint64_t value);
/* All metrics: those of every experiment, and those that the loaded ones have brought. */
const struct metric_table *session_table(struct session *session);
/* The table of what is summed: session_group_table(), and the rows of the members where metrics of balance were asked for. */
const struct metric_table *session_sum_table(struct session *session);
/* By row of session_sum_table(): whether it is to be summed. Those on demand are where they are shown, or all were asked for;
   valid until the next call. */
const bool *session_wanted(struct session *session);
/* A list with these metrics is printed next. True: some of them are not the session's: session_show_again() after it, so that the
   lists that follow have no rows because of them. */
bool session_show_also(struct session *session, const struct metric_list *list);
void session_show_again(struct session *session);
/* Other metrics are shown now: sums that lack one of them are forgotten. */
void session_want_shown(struct session *session);
/* Every metric is to be summed from now on. */
void session_want_all(struct session *session);
/* The settings of a fresh session for the data that is loaded; once, before a command needs them. */
void session_choose_defaults(struct session *session);
/* Another comparison of groups: what was computed with the old one is forgotten. */
void session_set_comparison(struct session *session, const struct comparison *comparison);
/* Another model of stacks: what was computed with the old one is forgotten. */
void session_set_view_mode(struct session *session, enum view_mode mode);

/* A name as the setting `name` asks for; a text of the table where it must be put together. */
const char *session_plain_name(const struct session *session, struct table *table, uint32_t function);
/* The same, followed by what tells the function from others of that name where the functions with sums have several. */
const char *session_function_name(const struct session *session, struct table *table, uint32_t function);
/* The name of a source line in lists: "main, line 12 in "a.c""; a text of the table. */
const char *session_line_name(const struct session *session, struct table *table, uint32_t line);
/* Likewise, without what tells the function from others of its name. */
const char *session_plain_line_name(const struct session *session, struct table *table, uint32_t line);

/* Where a command says what a setting is now: standard output, or standard error where standard output is for programs. */
static inline FILE *session_said(struct session *session)
{
	session->said = true;
	bool for_programs = session->print_mode == PRINT_CSV || session->print_mode == PRINT_JSON;
	return for_programs || session->output_taken ? stderr : stdout;
}
/* In text: parts a report that was printed from what comes next by an empty line. */
void session_part(struct session *session);
/* Parts the next report of a command that prints several from the one before, likewise. */
void session_another_report(struct session *session);
/* One line "Error: ..." on standard error, with the place in the script if there is one. Returns false. */
bool session_error(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One line "Warning: ..." likewise, which leaves the exit status alone. */
void session_warning(const struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* CPU time in what is shown of the sums that is an estimate, in nanoseconds: 0 where no metric of the clock is shown. */
uint64_t session_estimated(const struct session *session);
/* Lines of a report that is text alone, as a table of lines for print modes with a form for that. */
void session_print_lines(struct session *session, const char *title, const char *text);
/* Prints a table as the setting printmode asks for, with lines about what was not recorded and what is an estimate if there is
   such, and frees it. */
void session_print(struct session *session, struct table *table);

#endif
