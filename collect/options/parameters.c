/* SPDX-License-Identifier: Apache-2.0 */
/* Composing what collect shows of itself: see parameters.h. */
#include "parameters.h"
#include "options.h"
#include "overflow_counter.h"
#include "version.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define NANOSECONDS_PER_SECOND 1000000000u

char *version_text(void)
{
	struct utsname system;
	char *text = 0;
	uname(&system);
	if (asprintf(&text, "collect: er-tools %s %s_%s\n", ER_TOOLS_VERSION, system.sysname, system.machine) < 0)
		abort();
	return text;
}

static void write_sync(FILE *out, const struct tracing *tracing, const struct settings *settings)
{
	fprintf(out, "\t%s enabled, threshold: ", tracing->label);
	if (settings->sync == SETTING_VALUE(sync, calibrate))
		fprintf(out, "calibrate");
	else
		fprintf(out, "%" PRIu64 " microsecs.", settings->sync_threshold / 1000);
	fprintf(out, "; Native-APIs\n");
}

static void write_tracings(FILE *out, const struct settings *settings)
{
	struct tracing tracings[TRACINGS];
	settings_tracings(settings, tracings);
	for (const struct tracing *tracing = tracings; tracing < tracings + TRACINGS; tracing++) {
		if (!tracing->on)
			continue;
		if (tracing->setting == SETTING_sync)
			write_sync(out, tracing, settings);
		else
			fprintf(out, "\t%s enabled%s%s\n", tracing->label, tracing->comma, tracing->detail);
	}
}

static void write_counters(FILE *out, const struct settings *settings)
{
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
	unsigned count = overflow_counters_decode(settings->counters, counters);
	if (count)
		fprintf(out, "\thardware counter profiling enabled:\n");
	for (unsigned i = 0; i < count; i++) {
		const struct overflow_counter *counter = &counters[i];
		fprintf(out, "\t  %u. %s (%s), ", i + 1, counter->name, counter->event);
		if (counter->delivery == DELIVERY_READ) {
			fprintf(out, "read at clock ticks\n");
			continue;
		}
		fprintf(out, "interval %" PRIu64, counter->interval);
		if (counter->ceiling)
			fprintf(out, " and more, for at most one overflow in %.3f millisec.",
				(double)counter->ceiling / 1e6);
		fprintf(out, "%s\n", counter->memory ? ", with data addresses" : "");
	}
}

static void write_signals(FILE *out, const struct settings *settings)
{
	if (settings->pause_signal)
		fprintf(out, "\tpause-resume signal %s (%" PRIu64 "), %s\n", strsignal((int)settings->pause_signal),
			settings->pause_signal, settings->start_paused ? "begins paused" : "begins recording");
	if (settings->sample_signal)
		fprintf(out, "\tsample signal %s (%" PRIu64 ")\n", strsignal((int)settings->sample_signal),
			settings->sample_signal);
}

static void write_limits(FILE *out, const struct settings *settings)
{
	const double second = NANOSECONDS_PER_SECOND;
	if (settings->record_from || settings->record_until)
		fprintf(out, "\tdata-collection duration, %g-%g secs.\n", (double)settings->record_from / second,
			(double)settings->record_until / second);
	write_signals(out, settings);
	if (settings->sample_interval)
		fprintf(out, "\tperiodic sampling, %" PRIu64 " secs.\n",
			settings->sample_interval / NANOSECONDS_PER_SECOND);
	else
		fprintf(out, "\tno periodic sampling\n");
	fprintf(out, "\tat most %" PRIu64 " frames of a stack\n", settings->stack_limit);
	if (settings->size_limit)
		fprintf(out, "\tmaximum size of profile data, %" PRIu64 " MB\n", settings->size_limit >> 20);
	else
		fprintf(out, "\tno experiment size limit set\n");
}

/* Nominal clock in MHz as the kernel or the processor's name says it, 0 if neither does. */
static unsigned long clock_megahertz(void)
{
	char text[4096];
	FILE *file = fopen("/proc/cpuinfo", "re");
	double megahertz = 0;
	while (file && megahertz == 0 && fgets(text, sizeof text, file))
		if (strncmp(text, "cpu MHz", 7) == 0 && strchr(text, ':'))
			megahertz = strtod(strchr(text, ':') + 1, 0);
	if (file)
		fclose(file);
	return (unsigned long)(megahertz + 0.5);
}

