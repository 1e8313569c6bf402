/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the setting, and computes what a comparison needs beside sums: scales, sizes of samples. */
#include "comparison.h"
#include "base_name.h"
#include "execution.h"
#include "session.h"
#include "storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *compare_mode_name(enum compare_mode mode)
{
	static const char *const names[COMPARE_MODE_COUNT] = {"off", "on", "delta", "ratio"};
	return names[mode];
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && !strncasecmp(text, word, length);
}

/* The length of a filter that may end at a ';' outside of texts in quotes. */
static size_t length_of_part(const char *text)
{
	size_t length = 0;
	for (bool quoted = false; text[length] && (quoted || text[length] != ';'); length++)
		quoted ^= text[length] == '"';
	return length;
}

static void add_part(struct comparison *read, const char *text, size_t length, struct expression *expression)
{
	unsigned count = ++read->part_count;
	read->parts = memory_resize(read->parts, count, sizeof *read->parts);
	read->part_text = memory_resize(read->part_text, count, sizeof *read->part_text);
	read->parts[count - 1] = expression;
	read->part_text[count - 1] = strndup(text, length);
}

/* All that follows "parts=". */
static bool read_parts(struct comparison *read, const char *text, expression_definition *definition,
	const void *context, struct error *error)
{
	static const char blanks[] = " \t\r\n";
	for (const char *at = text; at; at = *at ? at + 1 : 0) {
		at += strspn(at, blanks);
		size_t whole = length_of_part(at), length = whole;
		while (length && strchr(blanks, at[length - 1]))
			length--;
		if (!length)
			return error_set(error, "compare parts=%s: a filter is missing before or after ';'", text);
		char *own = strndup(at, length);
		struct expression *expression = expression_parse(own, definition, context, error);
		free(own);
		if (!expression)
			return false;
		add_part(read, at, length, expression);
		at += whole;
	}
	if (read->part_count < 2)
		return error_set(
			error, "compare parts=%s: there must be two filters or more, with ';' between them", text);
	if (read->by_elapsed)
		return error_set(error, "compare by=elapsed: parts of experiments have no elapsed time; name a metric");
	return true;
}

/* One of the words after the mode. */
static bool read_option(struct comparison *read, const char *text, size_t length)
{
	if (is_word(text, length, "order=change") || is_word(text, length, "order=base")) {
		read->by_change = is_word(text, length, "order=change");
		return true;
	}
	if (length < 4 || strncasecmp(text, "by=", 3) != 0)
		return false;
	free(read->by_metric);
	read->by_metric = 0;
	read->by_elapsed = is_word(text, length, "by=elapsed");
	if (!read->by_elapsed && !is_word(text, length, "by=none"))
		read->by_metric = strndup(text + 3, length - 3);
	return true;
}

bool comparison_parse(struct comparison *comparison, const char *text, expression_definition *definition,
	const void *context, struct error *error)
{
	static const char parts[] = "parts=";
	struct comparison read = {.mode = COMPARE_MODE_COUNT};
	size_t length = strcspn(text, ":");
	for (unsigned mode = 0; mode < COMPARE_MODE_COUNT; mode++)
		if (is_word(text, length, compare_mode_name(mode)))
			read.mode = mode;
	bool good = read.mode < COMPARE_MODE_COUNT;
	for (const char *at = text + length; good && *at; at += length) {
		length = strcspn(++at, ":");
		if (!strncasecmp(at, parts, strlen(parts))) {
			if (read_parts(&read, at + strlen(parts), definition, context, error))
				break;
			comparison_free(&read);
			return false;
		}
		good = read_option(&read, at, length);
	}
	if (!good) {
		comparison_free(&read);
		return error_set(error,
			"Invalid argument to command: compare %s: it must be off, on, delta or ratio, and may go on "
			"with :by=elapsed, :by=METRIC or :by=none, :order=change or :order=base, and "
			":parts=FILTER;FILTER",
			text);
	}
	comparison_free(comparison);
	*comparison = read;
	return true;
}

void comparison_write(const struct comparison *comparison, FILE *out)
{
	const char *by = comparison->by_elapsed ? "elapsed" : comparison->by_metric;
	fprintf(out, "%s%s%s%s", compare_mode_name(comparison->mode), by ? ":by=" : "", by ? by : "",
		comparison->by_change ? ":order=change" : "");
	for (unsigned part = 0; part < comparison->part_count; part++)
		fprintf(out, "%s%s", part ? "; " : ":parts=", comparison->part_text[part]);
}

void comparison_forget(struct comparison *comparison)
{
	group_metrics_free(&comparison->metrics);
	free(comparison->scale);
	free(comparison->sample);
	comparison->scale = comparison->sample = 0;
}

void comparison_free(struct comparison *comparison)
{
	comparison_forget(comparison);
	for (unsigned part = 0; part < comparison->part_count; part++) {
		expression_free(comparison->parts[part]);
		free(comparison->part_text[part]);
	}
	free(comparison->parts);
	free(comparison->part_text);
	free(comparison->by_metric);
	*comparison = (struct comparison){0};
}

