/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long something ran and what it used, as facts. */
#include "execution_text.h"
#include "plain_text.h"

#include <inttypes.h>

enum { LABEL_WIDTH = 50 };

void execution_add_label(struct facts *facts, const char *label, const char *text)
{
	fprintf(facts->text, "%*s: ", LABEL_WIDTH, label);
	print_plain(facts->text, text);
	putc('\n', facts->text);
	fact_text(facts, label, text);
}

void execution_add_seconds(struct facts *facts, const char *label, uint64_t nanoseconds)
{
	fprintf(facts->text, "%*s: %.3f\n", LABEL_WIDTH, label, (double)nanoseconds / 1e9);
	fact_seconds(facts, label, nanoseconds);
}

static void add_number(struct facts *facts, const char *label, uint64_t number)
{
	fprintf(facts->text, "%*s: %" PRIu64 "\n", LABEL_WIDTH, label, number);
	fact_number(facts, label, number);
}

static void add_share(struct facts *facts, const char *label, uint64_t part, uint64_t whole)
{
	fprintf(facts->text, "%*s: %.3f", LABEL_WIDTH, label, (double)part / 1e9);
	if (whole)
		fprintf(facts->text, " (%5.1f%%)", 100.0 * (double)part / (double)whole);
	putc('\n', facts->text);
	fact_seconds(facts, label, part);
}

static void add_values(struct facts *facts, const struct execution *execution)
{
	const struct sample_values *used = &execution->used;
	if (used->known[SAMPLE_user] && used->known[SAMPLE_system]) {
		/* Between two samples the kernel's account of CPU time may be ahead of the clock by one of its ticks. */
		uint64_t sum = used->value[SAMPLE_user] + used->value[SAMPLE_system];
		uint64_t whole = sum > execution->thread_time ? sum : execution->thread_time;
		fprintf(facts->text, "\n%*s:\n", LABEL_WIDTH, "Process Times (sec.)");
		add_share(facts, "User CPU", used->value[SAMPLE_user], whole);
		add_share(facts, "System CPU", used->value[SAMPLE_system], whole);
	}
	bool some = false;
	for (unsigned f = SAMPLE_minor_faults; f < SAMPLE_FIELD_COUNT; f++)
		some |= used->known[f];
	if (some)
		putc('\n', facts->text);
	for (unsigned f = SAMPLE_minor_faults; some && f < SAMPLE_FIELD_COUNT; f++) {
		const char *title = sample_field_row((enum sample_field)f)->title;
		if (used->known[f])
			add_number(facts, title, used->value[f]);
		else
			execution_add_label(facts, title, "not known");
	}
}

void execution_add(struct facts *facts, const struct execution *execution)
{
	execution_add_seconds(facts, "Duration (sec.)", execution->duration);
	execution_add_seconds(facts, "Total Thread Time (sec.)", execution->thread_time);
	if (execution->duration) {
		char average[32];
		snprintf(average, sizeof average, "%.3f", (double)execution->thread_time / (double)execution->duration);
		execution_add_label(facts, "Average number of Threads", average);
	}
	add_values(facts, execution);
	if (execution->times_unknown)
		add_number(facts, "Images that ended without a record of their times", execution->times_unknown);
	if (execution->without_samples)
		add_number(facts, "Images without samples", execution->without_samples);
}
