/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command header: the run of each experiment, its parameters, what was lost or guessed, damage. */
#include "clock_facts.h"
#include "command_functions.h"
#include "counter_facts.h"
#include "coverage_text.h"
#include "header_summary.h"
#include "header_warnings.h"
#include "mpi_header.h"
#include "plain_text.h"
#include "recorded_time.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

enum { HEADERS_MAX = 8 }; /* of more experiments there is a summary, unless all are asked for */

static void print_notes(const struct experiment *experiment, FILE *file)
{
	char path[4096 + 16], line[4096];
	snprintf(path, sizeof path, "%s/notes", experiment->path);
	struct stat status;
	if (lstat(path, &status) || !S_ISREG(status.st_mode))
		return;
	FILE *notes = fopen(path, "re");
	if (!notes)
		return;
	fputs("Notes:\n", file);
	while (fgets(line, sizeof line, notes)) {
		line[strcspn(line, "\n")] = 0;
		print_between(file, "  ", line, "\n");
	}
	putc('\n', file);
	fclose(notes);
}

/* The last event of this kind in the log; 0: there is none. */
static const struct log_event *event_of(const struct experiment *experiment, const char *kind)
{
	for (size_t i = experiment->event_count; i-- > 0;)
		if (!strcmp(experiment->events[i].kind, kind))
			return &experiment->events[i];
	return 0;
}

/* mpirun, which is not recorded itself. */
static void print_launcher(const struct experiment *experiment, const struct log_event *launcher, FILE *file)
{
	const struct log_event *close = event_of(experiment, "close");
	const char *pid = close ? log_event_attribute(close, "pid") : 0;
	const char *status = close ? log_event_attribute(close, "status") : 0;
	const char *signal = close ? log_event_attribute(close, "signal") : 0;
	print_between(file, "\nMPI launcher: '", launcher->text, "'\n");
	print_between(file, "Process pid ", pid ? pid : "not known", ", ");
	print_between(file,
		status   ? "exit status "
		: signal ? "ended by signal "
			 : "its end is not known",
		status   ? status
		: signal ? signal
			 : "",
		"\n");
	const char *cwd = log_event_attribute(launcher, "cwd");
	print_between(file, "Current working directory: ", cwd ? cwd : "", "\n");
	fprintf(file, "Experiment format %" PRIu64 "\n", experiment->settings.format);
}

static void print_target(const struct experiment *experiment, FILE *file)
{
	const struct process_info *process = &experiment->process;
	fprintf(file, "\nTarget command (%" PRIu64 "-bit): ", process->word_size);
	print_between(file, "'", process->command, "'\n");
	fprintf(file, "Process pid %" PRIu64 ", ppid %" PRIu64 ", pgrp %" PRIu64 ", sid %" PRIu64 "\n", process->pid,
		process->ppid, process->pgrp, process->sid);
	print_between(file, "Current working directory: ", process->cwd, "\n");
	fprintf(file, "Experiment format %" PRIu64 " (%" PRIu64 "-bit)\n", experiment->settings.format,
		process->word_size);
}

static void print_process(const struct experiment *experiment, FILE *file)
{
	const struct system_info *system = &experiment->system;
	const struct log_event *launcher = event_of(experiment, "launcher");
	if (launcher)
		print_launcher(experiment, launcher, file);
	else
		print_target(experiment, file);
	print_between(file, "Host `", system->host, "', ");
	print_between(file, "OS `", system->os, " ");
	print_between(file, "", system->release, "', ");
	fprintf(file, "page size %" PRIu64 ", ", system->page_size);
	print_between(file, "architecture `", system->architecture, "'\n");
	fprintf(file, "  %" PRIu64 " CPUs, clock speed %" PRIu64 " MHz.\n", system->cpus, system->clock_mhz);
	fprintf(file, "  Memory: %" PRIu64 " pages @ %5" PRIu64 " = %" PRIu64 " MB.\n", system->pages,
		system->page_size, system->pages * (system->page_size / 1024) / 1024);
}

