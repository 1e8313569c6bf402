/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's own lines in log.xml and map.xml. */
#include "event_log.h"
#include "collector.h"
#include "hold.h"

static struct log_line the_line;
static struct hold hold;

uint64_t event_log_time(void)
{
	struct time_triple now;
	time_now(&now);
	/* The founder began when `collect` made it. */
	bool founder = !collector.lineage[0] && collector.settings.start;
	return now.monotonic - (founder ? collector.settings.start : collector.start.monotonic);
}

struct log_line *event_log_hold(void)
{
	return !collector.carried && hold_take(&hold) ? &the_line : 0;
}

struct log_line *event_log_try_hold(void)
{
	return !collector.carried && hold_try(&hold) ? &the_line : 0;
}

void event_log_release(void)
{
	hold_release(&hold);
}

static void begin_event(const char *kind)
{
	log_begin(&the_line, "event");
	log_text_attribute(&the_line, "kind", kind);
	log_time_attribute(&the_line, "tstamp", event_log_time());
}

struct log_line *event_log_begin(const char *kind)
{
	struct log_line *line = event_log_hold();
	if (!line)
		return 0;
	begin_event(kind);
	return line;
}

struct log_line *event_log_try(const char *kind)
{
	if (collector.carried || !hold_try(&hold))
		return 0;
	begin_event(kind);
	return &the_line;
}

void event_log_end(struct log_line *line, const char *content)
{
	struct own_use_span use = own_use_begin(collector.tallies);
	log_end(line, content, &collector.directory, LOG_FILE);
	own_use_end(&use, collector.tallies);
	event_log_release();
}

void event_log_after_fork(void)
{
	hold_release(&hold);
}

void collector_log(const char *kind, const char *text)
{
	struct log_line *line = event_log_begin(kind);
	if (line)
		event_log_end(line, text);
}