unsigned session_groups(const struct session *session)
{
	const struct comparison *comparison = &session->comparison;
	unsigned groups = comparison->part_count ? comparison->part_count : session->group_count;
	bool apart = comparison->mode != COMPARE_OFF && !session->only_group;
	return apart && groups > 1 ? groups : 1;
}

bool session_group_has(const struct session *session, uint32_t group, uint32_t experiment)
{
	return !group || session->comparison.part_count || session->groups[experiment] == group;
}

bool session_shows_experiment(const struct session *session, uint32_t experiment)
{
	return session_group_has(session, session->only_group, experiment);
}

const struct metric_table *session_group_table(struct session *session)
{
	struct group_metrics *metrics = &session->comparison.metrics;
	const uint32_t *group_of = session->comparison.part_count ? 0 : session->groups;
	if (session_groups(session) == 1)
		return session_table(session);
	if (!metrics->table.count)
		*metrics =
			group_metrics_create(session_table(session), session->data, group_of, session_groups(session));
	return &metrics->table;
}

unsigned session_group_metric(struct session *session, unsigned metric, unsigned group)
{
	return metric + group * session_table(session)->count;
}

static const char *group_path(const struct session *session, unsigned group)
{
	/* An imported file may bring two groups. */
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		if (session->groups[e] == group + 1 && session->data->experiments[e].imported.what)
			return session->data->experiments[e].file->path;
	for (unsigned i = 0; i < session->argument_count; i++)
		if (session->arguments[i].group == group + 1)
			return session->arguments[i].path;
	return "";
}

const char *session_group_name(const struct session *session, unsigned group)
{
	if (session->comparison.part_count)
		return session->comparison.part_text[group];
	const char *path = group_path(session, group), *name = base_name(path);
	for (unsigned other = 0; other < session->group_count; other++)
		if (other != group && !strcmp(base_name(group_path(session, other)), name))
			return path;
	return name;
}

static double elapsed_of(struct session *session, unsigned group)
{
	struct executions *executions = executions_create(session->data, &session->selection);
	uint64_t duration = execution_sum(executions, session->groups, group + 1).duration;
	executions_free(executions);
	return (double)duration;
}

static double measure_of(struct session *session, unsigned group)
{
	const struct comparison *comparison = &session->comparison;
	if (comparison->by_elapsed)
		return elapsed_of(session, group);
	int metric = comparison->by_metric ? metric_find(session_table(session), comparison->by_metric) : -1;
	return metric < 0
		       ? 0
		       : (double)session_sums(session)->total[session_group_metric(session, (unsigned)metric, group)];
}

double session_group_scale(struct session *session, unsigned group)
{
	struct comparison *comparison = &session->comparison;
	unsigned groups = session_groups(session);
	if (group >= groups || (!comparison->by_elapsed && !comparison->by_metric))
		return 1;
	if (!comparison->scale) {
		comparison->scale = memory_new(groups, sizeof *comparison->scale);
		double first = measure_of(session, 0);
		for (unsigned g = 0; g < groups; g++) {
			double own = measure_of(session, g);
			comparison->scale[g] = own > 0 && first > 0 ? first / own : 1;
			if (!(own > 0 && first > 0))
				session_warning(session,
					"compare: %s has nothing to compare it by: its values are as they are",
					session_group_name(session, g));
		}
	}
	return comparison->scale[group];
}

bool session_scale_is_share(struct session *session, unsigned metric)
{
	const char *by = session->comparison.by_metric;
	return by && !strcasecmp(by, session_table(session)->rows[metric].name);
}

double session_sample_size(struct session *session, unsigned row)
{
	struct comparison *comparison = &session->comparison;
	if (session_groups(session) == 1)
		return 0;
	session_sum_table(session);
	if (!comparison->sample)
		comparison->sample =
			group_metrics_sample_size(&comparison->metrics, session->data, session_filter(session));
	return comparison->sample[row];
}

static bool has_columns_of_groups(const struct table *table)
{
	for (unsigned g = 0; g < table->group_count; g++)
		if (table->groups[g].above)
			return true;
	return false;
}

void comparison_footnotes(struct session *session, struct table *table)
{
	const struct comparison *comparison = &session->comparison;
	const char *by = comparison->by_elapsed ? "the elapsed time" : comparison->by_metric;
	bool marked = false;
	if (!has_columns_of_groups(table))
		return;
	for (unsigned g = 1; g < session_groups(session); g++) {
		double scale = session_group_scale(session, g);
		if (scale != 1)
			table_footnote(table,
				table_text(table, "Values of %s are multiplied by %.6g: %s is as in %s",
					session_group_name(session, g), scale, by, session_group_name(session, 0)));
	}
	for (size_t c = 0; c < table->cell_count; c++)
		marked |= table->cells[c].within_error;
	if (marked && (session->print_mode == PRINT_TEXT || session->print_mode == PRINT_HTML))
		table_footnote(table, "~ changes of up to 2 standard errors, as sampling alone makes them");
}