/* The part of the run that is recorded, if it is not all of it. */
static void print_recorded(const struct experiment *experiment, FILE *file)
{
	const struct settings *settings = &experiment->settings;
	if (settings->record_until)
		fprintf(file, "  Recording from %.3f to %.3f seconds\n", (double)settings->record_from / 1e9,
			(double)settings->record_until / 1e9);
	else if (settings->record_from)
		fprintf(file, "  Recording from %.3f seconds\n", (double)settings->record_from / 1e9);
	if (settings->pause_signal)
		fprintf(file, "  Pause and resume by signal %" PRIu64 ", beginning %s\n", settings->pause_signal,
			settings->start_paused ? "paused" : "recording");
	if (settings->sample_signal)
		fprintf(file, "  Samples by signal %" PRIu64 "\n", settings->sample_signal);
	if (settings->size_limit)
		fprintf(file, "  Profile data limited to %" PRIu64 " MB\n", settings->size_limit >> 20);
	if (experiment_count_log_events(experiment, "pause") || experiment_count_log_events(experiment, "resume"))
		fprintf(file, "  Recording paused %" PRIu64 " times, resumed %" PRIu64 " times\n",
			experiment_count_log_events(experiment, "pause"),
			experiment_count_log_events(experiment, "resume"));
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

static void print_sync(const struct experiment *experiment, FILE *file)
{
	fprintf(file,
		"  Synchronization tracing, threshold = %.3f microsecs.%s; Native-APIs; %" PRIu64 " calls below it\n",
		(double)number_in_log(experiment, "sync_threshold", "nanoseconds") / 1000,
		experiment->settings.sync == SETTING_VALUE(sync, calibrate) ? " (calibrated)" : "",
		experiment_tally(experiment, TALLY_sync_short));
}

static void print_tracings(const struct experiment *experiment, FILE *file)
{
	struct tracing tracings[TRACINGS];
	settings_tracings(&experiment->settings, tracings);
	for (const struct tracing *tracing = tracings; tracing < tracings + TRACINGS; tracing++) {
		if (!tracing->on)
			continue;
		if (tracing->setting == SETTING_sync)
			print_sync(experiment, file);
		else
			fprintf(file, "  %c%s%s%s\n", toupper((unsigned char)tracing->label[0]), tracing->label + 1,
				tracing->comma, tracing->detail);
	}
}

/* A line about a setting, with what its table tells of its value; none if that has no row there, as a newer collect's may. */
static void print_choice(const char *label, enum setting setting, uint64_t value, FILE *file)
{
	const struct setting_choice *choice = setting_choice(setting, value);
	if (choice)
		fprintf(file, "  %s: %s\n", label, choice->text);
}

static void print_parameters(const struct experiment *experiment, const struct clock_facts *facts,
	const struct counter_facts *counters, FILE *file)
{
	const struct settings *settings = &experiment->settings;
	fprintf(file, "Data collection parameters:\n");
	clock_facts_print(facts, experiment, file);
	counter_facts_print(counters, experiment, file);
	if (settings->clock_source != SETTING_VALUE(clock_source, best))
		print_choice("Clock source chosen", SETTING_clock_source, settings->clock_source, file);
	print_tracings(experiment, file);
	fprintf(file, "  Stack depth at most %" PRIu64 " frames\n", settings->stack_limit);
	if (settings->unwinder != UNWINDER_OWN)
		print_choice("Unwinder", SETTING_unwinder, settings->unwinder, file);
	print_choice("Follow descendant processes from", SETTING_follow, settings->follow, file);
	if (settings->follow_pattern[0])
		print_between(file, "  Follow descendant processes that match: ", settings->follow_pattern, "\n");
	print_recorded(experiment, file);
	uint64_t samples = experiment_count_log_events(experiment, "sample");
	if (settings->sample_interval)
		fprintf(file, "  Periodic samples every %.0f seconds\n", (double)settings->sample_interval / 1e9);
	if (samples)
		fprintf(file, "  Samples recorded: %" PRIu64 "\n", samples);
}

static double duration_of(const struct experiment *experiment)
{
	return experiment->end.monotonic > experiment->start.monotonic
		       ? (double)(experiment->end.monotonic - experiment->start.monotonic) / 1e9
		       : 0;
}

static void print_start(const struct experiment *experiment, FILE *file)
{
	time_t start = (time_t)(experiment->start.realtime / 1000000000u);
	struct tm local;
	char text[64] = "";
	if (localtime_r(&start, &local))
		strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
	fprintf(file, "Experiment started %s\n", text);
}

static void print_times(const struct experiment *experiment, FILE *file)
{
	putc('\n', file);
	print_start(experiment, file);
	fprintf(file, "\n%s: %.9f\n", experiment->closed ? "Experiment Ended" : "Last event", duration_of(experiment));
	fprintf(file, "Data Collection Duration: %.9f\n", (double)recorded_time(experiment) / 1e9);
}

/* All that is known of an imported file. */
static void print_import(const struct loaded_experiment *loaded, FILE *file)
{
	const struct imported_file *imported = &loaded->imported;
	const struct experiment *experiment = loaded->file;
	fprintf(file, "%s: %" PRIu64 " %s%s", imported->what, imported->records, imported->record,
		imported->records == 1 ? "" : "s");
	if (!*experiment->process.command && !experiment->start.realtime)
		fprintf(file, ", nothing is known of the run that they are of");
	putc('\n', file);
	if (*experiment->process.command)
		print_between(file, "Command: '", experiment->process.command, "'\n");
	if (experiment->process.pid)
		fprintf(file, "Process pid %" PRIu64 "\n", experiment->process.pid);
	if (experiment->start.realtime)
		print_start(experiment, file);
	if (experiment->end.raw)
		fprintf(file, "Data Collection Duration: %.9f\n", (double)experiment->end.raw / 1e9);
	if (imported->ignored)
		fprintf(file, "*** Warning: what could not be read was left out: %" PRIu64 " in all, %s\n",
			imported->ignored, imported->first_ignored);
}

static void print_header(const struct loaded_experiment *loaded, const struct clock_facts *facts,
	const struct counter_facts *counters, struct session *session)
{
	const struct experiment *experiment = loaded->file;
	FILE *file = session->out;
	if (loaded->imported.what) {
		print_between(file, "Experiment: ", experiment->path, "\n");
		print_import(loaded, file);
		return;
	}
	print_notes(experiment, file);
	print_between(file, "Experiment: ", experiment->path, "\n");
	header_warnings_print(session, loaded, file);
	print_process(experiment, file);
	mpi_header_print(loaded, file);
	print_parameters(experiment, facts, counters, file);
	header_tallies_print(experiment->tallies, experiment->tally_count, file);
	print_times(experiment, file);
}

/* Whether an experiment is shown by itself where none was asked for: the runs, where there are few; all that are none too many. */
static bool is_shown(const struct data *data, uint32_t experiment)
{
	uint32_t runs = 0;
	for (uint32_t i = 0; i < data->experiment_count; i++)
		runs += data->experiments[i].founder == i;
	return data->experiment_count <= HEADERS_MAX ||
	       (runs <= HEADERS_MAX && data->experiments[experiment].founder == experiment);
}

bool command_header(struct session *session, unsigned argc, char **argv)
{
	const struct data *data = session->data;
	bool all = argc && !strcasecmp(argv[0], "all");
	unsigned long chosen = argc && !all ? strtoul(argv[0], 0, 10) : 0;
	if (argc && !all && (chosen < 1 || chosen > data->experiment_count))
		return session_error(session,
			"Invalid argument to command: header %s: experiments are numbered 1 to %" PRIu32, argv[0],
			data->experiment_count);
	struct clock_facts *facts = clock_facts_collect(session->data);
	struct counter_facts *counters = counter_facts_collect(session->data);
	static const char line_between[] = "\n----------------------------------------------------------------\n\n";
	bool first = true;
	for (uint32_t i = 0; i < data->experiment_count; i++) {
		if (chosen ? data->experiments[i].number != chosen : !all && !is_shown(data, i))
			continue;
		fputs(first ? "" : line_between, session->out);
		first = false;
		print_header(&data->experiments[i], &facts[i], &counters[i], session);
	}
	if (!argc && data->experiment_count > HEADERS_MAX) {
		fputs(first ? "" : line_between, session->out);
		header_summary_print(session);
	}
	char *line = coverage_line(session_coverage(session));
	if (line)
		print_between(session->out, "\n", line, "\n");
	free(line);
	free(facts);
	free(counters);
	return true;
}
