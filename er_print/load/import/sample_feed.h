/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A feed of samples: the blocks of functions, and samples of threads with counters that were read there, in lines that any sampler
   can write (er_print.1, "Feeds of samples"). */
#ifndef SAMPLE_FEED_H
#define SAMPLE_FEED_H

#include "imported_profile.h"

/* Its first line. */
#define SAMPLE_FEED_MARK "#er_print samples 1"
#define FEED_CALLS_MAX   4096 /* of one stack; more are left out at the outermost end */

struct sample_feed {
	struct imported_profile *profile;
	uint32_t isize; /* bytes of an instruction where no line says so */
	struct feed_function {
		uint64_t start, end; /* of its code, half-open */
		uint32_t function;   /* of the profile */
	} * functions;               /* in the order of the file; ascending when all are known */
	uint32_t function_count;
	unsigned counters; /* that are read */
	struct feed_place {
		uint64_t address;
		uint32_t caller; /* in `places`; NO_ID: none is known */
	} * places;
	uint32_t place_count;
	struct id_table place_table;
	struct feed_sample {
		uint64_t time, reading[READINGS_MAX];
		uint32_t thread, known;
		uint32_t place;
	} * samples;
	uint32_t sample_count;
};

/* Whether a file can be such a feed, by its first line. */
bool sample_feed_begins(const char *line);

void sample_feed_begin(struct sample_feed *feed, struct imported_profile *profile);
/* One line without its newline, ended by a 0, which is changed; `number` from 1 is for what is said of it. */
void sample_feed_take(struct sample_feed *feed, char *line, size_t length, uint64_t number);
/* After the last line. */
void sample_feed_end(struct sample_feed *feed);

#endif
