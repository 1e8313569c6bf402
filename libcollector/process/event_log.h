/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's own lines in log.xml and map.xml. One line is under construction at a time, in static memory, because a
   line is larger than a small thread's stack. Not in our handlers, but for event_log_try(). */
#ifndef EVENT_LOG_H
#define EVENT_LOG_H

#include "log.h"
#include <stdint.h>

/* Nanoseconds since the experiment's start. */
uint64_t event_log_time(void);

/* Holds the line for the caller. 0 if the caller was interrupted by a handler of the target in the middle of a line of its
   own: the new one is left out; or if the process is not recorded. */
struct log_line *event_log_hold(void);
/* The same, if nobody holds it. Async-signal-safe. */
struct log_line *event_log_try_hold(void);
void event_log_release(void);

/* Holds it and begins <event kind="KIND" tstamp="..."; ends it into log.xml and releases it. */
struct log_line *event_log_begin(const char *kind);
/* As event_log_begin(), without waiting, also for our handlers: 0 if somebody holds it. */
struct log_line *event_log_try(const char *kind);
void event_log_end(struct log_line *line, const char *content);

/* In a fork child: nobody holds the line. */
void event_log_after_fork(void);

#endif
