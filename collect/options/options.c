/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing the command line by the table options.def. */
#include "options.h"
#include "clock_interval.h"
#include "mpi_family.h"
#include "option_values.h"
#include "pattern.h"
#include "settings.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool set_clock(struct options *options, const char *value, struct error *error)
{
	struct clock_range range = clock_range_of_machine();
	struct clock_interval interval;
	if (value[0] == '+')
		return error_set(error, "Option -p %s: dataspace clock profiling is not supported", value);
	if (!clock_interval_parse(value, &range, &interval, error))
		return false;
	options->settings.clock_interval = interval.nanoseconds;
	options->settings.states = interval.nanoseconds != 0;
	options->clock_chosen = true;
	memcpy(options->clock_note, interval.note, sizeof options->clock_note);
	return true;
}

static bool set_sync(struct options *options, const char *value, struct error *error)
{
	const struct setting_choice *choice = setting_choice_named(SETTING_sync, value);
	options->settings.sync = choice ? choice->value : SETTING_VALUE(sync, all);
	options->settings.sync_threshold = 0;
	return choice || option_microseconds(value, &options->settings.sync_threshold, error);
}

static bool set_counters(struct options *options, const char *value, struct error *error)
{
	return counter_requests_add(&options->counters, value, error);
}

static bool set_follow(struct options *options, const char *value, struct error *error)
{
	struct settings *settings = &options->settings;
	const struct setting_choice *choice = setting_choice_named(SETTING_follow, value);
	if (choice) {
		settings->follow = choice->value;
		return true;
	}
	if (value[0] != '=')
		return error_set(error, "Option -F is neither \"on\" nor \"off\" nor =REGEX: `%s'", value);
	const char *pattern = value + 1, *wrong = pattern_error(pattern);
	if (wrong)
		return error_set(error, "Option -F: wrong regular expression `%s': %s", pattern, wrong);
	if (strlen(pattern) >= sizeof settings->follow_pattern || strchr(pattern, '\n'))
		return error_set(error, "Option -F: the regular expression is too long or has a newline");
	strcpy(settings->follow_pattern, pattern);
	return true;
}

static bool set_times(struct options *options, const char *value, struct error *error)
{
	return option_times(value, &options->settings.record_from, &options->settings.record_until, error);
}

static bool set_pause_signal(struct options *options, const char *value, struct error *error)
{
	char name[32];
	size_t length = strcspn(value, ",");
	if (length >= sizeof name || (value[length] && strcmp(value + length, ",r") != 0))
		return error_set(error, "Option -y is neither SIGNAL nor SIGNAL,r: `%s'", value);
	memcpy(name, value, length);
	name[length] = '\0';
	if (!option_signal(name, &options->settings.pause_signal, error))
		return false;
	options->settings.start_paused = options->settings.pause_signal && !value[length];
	return true;
}

static bool set_mpi_launcher(struct options *options, const char *value, struct error *error)
{
	static const char *const old[] = {"CT", "OMPT", "MVAPICH2"};
	options->mpi_family = mpi_family_named(value);
	options->mpi_launcher = options->mpi_family != MPI_FAMILY_UNKNOWN;
	if (options->mpi_launcher || strcasecmp(value, "off") == 0)
		return true;
	for (size_t i = 0; i < sizeof old / sizeof *old; i++)
		if ((options->refused = strcasecmp(value, old[i]) == 0))
			return error_set(error, "Option -M: %s is not supported; use OPENMPI or MPICH", value);
	return error_set(error, "Option -M is none of \"OMPI\", \"OPENMPI\", \"MPICH\", \"off\": `%s'", value);
}

/* As in gprofng, -O with the name of an experiment overwrites it; as in Studio, any other names a file for messages. */
static bool names_experiment(const char *value)
{
	size_t size = strlen(value);
	return size >= 3 && strcmp(value + size - 3, ".er") == 0;
}

static bool set_file(struct options *options, const char *value, struct error *error)
{
	(void)error;
	if (names_experiment(value))
		options->overwritten = value;
	else
		options->file = value;
	return true;
}

