/* SPDX-License-Identifier: Apache-2.0 */
/* Composing the list of counters. */
#include "counter_list.h"
#include "counter_aliases.h"
#include "counter_event.h"
#include "counter_probe.h"
#include "counters.h"
#include "event_library.h"
#include "own_counters.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_how(FILE *out)
{
	const char *title = event_library_core_title(), *pmu = event_library_core_pmu();
	unsigned most = event_library_core_counters();
	char *set = counters_standard_text();
	fprintf(out, "Specifying HW counters on `%s' (cpuver=%s):\n\n",
		title ? title : "a CPU that libpfm4 does not know", pmu ? pmu : "unknown");
	if (event_library_missing()[0])
		fprintf(out, "    (%s)\n\n", event_library_missing());
	fprintf(out,
		"    -h {auto|lo|on|hi}\n"
		"        turn on default set of HW counters at the specified rate\n"
		"    -h <ctr_def> [-h <ctr_def>]...\n"
		"    -h <ctr_def>[,<ctr_def>]...\n"
		"        specify HW counter profiling for up to %u HW counters\n\n"
		"    -h =on\n"
		"        have clock ticks read a default set of counters\n\n"
		"    <ctr_def> == [+]<ctr>[[~<attr>=<val>]...][/<reg#>],[<rate>]\n"
		"    <ctr_def> == =<ctr>[[~<attr>=<val>]...]\n"
		"        +            record data addresses, where the CPU can\n"
		"        =            no overflows: each clock tick reads what it has counted\n"
		"        <ctr>        an alias, a raw name, a number, or the name that perf or PAPI has for it\n"
		"        ~<attr>=     user (default 1), system (default 0), precise (0 to 3), umask of a number, and "
		"those\n"
		"                     of the event itself, as libpfm4 has them\n"
		"        /<reg#>      ignored: the kernel assigns counters\n"
		"        <rate>       auto (default: follows -p), lo, on, hi (at most 10, 100, 1000 overflows a second "
		"of a\n"
		"                     thread), or an interval, 1 to 2147483647\n\n",
		most ? most : OVERFLOW_COUNTERS_MAX);
	fprintf(out, "Default set of HW counters:\n\n    %s%s\n\n",
		set ? "-h " : "none: ", set ? set : "no default HW counter set is defined for CPU");
	free(set);
}

static const char *units_name(enum counter_units units)
{
	static const char *const names[] = {[UNITS_EVENTS] = "events",
		[UNITS_CPU_CYCLES] = "CPU-cycles",
		[UNITS_FIXED_CYCLES] = "ref-cycles",
		[UNITS_NANOSECONDS] = "nanoseconds",
		[UNITS_MILLIONTHS] = "millionths",
		[UNITS_BYTES] = "bytes"};
	return names[units];
}

static void write_aliases(FILE *out)
{
	fprintf(out, "Aliases for most useful HW counters:\n\n    %-12s %-44s %11s %s\n\n", "alias", "raw name",
		"units", "description");
	for (unsigned i = 0; counter_alias(i); i++) {
		const struct counter_alias *alias = counter_alias(i);
		const char *event = counter_alias_event(alias);
		fprintf(out, "    %-12s %-44s %11s %s\n", alias->name, event ? event : "(not available on this CPU)",
			units_name(alias->units), alias->title);
	}
}

static void write_software(FILE *out)
{
	fprintf(out, "\nCounted by the kernel, on every machine:\n\n    %-57s %11s %s\n\n", "name", "units",
		"description");
	struct software_event_row row;
	for (unsigned i = 0; software_event_row(i, &row); i++)
		fprintf(out, "    %-57s %11s %s\n", row.name, units_name(row.units), row.title);
	fprintf(out, "    %-57s %11s %s\n", "SYSTEM:EVENT", "events", "a tracepoint, by its name in tracefs");
}

static void write_own(FILE *out)
{
	fprintf(out, "\nRead at clock ticks, on every machine (any counter can be, as =NAME; -h =on reads a default "
		     "set):\n\n");
	struct own_counter_row row;
	for (unsigned i = 0; own_counter_row(i, &row); i++) {
		char name[64];
		snprintf(name, sizeof name, "=%s", row.name);
		fprintf(out, "    %-57s %11s %s%s%s%s\n", name, units_name(row.units), row.title,
			row.option ? " (with " : "", row.option ? row.option : "", row.option ? ")" : "");
	}
}

static void lower(char *to, size_t size, const char *from)
{
	size_t i = 0;
	for (; from[i] && i + 1 < size; i++)
		to[i] = from[i] == ':' ? '.' : (char)tolower(from[i]);
	to[i] = '\0';
}

static void write_raw(void *context, const char *event, const char *description)
{
	char name[160];
	lower(name, sizeof name, event);
	fprintf(context, "    %-57s %11s %s\n", name, "events", description);
}

/* NAME,INTERVAL ('TITLE', alias for EVENT; UNITS) */
static void write_intervals(FILE *out)
{
	fprintf(out, "\nAliased HW counters available for profiling:\n");
	for (unsigned i = 0; counter_alias(i); i++) {
		const struct counter_alias *alias = counter_alias(i);
		const char *event = counter_alias_event(alias);
		if (event)
			fprintf(out, "%s,%" PRIu64 " ('%s', alias for %s; %s)\n", alias->name, alias->interval,
				alias->title, event, units_name(alias->units));
	}
	struct software_event_row row;
	for (unsigned i = 0; software_event_row(i, &row); i++)
		fprintf(out, "%s,%" PRIu64 " ('%s'; %s)\n", row.name, row.interval, row.title, units_name(row.units));
	fprintf(out, "\nRaw HW counters available for profiling:\n");
}

static void write_raw_interval(void *context, const char *event, const char *description)
{
	char name[160];
	(void)description;
	lower(name, sizeof name, event);
	fprintf(context, "%s,%u (events)\n", name, RAW_INTERVAL);
}

char *counter_list_text(bool intervals)
{
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		abort();
	if (counter_probe_has_pmu() || getenv("LIBPFM_FORCE_PMU")) {
		write_how(out);
		write_aliases(out);
		write_software(out);
		write_own(out);
		fprintf(out, "\nRaw HW counters:\n\n    %-57s %11s %s\n\n", "name", "units", "description");
		event_library_visit(write_raw, out);
		if (intervals) {
			write_intervals(out);
			event_library_visit(write_raw_interval, out);
		}
	} else {
		fprintf(out, "HW counter profiling is not supported on this system: it shows no performance monitoring "
			     "unit (most\n"
			     "virtual machines have none).\n");
		write_software(out);
		write_own(out);
	}
	fclose(out);
	return text;
}
