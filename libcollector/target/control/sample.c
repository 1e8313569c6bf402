/* SPDX-License-Identifier: Apache-2.0 */
/* A process's samples of itself, by getrusage and /proc. */
#include "sample.h"
#include "collector.h"
#include "cpu_time.h"
#include "event_log.h"
#include "kind.h"
#include "proc_text.h"
#include "samples.h"
#include "system_calls.h"
#include <string.h>
#include <sys/resource.h>

static char status_text[4096]; /* of whoever holds the log's line */

static void read_memory(struct sample_values *values)
{
	proc_text_read("/proc/self/status", status_text, sizeof status_text);
	sample_read_status(values, status_text);
}

bool sample_saw_tracer(void)
{
	static const char name[] = "\nTracerPid:\t";
	const char *found = strstr(status_text, name);
	return found && found[sizeof name - 1] != '0';
}

static void read_usage(struct sample_values *values)
{
	struct rusage used;
	if (system_call(SYS_getrusage, RUSAGE_SELF, &used) != 0)
		return;
	sample_set(values, SAMPLE_user, timeval_nanoseconds(&used.ru_utime));
	sample_set(values, SAMPLE_system, timeval_nanoseconds(&used.ru_stime));
	sample_set(values, SAMPLE_minor_faults, (uint64_t)used.ru_minflt);
	sample_set(values, SAMPLE_major_faults, (uint64_t)used.ru_majflt);
	sample_set(values, SAMPLE_voluntary_switches, (uint64_t)used.ru_nvcsw);
	sample_set(values, SAMPLE_involuntary_switches, (uint64_t)used.ru_nivcsw);
	sample_set(values, SAMPLE_read_bytes, (uint64_t)used.ru_inblock * RUSAGE_BLOCK);
	sample_set(values, SAMPLE_write_bytes, (uint64_t)used.ru_oublock * RUSAGE_BLOCK);
	struct own_use own = own_use_total(collector.tallies, collector.starting ? &collector.own_start : 0);
	sample_set(values, SAMPLE_own_faults, own.faults);
	sample_set(values, SAMPLE_own_write_bytes, own.write_bytes);
}

/* Into a line that was begun. */
static void write_sample(struct log_line *line, const char *label)
{
	struct sample_values values = {.known = {false}};
	struct time_triple now;
	read_memory(&values);
	kinds_sample(&values);
	time_now(&now);
	read_usage(&values);
	log_triple_attributes(line, &now);
	log_text_attribute(line, "label", label);
	for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++)
		if (values.known[f])
			log_number_attribute(line, sample_field_row((enum sample_field)f)->name, values.value[f]);
}

void sample_take(const char *label)
{
	if (collector.carried)
		return;
	struct log_line *line = event_log_try("sample");
	if (!line) {
		count(TALLY_events_lost_nested, 1);
		return;
	}
	write_sample(line, label);
	event_log_end(line, 0);
}

void sample_take_for_program(const char *label)
{
	struct log_line *line = event_log_begin("sample");
	if (!line)
		return;
	write_sample(line, label);
	log_text_attribute(line, "by", "API");
	event_log_end(line, 0);
}
