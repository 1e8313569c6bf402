/* SPDX-License-Identifier: Apache-2.0 */
/* The line about a child's end. It is composed on the stack: a handler that waits may have interrupted whoever composes
   another line. */
#include "log.h"
#include "text.h"

static void append_number(struct text *text, const char *name, uint64_t value)
{
	text_string(text, " ");
	text_string(text, name);
	text_string(text, "=\"");
	text_number(text, value, 10, 1);
	text_string(text, "\"");
}

int log_write_waited(struct experiment_directory *directory, uint64_t time, uint64_t pid, uint64_t cpu)
{
	char bytes[256];
	struct text text = {.bytes = bytes, .capacity = sizeof bytes};
	text_string(&text, "<event kind=\"waited\" tstamp=\"");
	text_number(&text, time / 1000000000u, 10, 1);
	text_string(&text, ".");
	text_number(&text, time % 1000000000u, 10, 9);
	text_string(&text, "\"");
	append_number(&text, "pid", pid);
	append_number(&text, "cpu", cpu);
	text_string(&text, "/>\n");
	return log_append(directory, LOG_FILE, text.bytes, text.size);
}
