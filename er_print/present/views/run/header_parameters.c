/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words the settings of an experiment. */
#include "header_parameters.h"
#include "plain_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A setting's line is "  NAME: TEXT". */
static void add_setting(struct facts *facts, const char *name, const char *text)
{
	fprintf(facts->text, "  %s", name);
	print_between(facts->text, ": ", text, "\n");
	fact_text(facts, name, text);
}

/* A setting with what its table tells of its value; nothing if that has no row there, as a newer collect's may. */
static void add_choice(struct facts *facts, const char *name, enum setting setting, uint64_t value)
{
	const struct setting_choice *choice = setting_choice(setting, value);
	if (choice)
		add_setting(facts, name, choice->text);
}

/* A number in the first event of this kind in the log, 0 if there is none. */
static uint64_t number_in_log(const struct experiment *experiment, const char *kind, const char *name)
{
	for (size_t i = 0; i < experiment->event_count; i++) {
		const struct log_event *event = &experiment->events[i];
		for (unsigned a = 0; !strcmp(event->kind, kind) && a < event->attribute_count; a++)
			if (!strcmp(event->attributes[a].name, name))
				return strtoull(event->attributes[a].value, 0, 10);
	}
	return 0;
}

static void add_sync(struct facts *facts, const struct experiment *experiment)
{
	uint64_t threshold = number_in_log(experiment, "sync_threshold", "nanoseconds");
	uint64_t below = experiment_tally(experiment, TALLY_sync_short);
	bool calibrated = experiment->settings->sync == SETTING_VALUE(sync, calibrate);
	fprintf(facts->text,
		"  Synchronization tracing, threshold = %.3f microsecs.%s; Native-APIs; %" PRIu64 " calls below it\n",
		(double)threshold / 1000, calibrated ? " (calibrated)" : "", below);
	fact_text(facts, "Synchronization tracing", calibrated ? "calibrated" : "on");
	fact_seconds(facts, "Synchronization threshold", threshold);
	fact_number(facts, "Calls below the synchronization threshold", below);
}

static void add_tracing(struct facts *facts, const struct tracing *tracing)
{
	const char *name =
		table_text(&facts->table, "%c%s", toupper((unsigned char)tracing->label[0]), tracing->label + 1);
	fprintf(facts->text, "  %s%s%s\n", name, tracing->comma, tracing->detail);
	fact_text(facts, name, *tracing->detail ? tracing->detail : "on");
}

static void add_tracings(struct facts *facts, const struct experiment *experiment)
{
	struct tracing tracings[TRACINGS];
	settings_tracings(experiment->settings, tracings);
	for (const struct tracing *tracing = tracings; tracing < tracings + TRACINGS; tracing++) {
		if (tracing->on && tracing->setting == SETTING_sync)
			add_sync(facts, experiment);
		else if (tracing->on)
			add_tracing(facts, tracing);
	}
}

static void add_span(struct facts *facts, const struct settings *settings)
{
	fprintf(facts->text, "  Recording from %.3f ", (double)settings->record_from / 1e9);
	if (settings->record_until)
		fprintf(facts->text, "to %.3f ", (double)settings->record_until / 1e9);
	fputs("seconds\n", facts->text);
	fact_seconds(facts, "Recording from", settings->record_from);
	if (settings->record_until)
		fact_seconds(facts, "Recording to", settings->record_until);
}

static void add_pauses(struct facts *facts, const struct experiment *experiment)
{
	uint64_t paused = experiment_count_log_events(experiment, "pause");
	uint64_t resumed = experiment_count_log_events(experiment, "resume");
	if (!paused && !resumed)
		return;
	fprintf(facts->text, "  Recording paused %" PRIu64 " times, resumed %" PRIu64 " times\n", paused, resumed);
	fact_number(facts, "Recording paused (times)", paused);
	fact_number(facts, "Recording resumed (times)", resumed);
}

/* The part of the run that is recorded, if it is not all of it. */
static void add_recorded(struct facts *facts, const struct experiment *experiment)
{
	const struct settings *settings = experiment->settings;
	if (settings->record_from || settings->record_until)
		add_span(facts, settings);
	if (settings->pause_signal) {
		const char *first = settings->start_paused ? "paused" : "recording";
		fprintf(facts->text, "  Pause and resume by signal %" PRIu64 ", beginning %s\n", settings->pause_signal,
			first);
		fact_number(facts, "Pause and resume by signal", settings->pause_signal);
		fact_text(facts, "Beginning", first);
	}
	if (settings->sample_signal) {
		fprintf(facts->text, "  Samples by signal %" PRIu64 "\n", settings->sample_signal);
		fact_number(facts, "Samples by signal", settings->sample_signal);
	}
	if (settings->size_limit) {
		fprintf(facts->text, "  Profile data limited to %" PRIu64 " MB\n", settings->size_limit >> 20);
		fact_number(facts, "Profile data limited to (MB)", settings->size_limit >> 20);
	}
	add_pauses(facts, experiment);
}

static void add_samples(struct facts *facts, const struct experiment *experiment)
{
	uint64_t samples = experiment_count_log_events(experiment, "sample");
	uint64_t interval = experiment->settings->sample_interval;
	if (interval) {
		fprintf(facts->text, "  Periodic samples every %.0f seconds\n", (double)interval / 1e9);
		fact_seconds(facts, "Periodic samples every", interval);
	}
	if (samples) {
		fprintf(facts->text, "  Samples recorded: %" PRIu64 "\n", samples);
		fact_number(facts, "Samples recorded", samples);
	}
}

void header_parameters_add(struct facts *facts, const struct experiment *experiment, const struct clock_facts *clock,
	const struct counter_facts *counters)
{
	const struct settings *settings = experiment->settings;
	fprintf(facts->text, "Data collection parameters:\n");
	clock_facts_add(facts, clock, experiment);
	counter_facts_add(facts, counters, experiment);
	if (settings->clock_source != SETTING_VALUE(clock_source, best))
		add_choice(facts, "Clock source chosen", SETTING_clock_source, settings->clock_source);
	add_tracings(facts, experiment);
	fprintf(facts->text, "  Stack depth at most %" PRIu64 " frames\n", settings->stack_limit);
	fact_number(facts, "Stack depth at most", settings->stack_limit);
	if (settings->unwinder != UNWINDER_OWN)
		add_choice(facts, "Unwinder", SETTING_unwinder, settings->unwinder);
	add_choice(facts, "Follow descendant processes from", SETTING_follow, settings->follow);
	if (settings->follow_pattern[0])
		add_setting(facts, "Follow descendant processes that match", settings->follow_pattern);
	add_recorded(facts, experiment);
	add_samples(facts, experiment);
}
