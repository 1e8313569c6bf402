/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that set or show what lists look like: metrics, sort, limit, name, viewmode, printmode. */
#include "clean_output.h"
#include "commands.h"
#include "metric_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void print_sort(struct session *session)
{
	char title[128], text[128];
	struct metric_context context = session_metrics(session);
	metric_item_title(&session->sort.item, &context, title, sizeof title);
	metric_item_text(&session->sort.item, &context, text, sizeof text);
	printf("Current Sort Metric: %s ( %s%s )\n", title, session->sort.reversed ? "-" : "", text);
}

static void print_metrics(struct session *session)
{
	char text[8192];
	struct metric_context context = session_metrics(session);
	metric_list_text(&session->metrics, &context, text, sizeof text);
	printf("Current metrics: %s\n", text);
	print_sort(session);
}

bool command_metrics(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	struct metric_context context = session_metrics(session);
	if (argc) {
		if (!strcasecmp(argv[0], "default"))
			metric_list_default(&session->metrics, &context);
		else if (!metric_list_parse(&session->metrics, argv[0], &context, &error))
			return session_error(session, "%s", error.text);
		metric_sort_default(&session->sort, &session->metrics, &context);
		session_want_shown(session);
	}
	print_metrics(session);
	return true;
}

bool command_sort(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	struct metric_context context = session_metrics(session);
	if (argc && !metric_sort_parse(&session->sort, argv[0], &session->metrics, &context, &error))
		return session_error(session, "%s", error.text);
	print_sort(session);
	return true;
}

bool command_metric_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct metric_context context = session_metrics(session);
	print_metrics(session);
	printf("Available metrics:\n");
	for (unsigned m = 0; m < context.table->count; m++)
		for (enum metric_flavour flavour = EXCLUSIVE; flavour <= INCLUSIVE && context.recorded[m]; flavour++) {
			enum metric_unit unit = context.table->rows[m].unit;
			struct metric_item item = {ITEM_METRIC, flavour, m,
				unit == METRIC_NANOSECONDS ? SHOW_TIME | SHOW_PERCENT
				: unit == METRIC_CYCLES    ? SHOW_TIME | SHOW_VALUE | SHOW_PERCENT
				: unit == METRIC_RATIO     ? SHOW_VALUE
							   : SHOW_VALUE | SHOW_PERCENT};
			char title[128], text[128];
			metric_item_title(&item, &context, title, sizeof title);
			metric_item_text(&item, &context, text, sizeof text);
			printf("%40s: %s\n", title, text);
		}
	printf("%40s: size\n%40s: address\n%40s: name\n", "Size", "PC Address", "Name");
	return true;
}

bool command_cmetric_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	char text[8192], title[128];
	struct metric_list list;
	struct metric_context context = session_metrics(session);
	metric_list_attributed(&list, &session->metrics);
	metric_list_text(&list, &context, text, sizeof text);
	struct metric_item sorted = session->sort.item;
	if (sorted.type == ITEM_METRIC)
		sorted.flavour = ATTRIBUTED;
	metric_item_title(&sorted, &context, title, sizeof title);
	printf("Current caller-callee metrics: %s\n", text);
	metric_item_text(&sorted, &context, text, sizeof text);
	printf("Current Sort Metric: %s ( %s )\n", title, text);
	return true;
}

bool command_limit(struct session *session, unsigned argc, char **argv)
{
	if (argc) {
		char *end;
		errno = 0;
		unsigned long limit = strtoul(argv[0], &end, 10);
		if (*end || end == argv[0] || *argv[0] == '-' || errno)
			return session_error(session,
				"Invalid argument to command: limit %s: it must be a number, 0 for all rows", argv[0]);
		session->limit = limit;
	}
	fflush(session->out);
	if (argc && !session->quiet)
		fprintf(stderr, "Print limit set to %lu\n", session->limit);
	else if (!argc)
		printf("Print limit: %lu\n", session->limit);
	return true;
}

static bool set_threshold(struct session *session, const char *command, unsigned *threshold, unsigned argc, char **argv)
{
	if (argc) {
		char *end;
		unsigned long percent = strtoul(argv[0], &end, 10);
		if (*end || end == argv[0] || *argv[0] == '-' || percent > 100)
			return session_error(session,
				"Invalid argument to command: %s %s: it must be a number from 0 to 100", command,
				argv[0]);
		*threshold = (unsigned)percent;
	}
	if (!session->quiet)
		printf("%s: %u%%\n", command, *threshold);
	return true;
}

bool command_sthresh(struct session *session, unsigned argc, char **argv)
{
	return set_threshold(session, "sthresh", &session->source_threshold, argc, argv);
}

bool command_dthresh(struct session *session, unsigned argc, char **argv)
{
	return set_threshold(session, "dthresh", &session->disasm_threshold, argc, argv);
}

/* Compiler commentary is what one vendor's compilers leave in objects. */
static bool no_commentary(const struct session *session, const char *command)
{
	if (!session->quiet)
		fprintf(stderr, "%s: accepted, without effect: objects on Linux have no compiler commentary\n",
			command);
	return true;
}

