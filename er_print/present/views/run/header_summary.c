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
	uint64_t count;
	uint32_t experiments, last; /* how many have it, the last of them */
};
struct groups {
	struct strings kinds; /* the number of a kind is its index in `all` */
	struct group *all;
	struct strings examples;
};

static void add_group(struct groups *groups, const char *kind, const char *example, uint32_t experiment)
{
	uint32_t known = groups->kinds.count, number = strings_number(&groups->kinds, kind);
	if (number == known) {
		groups->all = memory_room(groups->all, number, sizeof *groups->all);
		groups->all[number] = (struct group){strings_keep(&groups->examples, example), 0, 0, UINT32_MAX};
	}
	struct group *group = &groups->all[number];
	group->count++;
	group->experiments += group->last != experiment;
	group->last = experiment;
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

/* A warning's kind: its text with each number as "#". */
static void add_warning(struct groups *groups, const char *line, uint32_t experiment)
{
	char *kind = memory_new(strlen(line) + 1, 1), *to = kind;
	for (const char *from = line; *from;) {
		bool number = isdigit((unsigned char)*from);
		*to++ = number ? '#' : *from;
		for (from++; number && (isdigit((unsigned char)*from) || *from == '.'); from++)
			;
	}
	add_group(groups, kind, line, experiment);
	free(kind);
}

/* The lines that one header has of errors and warnings. */
static void add_warnings(struct groups *groups, struct session *session, uint32_t experiment)
{
	static const char mark[] = "*** ";
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return;
	header_warnings_print(session, &session->data->experiments[experiment], file);
	fclose(file);
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		if (!strncmp(line, mark, sizeof mark - 1))
			add_warning(groups, line, experiment);
	free(text);
}

static void print_programs(struct session *session)
{
	enum { PROGRAMS_MAX = 8 };
	struct groups programs = {0};
	const struct data *data = session->data;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const char *program = data->experiments[e].file->process.executable;
		const char *name = program && *program ? base_name(program) : "(not known)";
		add_group(&programs, name, name, e);
	}
	sort_groups(&programs);
	uint64_t others = 0;
	for (uint32_t i = PROGRAMS_MAX; i < programs.kinds.count; i++)
		others += programs.all[i].count;
	fputs("Programs: ", session->out);
	for (uint32_t i = 0; i < programs.kinds.count && i < PROGRAMS_MAX; i++) {
		print_between(session->out, i ? ", " : "", programs.all[i].example, "");
		fprintf(session->out, " %" PRIu64, programs.all[i].count);
	}
	if (others)
		fprintf(session->out, ", %" PRIu32 " others %" PRIu64, programs.kinds.count - PROGRAMS_MAX, others);
	putc('\n', session->out);
	free_groups(&programs);
}

static void print_warnings(struct session *session)
{
	struct groups warnings = {0};
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		add_warnings(&warnings, session, e);
	sort_groups(&warnings);
	for (uint32_t i = 0; i < warnings.kinds.count; i++) {
		const struct group *group = &warnings.all[i];
		print_between(session->out, "", group->example, "");
		if (group->count > 1)
			fprintf(session->out, " (the first of %" PRIu64 " like it, in %" PRIu32 " experiment%s)",
				group->count, group->experiments, group->experiments == 1 ? "" : "s");
		putc('\n', session->out);
	}
	if (!warnings.kinds.count)
		fputs("No errors\nNo warnings\n", session->out);
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

static void print_counters(struct session *session)
{
	struct tally_value *sums = 0;
	size_t count = 0;
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		for (size_t i = 0; i < file->tally_count; i++)
			add_tally(&sums, &count, &file->tallies[i]);
	}
	header_tallies_print(sums, count, session->out);
	free(sums);
}

void header_summary_print(struct session *session)
{
	const struct data *data = session->data;
	uint32_t runs = 0, open = 0, damaged = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		runs += data->experiments[e].founder == e;
		open += !data->experiments[e].file->closed;
		damaged += data->experiments[e].file->damage.first[0] != 0;
	}
	fprintf(session->out,
		"All %" PRIu32 " experiments of %" PRIu32
		" run%s (header n shows one of them, header all shows each)\n",
		data->experiment_count, runs, runs == 1 ? "" : "s");
	print_programs(session);
	fprintf(session->out, "Not closed: %" PRIu32 ", damaged: %" PRIu32 "\n", open, damaged);
	print_warnings(session);
	print_counters(session);
}