static bool set_comment(struct options *options, const char *value, struct error *error)
{
	if (options->comment_count == COMMENTS_MAX)
		return error_set(error, "No more than %d comments may be specified", COMMENTS_MAX);
	options->comments[options->comment_count++] = value;
	return true;
}

/* The value of an option whose row names its choices, "off|on". */
static bool choose(
	uint64_t *setting, enum setting which, const struct option_row *row, const char *value, struct error *error)
{
	const struct setting_choice *choice = setting_choice_named(which, value);
	if (choice) {
		*setting = choice->value;
		return true;
	}
	char names[128] = "";
	bool two = strchr(row->argument, '|') == strrchr(row->argument, '|');
	for (const char *name = row->argument; *name; name += strspn(name, "|")) {
		size_t length = strcspn(name, "|"), used = strlen(names);
		snprintf(names + used, sizeof names - used, "%s\"%.*s\"",
			!used ? ""
			: two ? " nor "
			      : ", ",
			(int)length, name);
		name += length;
	}
	return error_set(error, "Option -%c is %s %s: `%s'", row->letter, two ? "neither" : "none of", names, value);
}

/* The rows' own functions. */
#define CHOOSES(letter, argument, setting, help)                                                                       \
	static bool set_##setting(struct options *options, const char *value, struct error *error)                     \
	{                                                                                                              \
		static const struct option_row row = {letter, argument, help};                                         \
		return choose(&options->settings.setting, SETTING_##setting, &row, value, error);                      \
	}
#define NUMBERS(letter, argument, setting, read, help)                                                                 \
	static bool set_##setting(struct options *options, const char *value, struct error *error)                     \
	{                                                                                                              \
		return option_##read(value, &options->settings.setting, error);                                        \
	}
#define NAMES(letter, argument, member, help)                                                                          \
	static bool set_##member(struct options *options, const char *value, struct error *error)                      \
	{                                                                                                              \
		(void)error;                                                                                           \
		options->member = value;                                                                               \
		return true;                                                                                           \
	}
#define FLAG(letter, member, help)                                                                                     \
	static bool set_##member(struct options *options, const char *value, struct error *error)                      \
	{                                                                                                              \
		(void)value, (void)error;                                                                              \
		options->member = true;                                                                                \
		return true;                                                                                           \
	}
#define OPTION(letter, argument, often, setter, help)
#define REFUSED(letter, accepted, reason)
#include "options.def"

enum often { ONCE, REPEATED };

static const struct option {
	struct option_row row;
	enum often often;
	bool (*set)(struct options *options, const char *value, struct error *error);
} table[] = {
#define CHOOSES(letter, argument, setting, help)       {{letter, argument, help}, ONCE, set_##setting},
#define NUMBERS(letter, argument, setting, read, help) {{letter, argument, help}, ONCE, set_##setting},
#define NAMES(letter, argument, member, help)          {{letter, argument, help}, ONCE, set_##member},
#define FLAG(letter, member, help)                     {{letter, "", help}, ONCE, set_##member},
#define OPTION(letter, argument, often, setter, help)  {{letter, argument, help}, often, set_##setter},
#define REFUSED(letter, accepted, reason)
#include "options.def"
};
#define OPTION_COUNT (sizeof table / sizeof *table)

static const struct refused {
	char letter;
	const char *accepted, *reason;
} refusals[] = {
#define CHOOSES(letter, argument, setting, help)
#define NUMBERS(letter, argument, setting, read, help)
#define NAMES(letter, argument, member, help)
#define FLAG(letter, member, help)
#define OPTION(letter, argument, often, setter, help)
#define REFUSED(letter, accepted, reason) {letter, accepted, reason},
#include "options.def"
};

const struct option_row *options_row(size_t index)
{
	return index < OPTION_COUNT ? &table[index].row : 0;
}

static const struct option *find(char letter)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (table[i].row.letter == letter)
			return &table[i];
	return 0;
}

