/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the stretches in which recording was on. */
#include "recorded_time.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The time that -t leaves out is known to the nanosecond; its log lines come at the next tick. */
static bool is_window_only(const struct log_event *event)
{
	const char *name = log_event_attribute(event, "name");
	return name && strcmp(name, "time") == 0;
}

struct stretches {
	struct stretch *all;
	uint32_t count;
};

static void add(struct stretches *stretches, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	stretches->all = memory_room(stretches->all, stretches->count, sizeof *stretches->all);
	stretches->all[stretches->count++] = (struct stretch){from, to};
}

struct stretch *recorded_stretches(const struct experiment *experiment, uint32_t *count)
{
	const struct settings *settings = experiment->settings;
	uint64_t end = less(experiment->end.monotonic, experiment->start.monotonic);
	uint64_t before = less(experiment->start.monotonic, settings->start); /* times of -t are the founder's */
	uint64_t from = less(settings->record_from, before);
	struct stretches stretches = {0};
	bool paused = false;
	if (settings->record_until && less(settings->record_until, before) < end)
		end = less(settings->record_until, before);
	for (size_t i = 0; i < experiment->event_count; i++) {
		const struct log_event *event = &experiment->events[i];
		bool pause = strcmp(event->kind, "pause") == 0;
		if ((!pause && strcmp(event->kind, "resume") != 0) || pause == paused || is_window_only(event))
			continue;
		uint64_t time = event->time < end ? event->time : end;
		if (pause)
			add(&stretches, from, time);
		else
			from = time > from ? time : from;
		paused = pause;
	}
	if (!paused)
		add(&stretches, from, end);
	*count = stretches.count;
	return stretches.all;
}

uint64_t recorded_time(const struct experiment *experiment)
{
	uint32_t count;
	uint64_t sum = 0;
	struct stretch *stretches = recorded_stretches(experiment, &count);
	for (uint32_t i = 0; i < count; i++)
		sum += stretches[i].to - stretches[i].from;
	free(stretches);
	return sum;
}

uint64_t recorded_end(const struct experiment *experiment)
{
	uint32_t count;
	struct stretch *stretches = recorded_stretches(experiment, &count);
	uint64_t end = count ? stretches[count - 1].to : 0;
	free(stretches);
	return end;
}
