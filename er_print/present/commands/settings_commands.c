/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that set or show what lists and pictures look like, thresholds, name, viewmode, picture, short_threads, builds, skid;
   and how many cores make them. */
#include "command_functions.h"
#include "cores.h"
#include "space_setting.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
		fprintf(session_said(session), "%s: %u%%\n", command, *threshold);
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
		fprintf(session_said(session), "Name format: %s:%s\n", styles[session->name_style],
			session->soname ? "soname" : "nosoname");
	return true;
}

bool command_fit_names(struct session *session, unsigned argc, char **argv)
{
	enum { LEAST = 8, MOST = 1 << 20 };
	if (argc) {
		char *end;
		unsigned long width = strtoul(argv[0], &end, 10);
		if (*end || end == argv[0] || *argv[0] == '-' || (width && width < LEAST) || width > MOST)
			return session_error(session,
				"Invalid argument to command: fit_names %s: it must be 0, or a number from %d to %d",
				argv[0], LEAST, MOST);
		session->name_width = (unsigned)width;
	}
	if (!session->quiet)
		fprintf(session_said(session), "Names fit in: %u\n", session->name_width);
	return true;
}

bool command_use_cores(struct session *session, unsigned argc, char **argv)
{
	if (argc && !cores_set_text(argv[0]))
		return session_error(session,
			"Invalid argument to command: use_cores %s: it must be all, or a number from 1 to %d", argv[0],
			CORES_MAX);
	if (!session->quiet)
		fprintf(session_said(session), "Cores: %u\n", cores());
	return true;
}

bool command_viewmode(struct session *session, unsigned argc, char **argv)
{
	if (!argc) {
		fprintf(session_said(session), "Viewmode: %s\n", view_mode_name(session->view_mode));
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

bool command_tree(struct session *session, unsigned argc, char **argv)
{
	char text[96];
	struct error error;
	if (argc && !tree_setting_parse(&session->tree_setting, argv[0], &error))
		return session_error(session, "%s", error.text);
	tree_setting_text(&session->tree_setting, text, sizeof text);
	if (!session->quiet)
		fprintf(session_said(session), "Tree: %s\n", text);
	return true;
}

bool command_picture(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	if (argc && !picture_setting_parse(&session->picture, argv[0], &error))
		return session_error(session, "%s", error.text);
	char *text = picture_setting_text(&session->picture);
	if (!session->quiet)
		fprintf(session_said(session), "Picture: %s\n", text);
	free(text);
	return true;
}

bool command_space_rules(struct session *session, unsigned argc, char **argv)
{
	char text[96];
	struct error error;
	if (argc && !space_setting_parse(&session->space_rules, argv[0], &error))
		return session_error(session, "%s", error.text);
	if (argc) /* a filter may ask for spaces */
		session_forget_spaces(session);
	space_setting_text(&session->space_rules, text, sizeof text);
	if (!session->quiet)
		fprintf(session_said(session), "Space rules: %s\n", text);
	return true;
}

bool command_machinemodel(struct session *session, unsigned argc, char **argv)
{
	(void)argv;
	if (!argc)
		fprintf(session_said(session), "Machine model: none; mobj_define defines memory objects\n");
	return true;
}

/* A metric's name is known only with the data. */
static bool comparison_has_metric(struct session *session, const struct comparison *comparison)
{
	const struct metric_table *table = session_table(session);
	int metric = comparison->by_metric ? metric_find(table, comparison->by_metric) : 0;
	if (metric >= 0 && !metric_is_derived(&table->rows[metric]))
		return true;
	return session_error(session, "Invalid argument to command: compare by=%s: metric_list lists the metrics%s",
		comparison->by_metric, metric < 0 ? "" : ", and this one is no sum");
}

bool command_compare(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	struct comparison comparison = {0};
	if (!argc) {
		FILE *out = session_said(session);
		fprintf(out, "Compare: ");
		comparison_write(&session->comparison, out);
		fprintf(out, "\n");
		return true;
	}
	if (!comparison_parse(&comparison, argv[0], index_object_text, &session->index_objects, &error))
		return session_error(session, "%s", error.text);
	if (!session->quiet && !comparison_has_metric(session, &comparison)) {
		comparison_free(&comparison);
		return false;
	}
	session_set_comparison(session, &comparison);
	if (!session->quiet && comparison.mode != COMPARE_OFF && session_groups(session) < 2)
		session_warning(
			session, "compare: there is but one experiment or group, and nothing to compare it with");
	return true;
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
		fprintf(session_said(session), "%s: %s\n", words->label, *setting ? words->on : words->off);
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
		session_forget_places(session);
	return right;
}
