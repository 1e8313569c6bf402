/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of clock ticks that this machine has, and what each can give. */
#ifndef CLOCK_SOURCES_H
#define CLOCK_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct clock_source {
	const char *name;
	bool usable;
	char remark[160]; /* why it is not usable, or what to know of it */
	uint64_t finest;  /* nanoseconds between ticks that it really can give; 0: not measured */
};
enum { CLOCK_SOURCE_PERF, CLOCK_SOURCE_TIMER, CLOCK_SOURCES };

/* Tries each source in the calling thread; uses a few milliseconds of CPU time. */
void clock_sources_probe(struct clock_source sources[CLOCK_SOURCES]);

/* "The clock sources of this machine" as a table with the least and greatest interval of -p; the caller's to free. */
char *clock_sources_text(void);

#endif
