/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text that `perf script` prints: for each sample a line with command, thread, CPU, time, period and event, as far as they
   were asked for, and its call chain in lines below, or one frame in the same line. */
#ifndef PERF_SCRIPT_H
#define PERF_SCRIPT_H

#include "imported_profile.h"

struct perf_script {
	struct imported_profile *profile;
	struct imported_event event; /* of the sample that is being read */
	bool open;                   /* there is one */
	struct perf_frame {          /* its frames, from the leaf */
		uint32_t name, object, source;
		uint32_t offset, line;
		bool inlined; /* its object is that of the frame it was inlined into */
	} * frames;
	uint32_t frame_count;
	uint32_t *sources; /* by function: its file; NO_ID: not known */
	uint32_t source_count;
	bool placed; /* the only frame was in the sample's line: it gives way to a chain below */
};

/* Whether a file can be such a text, by its first line that is not empty. */
bool perf_script_begins(const char *line);

void perf_script_begin(struct perf_script *script, struct imported_profile *profile);
/* One line without its newline, ended by a 0, which is changed; `number` from 1 is for what is said of it. */
void perf_script_take(struct perf_script *script, char *line, size_t length, uint64_t number);
/* After the last line. */
void perf_script_end(struct perf_script *script);

#endif