static void write_host(FILE *out)
{
	struct utsname system;
	uname(&system);
	fprintf(out, "Host `%s', %s %s, %s\n", system.nodename, system.sysname, system.release, system.machine);
	fprintf(out, "\t%ld CPUs", sysconf(_SC_NPROCESSORS_ONLN));
	unsigned long megahertz = clock_megahertz();
	if (megahertz)
		fprintf(out, ", clock speed %lu MHz.", megahertz);
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	fprintf(out, "\n\tmemory %" PRIu64 " pages of %ld bytes, %" PRIu64 " MB\n", (uint64_t)sysconf(_SC_PHYS_PAGES),
		sysconf(_SC_PAGESIZE), memory >> 20);
}

/* As -h takes them. */
static void write_counter_intervals(FILE *out, const struct settings *settings)
{
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
	unsigned count = overflow_counters_decode(settings->counters, counters);
	for (unsigned i = 0; i < count; i++) {
		const char *before = i ? "," : "h:";
		if (counters[i].delivery == DELIVERY_READ)
			fprintf(out, "%s=%s", before, counters[i].name);
		else
			fprintf(out, "%s%s,%" PRIu64, before, counters[i].name, counters[i].interval);
	}
	fprintf(out, "%s", count ? ";" : "");
}

/* All of it in one line, with the letters of the options: what Studio's users grep for. */
static void write_descriptor(FILE *out, const struct settings *settings)
{
	const double second = NANOSECONDS_PER_SECOND;
	fprintf(out, "\tdata descriptor: \"p:%" PRIu64 ";", settings->clock_interval / 1000);
	if (settings->sync)
		fprintf(out, "s:%" PRId64 ";",
			settings->sync == SETTING_VALUE(sync, calibrate) ? -1
									 : (int64_t)settings->sync_threshold / 1000);
	write_counter_intervals(out, settings);
	if (settings->heap)
		fprintf(out, "H:%" PRIu64 ";", settings->heap);
	if (settings->io)
		fprintf(out, "i:1;");
	if (settings->mpi)
		fprintf(out, "m:1;");
	if (settings->openmp != (settings->clock_interval != 0))
		fprintf(out, "u:%" PRIu64 ";", settings->openmp);
	if (settings->record_from || settings->record_until)
		fprintf(out, "t:%g:%g;", (double)settings->record_from / second,
			(double)settings->record_until / second);
	if (settings->pause_signal)
		fprintf(out, "d:%" PRIu64 "%s;", settings->pause_signal, settings->start_paused ? "p" : "");
	if (settings->sample_signal)
		fprintf(out, "g:%" PRIu64 ";", settings->sample_signal);
	if (settings->size_limit)
		fprintf(out, "L:%" PRIu64 ";", settings->size_limit >> 20);
	fprintf(out, "S:%" PRIu64 ";F:%d;a:%s;\"\n", settings->sample_interval / NANOSECONDS_PER_SECOND,
		settings->follow ? 3 : 0, setting_choice(SETTING_archive, settings->archive)->name);
}

char *parameters_text(const struct settings *settings)
{
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		abort();
	fprintf(out, "Collection parameters:\n");
	if (settings->clock_interval)
		fprintf(out, "\tclock profiling enabled, %.3f millisec.\n", (double)settings->clock_interval / 1e6);
	else
		fprintf(out, "\tclock profiling disabled\n");
	write_counters(out, settings);
	write_tracings(out, settings);
	if (settings->clock_interval && !settings->openmp)
		fprintf(out, "\tregions of OpenMP are not recorded\n");
	if (settings->follow_pattern[0])
		fprintf(out, "\tdescendant processes that match `%s' will be followed\n", settings->follow_pattern);
	else
		fprintf(out, "\tdescendant processes will %sbe followed\n", settings->follow ? "" : "not ");
	fprintf(out, "\t%s\n", setting_choice(SETTING_archive, settings->archive)->text);
	if (settings->unwinder != UNWINDER_OWN)
		fprintf(out, "\tunwinder: %s\n", setting_choice(SETTING_unwinder, settings->unwinder)->text);
	write_limits(out, settings);
	fprintf(out, "\ttime stamps by %s\n", setting_choice(SETTING_time_source, settings->time_source)->text);
	fprintf(out, "\tcollector %s\n", settings->library);
	write_descriptor(out, settings);
	write_host(out);
	fclose(out);
	return text;
}

char *usage_text(void)
{
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		abort();
	fprintf(out,
		"usage: collect [options] target [arguments]\n"
		"       collect        this text, the default experiment, the clock sources of this machine\n"
		"       collect -V     the version\n\n"
		"Records an experiment, which er_print shows. The value of an option is the next argument; `--' ends\n"
		"the options.\n\n");
	for (size_t i = 0; options_row(i); i++) {
		const struct option_row *row = options_row(i);
		fprintf(out, "  -%c %s%s%s\n", row->letter, row->argument, row->argument[0] ? "\n        " : "     ",
			row->help);
	}
	fclose(out);
	return text;
}
