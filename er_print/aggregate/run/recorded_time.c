/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the stretches in which recording was on. */
#include "recorded_time.h"
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

uint64_t recorded_time(const struct experiment *experiment)
{
	const struct settings *settings = experiment->settings;
	uint64_t end = less(experiment->end.monotonic, experiment->start.monotonic);
	uint64_t before = less(experiment->start.monotonic, settings->start); /* times of -t are the founder's */
	uint64_t from = less(settings->record_from, before), sum = 0;
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
			sum += less(time, from);
		else
			from = time > from ? time : from;
		paused = pause;
	}
	return sum + (paused ? 0 : less(end, from));
}
