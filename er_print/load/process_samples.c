/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the samples out of a log and puts them in order. */
#include "process_samples.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

static bool number_of(const struct log_event *event, const char *name, uint64_t *number)
{
	const char *text = log_event_attribute(event, name);
	char *end;
	if (!text || *text < '0' || *text > '9')
		return false;
	*number = strtoull(text, &end, 10);
	return *end == 0;
}

/* The kernel counts the collector's own work as the process's. It is counted a little later than the kernel counts it: within one
   sample a part of it may still be the process's. */
static void subtract_own(struct sample_values *values, enum sample_field field, enum sample_field own)
{
	if (!values->known[field] || !values->known[own])
		return;
	uint64_t value = values->value[field], less = values->value[own];
	values->value[field] = value > less ? value - less : 0;
}

/* Raw time is what events have: by it they are before or after a sample. */
static struct sample_point read_point(
	const struct experiment *file, const struct log_event *event, uint64_t start_offset)
{
	const char *label = log_event_attribute(event, "label");
	struct sample_point point = {.time = event->time, .label = label ? label : ""};
	uint64_t number;
	if (number_of(event, "raw", &number))
		point.time = experiment_nanoseconds(file, number);
	point.time += start_offset;
	for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++)
		if (number_of(event, sample_field_row((enum sample_field)f)->name, &number))
			sample_set(&point.values, (enum sample_field)f, number);
	subtract_own(&point.values, SAMPLE_minor_faults, SAMPLE_own_faults);
	subtract_own(&point.values, SAMPLE_write_bytes, SAMPLE_own_write_bytes);
	return point;
}

struct placed {
	struct sample_point point;
	size_t line;
	bool ends; /* said by the process itself to be its end */
};

static int by_time(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	return COMPARE(x->point.time, y->point.time) ?: COMPARE(x->line, y->line);
}

/* The kernel's own count of a peak is rounded and may fall a little. */
static void raise_peaks(struct process_samples *samples)
{
	for (unsigned f = 0; f < SAMPLE_FIELD_COUNT; f++) {
		uint64_t most = 0;
		if (sample_field_row((enum sample_field)f)->nature != SAMPLE_PEAK)
			continue;
		for (uint32_t i = 0; i < samples->count; i++) {
			struct sample_values *values = &samples->points[i].values;
			if (values->known[f])
				values->value[f] = most = values->value[f] > most ? values->value[f] : most;
		}
	}
}

void process_samples_read(struct process_samples *samples, const struct experiment *file, uint64_t start_offset)
{
	struct placed *placed = 0;
	uint32_t count = 0;
	*samples = (struct process_samples){0};
	for (size_t i = 0; i < file->event_count; i++) {
		const struct log_event *event = &file->events[i];
		if (strcmp(event->kind, "sample") != 0)
			continue;
		placed = memory_room(placed, count, sizeof *placed);
		placed[count] = (struct placed){.point = read_point(file, event, start_offset), .line = i};
		placed[count].ends =
			!log_event_attribute(event, "by") && !strcmp(placed[count].point.label, SAMPLE_LABEL_END);
		count++;
	}
	if (!count)
		return;
	qsort(placed, count, sizeof *placed, by_time);
	samples->points = memory_new(count, sizeof *samples->points);
	for (uint32_t i = 0; i < count; i++)
		samples->points[i] = placed[i].point;
	samples->count = count;
	samples->stretches = placed[count - 1].ends ? count - 1 : count;
	free(placed);
	raise_peaks(samples);
}

void process_samples_free(struct process_samples *samples)
{
	free(samples->points);
	*samples = (struct process_samples){0};
}

uint32_t process_samples_at(const struct process_samples *samples, uint64_t time)
{
	return FIRST_WHERE(i, samples->count, samples->points[i].time > time);
}