/* An option that is not ours: an error, or *skip = true for a value that asks for nothing. */
static bool refuse(
	struct options *options, char letter, const char *word, const char *value, bool *skip, struct error *error)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		if (refusals[i].letter != letter)
			continue;
		*skip = word[2] == '\0' && value && refusals[i].accepted[0] && strcmp(value, refusals[i].accepted) == 0;
		options->refused = !*skip;
		return *skip || error_set(error, "Option -%c: %s", letter, refusals[i].reason);
	}
	return error_set(error, "Unrecognized option `%s'", word);
}

/* One word of options: -p (the value is the next word) or flags, -nv. Advances *next past what it used. */
static bool parse_word(struct options *options, const char *word, char ***next, bool *seen, struct error *error)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const struct option *option = find(*letter);
		const char *value = **next;
		if (!option) {
			bool skip = false;
			if (!refuse(options, *letter, word, value, &skip, error))
				return false;
			++*next;
			return true;
		}
		if (option->often == ONCE && seen[option - table])
			return error_set(error, "Only one -%c argument may be used", *letter);
		seen[option - table] = true;
		if (option->row.argument[0]) {
			if (word[2] != '\0')
				return error_set(error, "Option -%c takes a value and stands alone: -%c %s, not `%s'",
					*letter, *letter, option->row.argument, word);
			if (!value)
				return error_set(error, "Option -%c needs a value: %s", *letter, option->row.argument);
			++*next;
		}
		if (!option->set(options, value, error))
			return false;
	}
	return true;
}

/* -h without a counter, as the last word, or before a last -v. */
static bool lists_counters(const char *word, const char *next, char **after)
{
	return strcmp(word, "-h") == 0 && (!next || (strcmp(next, "-v") == 0 && !*after));
}

/* One signal cannot ask for two things. */
static bool signals_differ(const struct settings *settings, struct error *error)
{
	uint64_t number = settings->pause_signal;
	return !number || number != settings->sample_signal ||
	       error_set(error, "Signal %s (%d) cannot be used for both samples (-l) and pause and resume (-y)",
		       strsignal((int)number), (int)number);
}

bool options_parse(char **argv, struct options *options, struct error *error)
{
	*options = (struct options){.refused = false};
	settings_default(&options->settings);
	bool seen[OPTION_COUNT] = {false};
	if (!set_clock(options, "on", error))
		return false;
	options->clock_chosen = false;
	char **next = argv[0] ? argv + 1 : argv;
	while (*next && (*next)[0] == '-' && (*next)[1]) {
		const char *word = *next++;
		if (strcmp(word, "--") == 0)
			break;
		if (strcmp(word, "--help") == 0 || strcmp(word, "-help") == 0)
			options->help = true;
		else if (strcmp(word, "--version") == 0)
			options->version = true;
		else if (lists_counters(word, *next, next + 1))
			options->list_counters = true;
		else if (!parse_word(options, word, &next, seen, error))
			return false;
	}
	if (options->counters.standard_decides && !options->clock_chosen &&
		!set_clock(options, options->counters.standard_rate == RATE_HIGH ? "hi" : "lo", error))
		return false;
	if (!signals_differ(&options->settings, error))
		return false;
	if (options->overwritten && options->output)
		return error_set(error, "Only one of -o and -O may name the experiment: -o %s, -O %s", options->output,
			options->overwritten);
	if (options->overwritten)
		options->output = options->overwritten;
	if (options->mpi_launcher && !seen[find('m') - table])
		options->settings.mpi = SETTING_VALUE(mpi, on);
	if (!seen[find('u') - table])
		options->settings.openmp = options->settings.clock_interval != 0;
	options->target = *next ? next : 0;
	return true;
}

const char *options_find_file(char **argv)
{
	for (char **next = argv[0] ? argv + 1 : argv; *next && (*next)[0] == '-' && (*next)[1]; next++) {
		if (strcmp(*next, "--") == 0)
			return 0;
		const struct option *option = find((*next)[1]);
		bool takes_value = option ? option->row.argument[0] : (*next)[1] != '-';
		if (!takes_value)
			continue;
		if (!next[1])
			return 0;
		if (strcmp(*next, "-O") == 0)
			return names_experiment(next[1]) ? 0 : next[1];
		next++;
	}
	return 0;
}
