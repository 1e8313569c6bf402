/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command header: the run of each experiment, its parameters, what was lost or guessed, damage. */
#include "command_functions.h"
#include "coverage_text.h"
#include "header_parameters.h"
#include "header_process.h"
#include "header_summary.h"
#include "header_warnings.h"
#include "mpi_header.h"
#include "plain_text.h"
#include "recorded_time.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

enum { HEADERS_MAX = 8 }; /* of more experiments there is a summary, unless all are asked for */

/* The comments of the user, by collect -C. */
static void add_comments(struct facts *facts, const struct experiment *experiment)
{
	char path[4096 + 16], line[4096];
	snprintf(path, sizeof path, "%s/notes", experiment->path);
	struct stat status;
	if (lstat(path, &status) || !S_ISREG(status.st_mode))
		return;
	FILE *notes = fopen(path, "re");
	if (!notes)
		return;
	fputs("Notes:\n", facts->text);
	while (fgets(line, sizeof line, notes)) {
		line[strcspn(line, "\n")] = 0;
		print_between(facts->text, "  ", line, "\n");
		fact_text(facts, "Comment", line);
	}
	putc('\n', facts->text);
	fclose(notes);
}

static void add_start(struct facts *facts, const struct experiment *experiment)
{
	time_t start = (time_t)(experiment->start.realtime / 1000000000u);
	struct tm local;
	char text[64] = "";
	if (localtime_r(&start, &local))
		strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
	fprintf(facts->text, "Experiment started %s\n", text);
	fact_text(facts, "Experiment started", text);
}

static void add_duration(struct facts *facts, uint64_t nanoseconds)
{
	fprintf(facts->text, "Data Collection Duration: %.9f\n", (double)nanoseconds / 1e9);
	fact_seconds(facts, "Data Collection Duration", nanoseconds);
}

static void add_times(struct facts *facts, const struct experiment *experiment)
{
	uint64_t start = experiment->start.monotonic, end = experiment->end.monotonic;
	uint64_t duration = end > start ? end - start : 0;
	const char *last = experiment->closed ? "Experiment Ended" : "Last event";
	putc('\n', facts->text);
	add_start(facts, experiment);
	fprintf(facts->text, "\n%s: %.9f\n", last, (double)duration / 1e9);
	fact_seconds(facts, last, duration);
	add_duration(facts, recorded_time(experiment));
}

/* All that is known of an imported file. */
static void add_import(struct facts *facts, const struct loaded_experiment *loaded)
{
	const struct imported_file *imported = &loaded->imported;
	const struct experiment *experiment = loaded->file;
	const char *command = experiment->process.command;
	fprintf(facts->text, "%s: %" PRIu64 " %s%s", imported->what, imported->records, imported->record,
		imported->records == 1 ? "" : "s");
	if (!*command && !experiment->start.realtime)
		fprintf(facts->text, ", nothing is known of the run that they are of");
	putc('\n', facts->text);
	fact_text(facts, "Imported", imported->what);
	fact_number(facts, table_text(&facts->table, "Imported (%ss)", imported->record), imported->records);
	if (*command) {
		print_between(facts->text, "Command: '", command, "'\n");
		fact_text(facts, "Target command", command);
	}
	if (experiment->process.pid) {
		fprintf(facts->text, "Process pid %" PRIu64 "\n", experiment->process.pid);
		fact_number(facts, "Process pid", experiment->process.pid);
	}
	if (experiment->start.realtime)
		add_start(facts, experiment);
	if (experiment->end.raw)
		add_duration(facts, experiment->end.raw);
	if (imported->ignored)
		fact_remark(facts, "Warning",
			table_text(&facts->table, "what could not be read was left out: %" PRIu64 " in all, %s",
				imported->ignored, imported->first_ignored));
}

static void add_header(struct facts *facts, struct session *session, const struct loaded_experiment *loaded,
	const struct clock_facts *clock, const struct counter_facts *counters)
{
	const struct experiment *experiment = loaded->file;
	facts_subject(facts, "%s", experiment->path);
	if (!loaded->imported.what)
		add_comments(facts, experiment);
	print_between(facts->text, "Experiment: ", experiment->path, "\n");
	if (loaded->imported.what) {
		add_import(facts, loaded);
		return;
	}
	header_warnings_add(facts, session, loaded);
	header_process_add(facts, experiment);
	mpi_header_add(facts, loaded);
	header_parameters_add(facts, experiment, clock, counters);
	header_tallies_add(facts, experiment->tallies, experiment->tally_count);
	add_times(facts, experiment);
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
	struct clock_facts *clock = clock_facts_collect(session->data);
	struct counter_facts *counters = counter_facts_collect(session->data);
	struct facts facts;
	facts_begin(&facts, "Header");
	static const char line_between[] = "\n----------------------------------------------------------------\n\n";
	bool first = true;
	for (uint32_t i = 0; i < data->experiment_count; i++) {
		if (chosen ? data->experiments[i].number != chosen : !all && !is_shown(data, i))
			continue;
		fputs(first ? "" : line_between, facts.text);
		first = false;
		add_header(&facts, session, &data->experiments[i], &clock[i], &counters[i]);
	}
	if (!argc && data->experiment_count > HEADERS_MAX) {
		fputs(first ? "" : line_between, facts.text);
		header_summary_add(&facts, session);
	}
	char *line = coverage_line(session_coverage(session));
	if (line)
		print_between(facts.text, "\n", line, "\n");
	free(line);
	free(clock);
	free(counters);
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
