/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long something ran and what it used, as lines. */
#include "execution_text.h"
#include "plain_text.h"

#include <inttypes.h>

void execution_print_label(FILE *file, const char *label, const char *text)
{
	fprintf(file, "%50s: ", label);
	print_plain(file, text);
	putc('\n', file);
}

void execution_print_seconds(FILE *file, const char *label, uint64_t nanoseconds)
{
	fprintf(file, "%50s: %.3f\n", label, (double)nanoseconds / 1e9);
}

static void print_share(FILE *file, const char *label, uint64_t part, uint64_t whole)
{
	fprintf(file, "%50s: %.3f", label, (double)part / 1e9);
	if (whole)
		fprintf(file, " (%5.1f%%)", 100.0 * (double)part / (double)whole);
	putc('\n', file);
}

static void print_values(FILE *file, const struct execution *execution)
{
	const struct sample_values *used = &execution->used;
	if (used->known[SAMPLE_user] && used->known[SAMPLE_system]) {
		/* Between two samples the kernel's account of CPU time may be ahead of the clock by one of its ticks. */
		uint64_t sum = used->value[SAMPLE_user] + used->value[SAMPLE_system];
		uint64_t whole = sum > execution->thread_time ? sum : execution->thread_time;
		fprintf(file, "\n%50s:\n", "Process Times (sec.)");
		print_share(file, "User CPU", used->value[SAMPLE_user], whole);
		print_share(file, "System CPU", used->value[SAMPLE_system], whole);
	}
	bool some = false;
	for (unsigned f = SAMPLE_minor_faults; f < SAMPLE_FIELD_COUNT; f++)
		some |= used->known[f];
	if (some)
		putc('\n', file);
	for (unsigned f = SAMPLE_minor_faults; some && f < SAMPLE_FIELD_COUNT; f++) {
		const char *title = sample_field_row((enum sample_field)f)->title;
		if (used->known[f])
			fprintf(file, "%50s: %" PRIu64 "\n", title, used->value[f]);
		else
			fprintf(file, "%50s: not known\n", title);
	}
}

void execution_print(FILE *file, const struct execution *execution)
{
	execution_print_seconds(file, "Duration (sec.)", execution->duration);
	execution_print_seconds(file, "Total Thread Time (sec.)", execution->thread_time);
	if (execution->duration)
		fprintf(file, "%50s: %.3f\n", "Average number of Threads",
			(double)execution->thread_time / (double)execution->duration);
	print_values(file, execution);
	if (execution->times_unknown)
		fprintf(file, "%50s: %" PRIu32 "\n", "Images that ended without a record of their times",
			execution->times_unknown);
	if (execution->without_samples)
		fprintf(file, "%50s: %" PRIu32 "\n", "Images without samples", execution->without_samples);
}