#define COMMENTARY(name)                                                                                               \
	bool command_##name(struct session *session, unsigned argc, char **argv)                                       \
	{                                                                                                              \
		(void)argc;                                                                                            \
		(void)argv;                                                                                            \
		return no_commentary(session, #name);                                                                  \
	}
COMMENTARY(scc)
COMMENTARY(dcc)
COMMENTARY(cc)

static const char *const styles[NAME_STYLE_COUNT] = {"long", "short", "mangled"};

/* The words of the first releases stand beside those of the last. */
static bool read_soname(const char *word, bool *soname)
{
	*soname = !strcasecmp(word, "soname") || !strcasecmp(word, "shared_object_name");
	return *soname || !strcasecmp(word, "nosoname") || !strcasecmp(word, "no_shared_object_name");
}

static bool read_name(const char *text, enum name_style *style, bool *soname)
{
	size_t length = strcspn(text, ":");
	bool named = false;
	if (text[length] && !read_soname(text + length + 1, &named))
		return false;
	for (unsigned s = 0; s < NAME_STYLE_COUNT; s++)
		if (length == strlen(styles[s]) && !strncasecmp(text, styles[s], length)) {
			*style = (enum name_style)s;
			*soname = named;
			return true;
		}
	return false;
}

bool command_name(struct session *session, unsigned argc, char **argv)
{
	enum name_style style = session->name_style;
	bool soname = session->soname;
	if (argc && !read_name(argv[0], &style, &soname))
		return session_error(session,
			"Invalid argument to command: name %s: it must be long, short or mangled, and :soname or "
			":nosoname",
			argv[0]);
	if (argc)
		session_set_names(session, style, soname);
	else
		printf("Name format: %s:%s\n", styles[session->name_style], session->soname ? "soname" : "nosoname");
	return true;
}

bool command_viewmode(struct session *session, unsigned argc, char **argv)
{
	if (!argc) {
		printf("Viewmode: %s\n", view_mode_name(session->view_mode));
		return true;
	}
	for (unsigned mode = 0; mode < VIEW_MODE_COUNT; mode++)
		if (!strcasecmp(argv[0], view_mode_name(mode))) {
			session_set_view_mode(session, mode);
			fflush(session->out);
			if (!session->quiet)
				fprintf(stderr, "Viewmode set to %s\n", view_mode_name(mode));
			return true;
		}
	return session_error(
		session, "Invalid argument to command: viewmode %s: it must be user, expert or machine", argv[0]);
}

/* A setting of two words, of which the second is the setting's `true`; without an argument it is printed. False: an error.
   *changed: there is another value now. */
struct two_words {
	const char *command, *label, *off, *on;
};
static bool choose_word(struct session *session, unsigned argc, char **argv, const struct two_words *words,
	bool *setting, bool *changed)
{
	*changed = false;
	bool on = argc && !strcasecmp(argv[0], words->on);
	if (argc && !on && strcasecmp(argv[0], words->off))
		return session_error(session, "Invalid argument to command: %s %s: it must be %s or %s", words->command,
			argv[0], words->off, words->on);
	if (!argc)
		printf("%s: %s\n", words->label, *setting ? words->on : words->off);
	*changed = argc && on != *setting;
	if (argc)
		*setting = on;
	return true;
}

bool command_short_threads(struct session *session, unsigned argc, char **argv)
{
	static const struct two_words words = {"short_threads", "Short threads", "divided", "apart"};
	bool changed, right = choose_word(session, argc, argv, &words, &session->short_apart, &changed);
	if (changed)
		session_forget_sums(session);
	return right;
}

bool command_builds(struct session *session, unsigned argc, char **argv)
{
	static const struct two_words words = {"builds", "Builds", "together", "apart"};
	bool changed, right = choose_word(session, argc, argv, &words, &session->builds_apart, &changed);
	if (changed)
		session_forget_resolver(session);
	return right;
}

bool command_skid(struct session *session, unsigned argc, char **argv)
{
	static const struct two_words words = {"skid", "Skid", "corrected", "raw"};
	bool changed, right = choose_word(session, argc, argv, &words, &session->skid_raw, &changed);
	if (changed)
		session_forget_ticks(session);
	return right;
}

bool command_printmode(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		printf("Print mode: %s\n", session->print_mode == PRINT_TEXT   ? "text"
					   : session->print_mode == PRINT_HTML ? "html"
									       : (char[]){session->delimiter, 0});
	else if (!strcasecmp(argv[0], "text"))
		session->print_mode = PRINT_TEXT;
	else if (!strcasecmp(argv[0], "html"))
		session->print_mode = PRINT_HTML;
	else if (strlen(argv[0]) == 1 && argv[0][0] != '"' && argv[0][0] != '\n') {
		session->print_mode = PRINT_DELIMITED;
		session->delimiter = argv[0][0];
		clean_output_allow(session->delimiter);
	} else {
		return session_error(session,
			"Invalid argument to command: printmode %s: it must be text, html or one character that "
			"delimits fields",
			argv[0]);
	}
	return true;
}

bool command_debuginfod(struct session *session, unsigned argc, char **argv)
{
	if (argc && strcasecmp(argv[0], "on") && strcasecmp(argv[0], "off"))
		return session_error(session, "debuginfod is on or off, not `%s'", argv[0]);
	if (argc) {
		session->debuginfod = !strcasecmp(argv[0], "on");
		resolver_set_debuginfod(session->resolver, session->debuginfod);
	}
	fprintf(stderr, "Debuginfod is %s\n", session->debuginfod ? "on" : "off");
	return true;
}
