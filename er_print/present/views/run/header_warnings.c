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
static bool print_missing(const struct coverage *coverage, uint32_t index, FILE *file)
{
	bool any = false;
	for (uint32_t i = 0; i < coverage->missing_count; i++) {
		if (coverage->missing[i].experiment != index)
			continue;
		char *text = coverage_warning(&coverage->missing[i]);
		print_between(file, "*** Warning: ", text, "\n");
		free(text);
		any = true;
	}
	return any;
}

/* Messages of one kind in the log; says so if there is none, nor ANY. Those about processes that were not recorded are left
   out where COUNTED. */
static void print_messages(const struct experiment *experiment, const char *kind, const char *label, const char *none,
	bool any, bool counted, FILE *file)
{
	for (size_t i = 0; i < experiment->event_count; i++) {
		const struct log_event *event = &experiment->events[i];
		if (strcmp(event->kind, kind) != 0 || (counted && process_accounts_has(event)))
			continue;
		any = true;
		fprintf(file, "*** Collector %s: ", label);
		print_plain(file, event->text);
		for (unsigned a = 0; a < event->attribute_count; a++) {
			const char *name = event->attributes[a].name;
			if (strcmp(name, "kind") != 0 && strcmp(name, "tstamp") != 0)
				fprintf(file, "%s%s %s", *event->text || a ? ", " : "", name,
					event->attributes[a].value);
		}
		putc('\n', file);
	}
	if (!any)
		fprintf(file, "%s\n", none);
}

/* Whether there is any. */
static bool print_damage(const struct damage *damage, FILE *file)
{
	uint64_t sum = damage->blocks_bad + damage->records_bad + damage->nodes_bad + damage->log_lines_bad;
	if (!sum && !damage->bytes_skipped)
		return false;
	fprintf(file,
		"*** Warning: the experiment is damaged: %" PRIu64 " blocks, %" PRIu64 " records, %" PRIu64
		" stack nodes and %" PRIu64 " log lines were unusable, %" PRIu64 " bytes were skipped\n",
		damage->blocks_bad, damage->records_bad, damage->nodes_bad, damage->log_lines_bad,
		damage->bytes_skipped);
	if (damage->first[0])
		print_between(file, "    first: ", damage->first, "\n");
	return true;
}

void header_warnings_print(struct session *session, const struct loaded_experiment *loaded, FILE *file)
{
	const struct experiment *experiment = loaded->file;
	const struct loaded_experiment *all = session->data->experiments;
	print_messages(experiment, "cerror", "Error", "No errors", false, false, file);
	bool any = print_missing(session_coverage(session), (uint32_t)(loaded - all), file);
	any |= experiment_tally(experiment, TALLY_mpi_calls_unrecorded) > 0; /* of the MPI trace, below */
	any |= missing_objects_warn(session->resolver, session->data, loaded, file);
	any |= print_damage(&experiment->damage, file);
	if (!experiment->closed)
		fprintf(file, "*** Note: experiment was not closed\n");
	print_messages(experiment, "cwarn", "Warning", "No warnings", any || !experiment->closed,
		!all[loaded->founder].partial, file);
}

void header_tallies_print(const struct tally_value *tallies, size_t count, FILE *file)
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
				fprintf(file, "%s:\n", classes[c].label);
			any = true;
			fprintf(file, "%12" PRIu64 "  %s\n", tally->value, tally->text);
		}
		if (!any && classes[c].class == TALLY_LOSS)
			fprintf(file, "Lost: nothing\n");
	}
}
