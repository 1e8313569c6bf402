/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words the process and the machine of an experiment. */
#include "header_process.h"
#include "plain_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The last event of this kind in the log; 0: there is none. */
static const struct log_event *event_of(const struct experiment *experiment, const char *kind)
{
	for (size_t i = experiment->event_count; i-- > 0;)
		if (!strcmp(experiment->events[i].kind, kind))
			return &experiment->events[i];
	return 0;
}

static void add_folder(struct facts *facts, const char *folder)
{
	print_between(facts->text, "Current working directory: ", folder, "\n");
	fact_text(facts, "Current working directory", folder ? folder : "");
}

/* How a launcher ended: by a status or by a signal, if it is known. */
static void add_end(struct facts *facts, const struct log_event *close)
{
	const char *pid = close ? log_event_attribute(close, "pid") : 0;
	const char *status = close ? log_event_attribute(close, "status") : 0;
	const char *signal = close ? log_event_attribute(close, "signal") : 0;
	const char *how = status ? "exit status " : signal ? "ended by signal " : "its end is not known";
	const char *number = status ? status : signal ? signal : "";
	print_between(facts->text, "Process pid ", pid ? pid : "not known", ", ");
	print_between(facts->text, how, number, "\n");
	if (pid)
		fact_number(facts, "Process pid", strtoull(pid, 0, 10));
	fact_text(facts, "End", table_text(&facts->table, "%s%s", how, number));
}

/* mpirun, which is not recorded itself. */
static void add_launcher(struct facts *facts, const struct experiment *experiment, const struct log_event *launcher)
{
	print_between(facts->text, "\nMPI launcher: '", launcher->text, "'\n");
	fact_text(facts, "MPI launcher", launcher->text);
	add_end(facts, event_of(experiment, "close"));
	add_folder(facts, log_event_attribute(launcher, "cwd"));
	fprintf(facts->text, "Experiment format %" PRIu64 "\n", experiment->settings->format);
	fact_number(facts, "Experiment format", experiment->settings->format);
}

static void add_target(struct facts *facts, const struct experiment *experiment)
{
	const struct process_info *process = &experiment->process;
	fprintf(facts->text, "\nTarget command (%" PRIu64 "-bit): ", process->word_size);
	print_between(facts->text, "'", process->command, "'\n");
	fact_text(facts, "Target command", process->command);
	fact_number(facts, "Word size", process->word_size);
	fprintf(facts->text, "Process pid %" PRIu64 ", ppid %" PRIu64 ", pgrp %" PRIu64 ", sid %" PRIu64 "\n",
		process->pid, process->ppid, process->pgrp, process->sid);
	fact_number(facts, "Process pid", process->pid);
	fact_number(facts, "Process ppid", process->ppid);
	fact_number(facts, "Process pgrp", process->pgrp);
	fact_number(facts, "Process sid", process->sid);
	add_folder(facts, process->cwd);
	fprintf(facts->text, "Experiment format %" PRIu64 " (%" PRIu64 "-bit)\n", experiment->settings->format,
		process->word_size);
	fact_number(facts, "Experiment format", experiment->settings->format);
}

static void add_host(struct facts *facts, const struct system_info *system)
{
	const char *os = table_text(&facts->table, "%s %s", system->os, system->release);
	print_between(facts->text, "Host `", system->host, "', ");
	print_between(facts->text, "OS `", os, "', ");
	fprintf(facts->text, "page size %" PRIu64 ", ", system->page_size);
	print_between(facts->text, "architecture `", system->architecture, "'\n");
	fact_text(facts, "Host", system->host);
	fact_text(facts, "OS", os);
	fact_number(facts, "Page size", system->page_size);
	fact_text(facts, "Architecture", system->architecture);
	fprintf(facts->text, "  %" PRIu64 " CPUs, clock speed %" PRIu64 " MHz.\n", system->cpus, system->clock_mhz);
	fact_number(facts, "CPUs", system->cpus);
	fact_number(facts, "Clock speed (MHz)", system->clock_mhz);
	fprintf(facts->text, "  Memory: %" PRIu64 " pages @ %5" PRIu64 " = %" PRIu64 " MB.\n", system->pages,
		system->page_size, system->pages * (system->page_size / 1024) / 1024);
	fact_number(facts, "Memory (pages)", system->pages);
}

void header_process_add(struct facts *facts, const struct experiment *experiment)
{
	const struct log_event *launcher = event_of(experiment, "launcher");
	if (launcher)
		add_launcher(facts, experiment, launcher);
	else
		add_target(facts, experiment);
	add_host(facts, experiment->system);
}
