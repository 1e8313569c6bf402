/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for what is missing. */
#include "coverage_text.h"
#include "search.h"
#include "storage.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 3 /* in one line */

/* Processes of one program that are missing for one reason. */
struct kind_of_missing {
	const struct missing *first;
	uint32_t count, unknown; /* of them without a time */
	uint64_t time;
};

static double seconds(uint64_t nanoseconds)
{
	return (double)nanoseconds / 1e9;
}

/* Log lines begin with "not recorded: " or "not followed: ", which the sentence has said already. */
static const char *reason_of(const struct missing *missing)
{
	static const char *const starts[] = {"not recorded: ", "not followed: ", "not recorded, ", "not followed, "};
	for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++)
		if (!strncmp(missing->why, starts[i], strlen(starts[i])))
			return missing->why + strlen(starts[i]);
	return missing->why;
}

static bool is_same(const struct missing *a, const struct missing *b)
{
	return a->child == b->child && a->part == b->part && !strcmp(a->name, b->name) && !strcmp(a->why, b->why);
}

static int by_time(const void *a, const void *b)
{
	const struct kind_of_missing *x = a, *y = b;
	return COMPARE(y->time, x->time) ?: strcmp(x->first->name, y->first->name);
}

static struct kind_of_missing *kinds_of(const struct coverage *coverage, uint32_t *count)
{
	struct kind_of_missing *kinds = memory_new(coverage->missing_count, sizeof *kinds);
	*count = 0;
	for (uint32_t i = 0; i < coverage->missing_count; i++) {
		const struct missing *missing = &coverage->missing[i];
		uint32_t k = 0;
		while (k < *count && !is_same(kinds[k].first, missing))
			k++;
		if (k == *count)
			kinds[(*count)++].first = missing;
		kinds[k].count += missing->count;
		kinds[k].unknown += missing->time_known ? 0 : missing->count;
		kinds[k].time += missing->time_known ? missing->time : 0;
	}
	qsort(kinds, *count, sizeof *kinds, by_time);
	return kinds;
}

static void print_name(FILE *file, const struct missing *missing)
{
	fprintf(file, "%s%s", missing->part ? "part of " : missing->child ? "children of " : "", missing->name);
}

static void print_kind(FILE *file, const struct kind_of_missing *kind)
{
	print_name(file, kind->first);
	if (kind->unknown == kind->count)
		fputs(" (time unknown", file);
	else
		fprintf(file, " %.3f (", seconds(kind->time));
	if (kind->count > 1)
		fprintf(file, "%s%" PRIu32 " processes", kind->unknown == kind->count ? ", " : "", kind->count);
	fprintf(file, "%s%s)", kind->count > 1 || kind->unknown == kind->count ? ", " : "", reason_of(kind->first));
}

static void print_missing(FILE *file, const struct coverage *coverage)
{
	uint32_t count, others = 0;
	uint64_t time = 0;
	struct kind_of_missing *kinds = kinds_of(coverage, &count);
	fputs("; not recorded: ", file);
	for (uint32_t k = 0; k < count; k++) {
		if (k < NAMED_MOST) {
			fputs(k ? ", " : "", file);
			print_kind(file, &kinds[k]);
		} else {
			others += kinds[k].count;
			time += kinds[k].time;
		}
	}
	if (others)
		fprintf(file, ", %" PRIu32 " other%s %.3f (header names them)", others, others == 1 ? "" : "s",
			seconds(time));
	if (coverage->ends)
		fprintf(file, "%swhat processes did after the collector's end %.3f", count ? ", " : "",
			seconds(coverage->ends));
	if (coverage->parts)
		fprintf(file, "%sa little of %" PRIu32 " processes each %.3f", count || coverage->ends ? ", " : "",
			coverage->parts_of, seconds(coverage->parts));
	free(kinds);
}

char *coverage_line(const struct coverage *coverage)
{
	char *text = 0;
	size_t size;
	if (coverage_is_whole(coverage))
		return 0;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return 0;
	fprintf(file, "Recorded %.3f of %.3f CPU seconds", seconds(coverage->recorded), seconds(coverage->whole));
	if (coverage->missing_count || coverage->ends || coverage->parts)
		print_missing(file, coverage);
	if (coverage->events_lost) {
		const char *colon = strstr(coverage->events_lost_why, ": ");
		fprintf(file, "; events lost: %" PRIu64 " (%s)", coverage->events_lost,
			colon ? colon + 2 : coverage->events_lost_why);
	}
	fclose(file);
	return text;
}

char *coverage_warning(const struct missing *missing)
{
	char *text = 0;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return 0;
	fputs("not recorded: ", file);
	print_name(file, missing);
	if (missing->pid)
		fprintf(file, " (process %" PRIu64 ")", missing->pid);
	else if (missing->count > 1)
		fprintf(file, " (%" PRIu32 " processes)", missing->count);
	fprintf(file, ", %s: ", reason_of(missing));
	if (missing->time_known)
		fprintf(file, "%.3f CPU seconds", seconds(missing->time));
	else
		fputs("CPU time not known", file);
	fclose(file);
	return text;
}
