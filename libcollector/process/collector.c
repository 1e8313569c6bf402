/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's one state, and what is said of this process in the founder's log. */
#include "collector.h"
#include "log.h"
#include "system_calls.h"
#include "text.h"
#include <sys/auxv.h>

struct collector collector;

static int process_id(void)
{
	return (int)system_call(SYS_getpid);
}

bool collector_is_recorded_process(void)
{
	return collector.process == process_id();
}

void collector_tell_founder(const char *kind, const char *name, const char *what, int code)
{
	name = name ? name : (const char *)getauxval(AT_EXECFN);
	static struct log_line line;
	static char number[24];
	struct text text = {.bytes = number, .capacity = sizeof number - 1};
	text_number(&text, (uint64_t)code, 10, 1);
	number[text.size] = 0;
	log_begin(&line, "event");
	log_text_attribute(&line, "kind", kind);
	log_time_attribute(&line, "tstamp", 0);
	log_text_attribute(&line, "lineage", collector.lineage);
	log_number_attribute(&line, "pid", (uint64_t)process_id());
	if (name)
		log_text_attribute(&line, "name", name);
	if (code)
		log_text_attribute(&line, "errno", number);
	log_end(&line, what, &collector.founder, LOG_FILE);
}

bool collector_refuse(const char *what, int code)
{
	collector_tell_founder("cwarn", 0, what, code);
	return false;
}
