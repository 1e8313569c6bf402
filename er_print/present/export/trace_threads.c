/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks events and calls side by side: both are in the order of experiments and threads. */
#include "trace_threads.h"
#include "search.h"

#include <stdlib.h>
#include <string.h>

struct trace_threads trace_threads_make(struct session *session, const struct metric_table *metrics, unsigned metric)
{
	struct trace_threads threads = {.session = session,
		.calls = traced_calls_read(session->data, session_filter(session)),
		.times = trace_times_make(session->data)};
	if (metric != NO_METRIC)
		threads.events = metric_events_read(session->data, metrics, metric, session_filter(session));
	threads.ranks = mpi_process_names_make(session, &threads.texts);
	return threads;
}

void trace_threads_free(struct trace_threads *threads)
{
	free(threads->events.all);
	traced_calls_free(&threads->calls);
	trace_times_free(&threads->times);
	free(threads->ranks.text);
	table_free(&threads->texts);
}

static bool is_event_of(const struct trace_threads *threads, size_t event, const struct trace_thread *thread)
{
	const struct metric_event *own = &threads->events.all[event];
	return event < threads->events.count && own->experiment == thread->experiment && own->thread == thread->thread;
}

static bool is_call_of(const struct trace_threads *threads, size_t call, const struct trace_thread *thread)
{
	const struct traced_call *own = &threads->calls.all[call];
	return call < threads->calls.count && own->experiment == thread->experiment && own->thread == thread->thread;
}

bool trace_threads_next(const struct trace_threads *threads, struct trace_thread *thread)
{
	struct trace_thread next = {.first_event = thread->events_end, .first_call = thread->calls_end};
	const struct metric_event *event =
		next.first_event < threads->events.count ? &threads->events.all[next.first_event] : 0;
	const struct traced_call *call =
		next.first_call < threads->calls.count ? &threads->calls.all[next.first_call] : 0;
	if (!event && !call)
		return false;
	bool of_event =
		!call ||
		(event && (COMPARE(event->experiment, call->experiment) ?: COMPARE(event->thread, call->thread)) <= 0);
	next.experiment = of_event ? event->experiment : call->experiment;
	next.thread = of_event ? event->thread : call->thread;
	next.events_end = next.first_event;
	next.calls_end = next.first_call;
	while (is_event_of(threads, next.events_end, &next))
		next.events_end++;
	while (is_call_of(threads, next.calls_end, &next))
		next.calls_end++;
	*thread = next;
	return true;
}

const char *trace_process_name(struct trace_threads *threads, uint32_t experiment)
{
	return process_title(threads->session, &threads->texts, &threads->ranks, experiment);
}
