/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums and groups of what the single headers say. */
#include "header_summary.h"
#include "base_name.h"
#include "header_warnings.h"
#include "id_table.h"
#include "plain_text.h"
#include "search.h"
#include "strings.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Texts of one kind, and how often each was met. */
struct group {
	const char *example; /* as it was met first */
	const char *label;   /* of a warning */
	uint64_t count;
	uint32_t experiments, last; /* how many have it, the last of them */
};
struct groups {
	struct strings kinds; /* the number of a kind is its index in `all` */
	struct group *all;
	struct strings examples;
};

static struct group *add_group(struct groups *groups, const char *kind, const char *example, uint32_t experiment)
{
	uint32_t known = groups->kinds.count, number = strings_number(&groups->kinds, kind);
	if (number == known) {
		groups->all = memory_room(groups->all, number, sizeof *groups->all);
		groups->all[number] = (struct group){strings_keep(&groups->examples, example), 0, 0, 0, UINT32_MAX};
	}
	struct group *group = &groups->all[number];
	group->count++;
	group->experiments += group->last != experiment;
	group->last = experiment;
	return group;
}

static int most_first(const void *left, const void *right)
{
	const struct group *a = left, *b = right;
	return COMPARE(b->count, a->count) ?: strcmp(a->example, b->example);
}

static void sort_groups(struct groups *groups)
{
	if (groups->kinds.count)
		qsort(groups->all, groups->kinds.count, sizeof *groups->all, most_first);
}

static void free_groups(struct groups *groups)
{
	strings_free(&groups->kinds);
	strings_free(&groups->examples);
	free(groups->all);
}

/* A warning's kind: its label, and its text with each number as "#". */
static void add_warning(struct groups *groups, const char *label, const char *text, uint32_t experiment)
{
	char *kind = memory_new(strlen(label) + strlen(text) + 1, 1), *to = stpcpy(kind, label);
	for (const char *from = text; *from;) {
		bool number = isdigit((unsigned char)*from);
		*to++ = number ? '#' : *from;
		for (from++; number && (isdigit((unsigned char)*from) || *from == '.'); from++)
			;
	}
	add_group(groups, kind, text, experiment)->label = strings_keep(&groups->examples, label);
	free(kind);
}

/* The errors and warnings that one header has: the facts whose line is marked. */
static void add_warnings(struct groups *groups, struct session *session, uint32_t experiment)
{
	struct facts facts;
	facts_begin(&facts, "");
	header_warnings_add(&facts, session, &session->data->experiments[experiment]);
	struct table table = facts_end(&facts);
	for (size_t r = 0; r < table.row_count; r++) {
		const struct cell *cells = &table.cells[table.rows[r].cell];
		if (strstr(table.rows[r].line, "*** "))
			add_warning(groups, cells[FACT_NAME].text, cells[FACT_TEXT].text, experiment);
	}
	table_free(&table);
}

static void add_programs(struct facts *facts, const struct data *data)
{
	enum { PROGRAMS_MAX = 8 };
	struct groups programs = {0};
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const char *program = data->experiments[e].file->process.executable;
		const char *name = program && *program ? base_name(program) : "(not known)";
		add_group(&programs, name, name, e);
	}
	sort_groups(&programs);
	uint64_t others = 0;
	for (uint32_t i = PROGRAMS_MAX; i < programs.kinds.count; i++)
		others += programs.all[i].count;
	fputs("Programs: ", facts->text);
	for (uint32_t i = 0; i < programs.kinds.count && i < PROGRAMS_MAX; i++) {
		print_between(facts->text, i ? ", " : "", programs.all[i].example, "");
		fprintf(facts->text, " %" PRIu64, programs.all[i].count);
	}
	if (others)
		fprintf(facts->text, ", %" PRIu32 " others %" PRIu64, programs.kinds.count - PROGRAMS_MAX, others);
	putc('\n', facts->text);
	for (uint32_t i = 0; i < programs.kinds.count; i++)
		fact_number(
			facts, table_text(&facts->table, "Program %s", programs.all[i].example), programs.all[i].count);
	free_groups(&programs);
}

static void add_all_warnings(struct facts *facts, struct session *session)
{
	struct groups warnings = {0};
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		add_warnings(&warnings, session, e);
	sort_groups(&warnings);
	for (uint32_t i = 0; i < warnings.kinds.count; i++) {
		const struct group *group = &warnings.all[i];
		const char *text = group->example;
		if (group->count > 1)
			text = table_text(&facts->table,
				"%s (the first of %" PRIu64 " like it, in %" PRIu32 " experiment%s)", text,
				group->count, group->experiments, group->experiments == 1 ? "" : "s");
		fact_remark(facts, group->label, text);
	}
	if (!warnings.kinds.count)
		fputs("No errors\nNo warnings\n", facts->text);
	free_groups(&warnings);
}

/* Adds a tally of one experiment to those of the same text. */
static void add_tally(struct tally_value **sums, size_t *count, const struct tally_value *tally)
{
	size_t i = 0;
	while (i < *count && strcmp((*sums)[i].text, tally->text) != 0)
		i++;
	if (i == *count) {
		*sums = memory_room(*sums, *count, sizeof **sums);
		(*sums)[(*count)++] = *tally;
	} else {
		(*sums)[i].value += tally->value;
	}
}

static void add_counters(struct facts *facts, const struct data *data)
{
	struct tally_value *sums = 0;
	size_t count = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (size_t i = 0; i < file->tally_count; i++)
			add_tally(&sums, &count, &file->tallies[i]);
	}
	header_tallies_add(facts, sums, count);
	free(sums);
}

void header_summary_add(struct facts *facts, struct session *session)
{
	const struct data *data = session->data;
	uint32_t runs = 0, open = 0, damaged = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		runs += data->experiments[e].founder == e;
		open += !data->experiments[e].file->closed;
		damaged += data->experiments[e].file->damage.first[0] != 0;
	}
	facts_subject(facts, "All experiments");
	fprintf(facts->text,
		"All %" PRIu32 " experiments of %" PRIu32
		" run%s (header n shows one of them, header all shows each)\n",
		data->experiment_count, runs, runs == 1 ? "" : "s");
	fact_number(facts, "Experiments", data->experiment_count);
	fact_number(facts, "Runs", runs);
	add_programs(facts, data);
	fprintf(facts->text, "Not closed: %" PRIu32 ", damaged: %" PRIu32 "\n", open, damaged);
	fact_number(facts, "Not closed", open);
	fact_number(facts, "Damaged", damaged);
	add_all_warnings(facts, session);
	add_counters(facts, data);
}
