/* SPDX-License-Identifier: Apache-2.0 */
/* The table software_events.def as functions. */
#include "counter_event.h"
#include "counter_tables.h"
#include "word_list.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct software_event {
	const char *name, *synonyms;
	uint64_t config;
	enum counter_units units;
	uint64_t interval;
	enum counter_delivery delivery;
	const char *title;
} events[] = {
#define EVENT(name, synonyms, config, units, interval, delivery, title)                                                \
	{name, synonyms, config, units, interval, delivery, title},
#include "software_events.def"
};
#define EVENT_COUNT (sizeof events / sizeof *events)

const char *software_event_name(unsigned index)
{
	return index < EVENT_COUNT ? events[index].name : 0;
}

bool software_event_row(unsigned index, struct software_event_row *row)
{
	if (index >= EVENT_COUNT)
		return false;
	*row = (struct software_event_row){
		events[index].name, events[index].title, events[index].units, events[index].interval};
	return true;
}

char *software_event_names(void)
{
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		abort();
	for (unsigned i = 0; i < EVENT_COUNT; i++)
		fprintf(out, "%s%s", i ? " " : "", events[i].name);
	fclose(out);
	return text;
}

bool software_event_find(const struct counter_request *request, const char *name, struct counter_found *found)
{
	(void)request;
	if (strncasecmp(name, "perf::", 6) == 0)
		name += 6;
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct software_event *event = &events[i];
		if (strcasecmp(name, event->name) != 0 && !words_have(event->synonyms, name))
			continue;
		struct overflow_counter *counter = &found->counter;
		snprintf(counter->name, sizeof counter->name, "%s", event->name);
		snprintf(counter->title, sizeof counter->title, "%s", event->title);
		snprintf(counter->event, sizeof counter->event, "perf::%s", event->name);
		counter->units = event->units;
		counter->type = PERF_TYPE_SOFTWARE;
		counter->config = event->config;
		counter->delivery = event->delivery;
		if (event->delivery == DELIVERY_LATER)
			counter->modes = MODE_USER | MODE_KERNEL; /* they happen in the kernel */
		found->interval = event->interval;
		return true;
	}
	return false;
}
