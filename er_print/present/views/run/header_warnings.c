/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors and warnings of an experiment: of its collector, of processes and files that are missing, of damage. */
#include "header_warnings.h"
#include "coverage_text.h"
#include "missing_objects.h"
#include "plain_text.h"
#include "process_accounts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Processes that were not recorded, as far as this experiment knows of them. False: there is none. */
static bool add_missing(struct facts *facts, const struct coverage *coverage, uint32_t index)
{
	bool any = false;
	for (uint32_t i = 0; i < coverage->missing_count; i++) {
		if (coverage->missing[i].experiment != index)
			continue;
		char *text = coverage_warning(&coverage->missing[i]);
		fact_remark(facts, "Warning", text);
		free(text);
		any = true;
	}
	return any;
}

/* A message of the collector with its attributes, other than its class and time. */
static void add_message(struct facts *facts, const struct log_event *event, const char *label)
{
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return;
	fputs(event->text, file);
	for (unsigned a = 0; a < event->attribute_count; a++) {
		const char *name = event->attributes[a].name;
		if (strcmp(name, "kind") != 0 && strcmp(name, "tstamp") != 0)
			fprintf(file, "%s%s %s", *event->text || a ? ", " : "", name, event->attributes[a].value);
	}
	fclose(file);
	fact_remark(facts, label, text);
	free(text);
}

/* Messages of one kind in the log; says so if there is none, nor ANY. Those about processes that were not recorded are left
   out where COUNTED. */
static void add_messages(struct facts *facts, const struct experiment *experiment, const char *kind, const char *label,
	const char *none, bool any, bool counted)
{
	for (size_t i = 0; i < experiment->event_count; i++) {
		const struct log_event *event = &experiment->events[i];
		if (strcmp(event->kind, kind) != 0 || (counted && process_accounts_has(event)))
			continue;
		any = true;
		add_message(facts, event, label);
	}
	if (!any)
		fprintf(facts->text, "%s\n", none);
}

/* Whether there is any. */
static bool add_damage(struct facts *facts, const struct damage *damage)
{
	uint64_t sum = damage->blocks_bad + damage->records_bad + damage->nodes_bad + damage->log_lines_bad;
	if (!sum && !damage->bytes_skipped)
		return false;
	fact_remark(facts, "Warning",
		table_text(&facts->table,
			"the experiment is damaged: %" PRIu64 " blocks, %" PRIu64 " records, %" PRIu64
			" stack nodes and %" PRIu64 " log lines were unusable, %" PRIu64 " bytes were skipped",
			damage->blocks_bad, damage->records_bad, damage->nodes_bad, damage->log_lines_bad,
			damage->bytes_skipped));
	if (damage->first[0]) {
		print_between(facts->text, "    first: ", damage->first, "\n");
		fact_text(facts, "First damage", damage->first);
	}
	return true;
}

void header_warnings_add(struct facts *facts, struct session *session, const struct loaded_experiment *loaded)
{
	const struct experiment *experiment = loaded->file;
	const struct loaded_experiment *all = session->data->experiments;
	add_messages(facts, experiment, "cerror", "Collector Error", "No errors", false, false);
	bool any = add_missing(facts, session_coverage(session), (uint32_t)(loaded - all));
	any |= experiment_tally(experiment, TALLY_mpi_calls_unrecorded) > 0; /* of the MPI trace, below */
	any |= missing_objects_warn(session->resolver, session->data, loaded, facts);
	any |= add_damage(facts, &experiment->damage);
	if (!experiment->closed)
		fact_remark(facts, "Note", "experiment was not closed");
	add_messages(facts, experiment, "cwarn", "Collector Warning", "No warnings", any || !experiment->closed,
		!all[loaded->founder].partial);
}

void header_tallies_add(struct facts *facts, const struct tally_value *tallies, size_t count)
{
	static const struct {
		enum tally_class class;
		const char *label;
	} classes[] = {{TALLY_LOSS, "Lost"}, {TALLY_GUESS, "Uncertain"}, {TALLY_FACT, "Counted"}};
	for (unsigned c = 0; c < sizeof classes / sizeof *classes; c++) {
		bool any = false;
		for (size_t i = 0; i < count; i++) {
			const struct tally_value *tally = &tallies[i];
			if (tally->class != classes[c].class || !tally->value)
				continue;
			if (!any)
				fprintf(facts->text, "%s:\n", classes[c].label);
			any = true;
			fprintf(facts->text, "%12" PRIu64 "  %s\n", tally->value, tally->text);
			fact_number(facts, table_text(&facts->table, "%s: %s", classes[c].label, tally->text),
				tally->value);
		}
		if (!any && classes[c].class == TALLY_LOSS) {
			fprintf(facts->text, "Lost: nothing\n");
			fact_text(facts, "Lost", "nothing");
		}
	}
}
