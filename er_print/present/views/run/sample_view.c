/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long each experiment ran and what it used of the machine: statistics for the whole, sample_detail also sample by
   sample. */
#include "command_functions.h"
#include "execution_text.h"
#include "plain_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

/* The experiment that an argument names, from 1; 0: all, or none is named. False, with a message, if there is none. */
static bool chosen_experiment(
	struct session *session, const char *command, unsigned argc, char **argv, unsigned long *chosen)
{
	uint32_t count = session->data->experiment_count;
	*chosen = 0;
	if (!argc || !strcasecmp(argv[0], "all"))
		return true;
	*chosen = strtoul(argv[0], 0, 10);
	return (*chosen >= 1 && *chosen <= count) ||
	       session_error(session, "Invalid argument to command: %s %s: experiments are numbered 1 to %" PRIu32,
		       command, argv[0], count);
}

static void add_one(struct session *session, struct facts *facts, const struct execution *execution, uint32_t index,
	const char *heading)
{
	const char *path = session->data->experiments[index].file->path;
	print_between(facts->text, "Experiment: ", path, "\n");
	fprintf(facts->text, "%s\n", heading);
	facts_subject(facts, "%s", path);
	execution_add_seconds(facts, "Start Time (sec.)", execution->start);
	execution_add_seconds(facts, "End Time (sec.)", execution->end);
	execution_add(facts, execution);
}

static void print_facts(struct session *session, struct facts *facts)
{
	struct table table = facts_end(facts);
	session_print(session, &table);
}

bool command_statistics(struct session *session, unsigned argc, char **argv)
{
	struct facts facts;
	unsigned long chosen;
	bool each = argc && !strcasecmp(argv[0], "all");
	if (!chosen_experiment(session, "statistics", argc, argv, &chosen))
		return false;
	facts_begin(&facts, "Statistics");
	struct executions *executions = executions_create(session->data, &session->selection);
	if (!chosen) {
		struct execution sum = execution_sum(executions, 0, 0);
		fprintf(facts.text, "<Sum across selected experiments>\n\n");
		facts_subject(&facts, "<Sum across selected experiments>");
		execution_add(&facts, &sum);
	}
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		if (!(each && !selection_of(&session->selection, e)->off) && chosen != e + 1)
			continue;
		if (each)
			putc('\n', facts.text);
		struct execution execution = execution_of(executions, e);
		add_one(session, &facts, &execution, e, "");
	}
	executions_free(executions);
	print_facts(session, &facts);
	return true;
}

static const char *label_of(const struct process_samples *samples, uint32_t number)
{
	return number < samples->count ? samples->points[number].label : "<no sample>";
}

static void add_sample(struct session *session, struct facts *facts, const struct executions *executions,
	uint32_t index, uint32_t number)
{
	const struct process_samples *samples = &session->data->experiments[index].samples;
	struct execution execution = execution_of_sample(executions, index, number);
	fprintf(facts->text, "\nSample Number: %" PRIu32 "\n\n", number);
	facts_subject(facts, "%s, sample %" PRIu32, session->data->experiments[index].file->path, number);
	execution_add_label(facts, "Start Label", label_of(samples, number - 1));
	execution_add_label(facts, "End Label", label_of(samples, number));
	execution_add_seconds(facts, "Start Time (sec.)", execution.start);
	execution_add_seconds(facts, "End Time (sec.)", execution.end);
	execution.times_unknown = 0;
	execution_add(facts, &execution);
}

static void add_samples(
	struct session *session, struct facts *facts, const struct executions *executions, uint32_t index)
{
	const struct number_ranges *selected = &selection_of(&session->selection, index)->of[SELECT_SAMPLES];
	uint32_t count = session->data->experiments[index].samples.stretches;
	struct execution all = execution_of(executions, index);
	add_one(session, facts, &all, index, "        Aggregated statistics for selected samples\n");
	fprintf(facts->text, "\n        Individual samples\n");
	for (uint32_t number = 1; number <= count; number++)
		if (ranges_have(selected, number))
			add_sample(session, facts, executions, index, number);
}

bool command_sample_detail(struct session *session, unsigned argc, char **argv)
{
	struct facts facts;
	unsigned long chosen;
	if (!chosen_experiment(session, "sample_detail", argc, argv, &chosen))
		return false;
	facts_begin(&facts, "Samples");
	struct executions *executions = executions_create(session->data, &session->selection);
	bool printed = false;
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		if (chosen ? chosen != e + 1 : selection_of(&session->selection, e)->off)
			continue;
		if (printed)
			putc('\n', facts.text);
		printed = true;
		add_samples(session, &facts, executions, e);
	}
	executions_free(executions);
	print_facts(session, &facts);
	return true;
}
