/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile that another tool wrote, as its reader found it: functions, stacks of them, and events of counters. It becomes
   experiments when all of the file was read (import.c). */
#ifndef IMPORTED_PROFILE_H
#define IMPORTED_PROFILE_H

#include "code_blocks.h"
#include "data.h"
#include "overflow_counter.h"
#include "strings.h"
#include <stdbool.h>
#include <stdint.h>

#define IMPORTED_MILLION 1000000u /* all counts of a counter are multiplied by it if one of them has a fraction */

/* Texts are numbers of `texts`, where 0 is "". */
struct imported_profile {
	const char *what;   /* "Folded stacks" */
	const char *record; /* what there is one of for each event: "line" */
	enum imported_samples samples;
	struct strings texts;
	struct imported_function {
		uint32_t name, object, source;
		uint32_t first_line; /* 0: not known */
	} * functions;
	uint32_t function_count;
	struct code_blocks *code; /* by function, for the first code_count: its blocks; none of one without */
	uint32_t code_count;
	struct imported_stack { /* [0] is the stack without frames */
		uint32_t parent, function;
		uint32_t offset; /* of the code in the function, below IMPORTED_OFFSETS */
		uint32_t line;   /* 0: not known */
	} * stacks;
	uint32_t stack_count;
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
	unsigned counter_count;
	struct imported_process {
		uint64_t pid;    /* 0: not known */
		uint32_t name;   /* of its program */
		uint32_t suffix; /* of the file's name, where there are several processes */
		bool apart;      /* no process of the same run, but one to compare with the others */
	} * processes;
	uint32_t process_count;
	struct imported_event {
		uint64_t count, time; /* ns */
		uint32_t millionths;  /* the count's fraction */
		uint32_t stack, counter, process, thread, cpu;
	} * events;
	uint32_t event_count;
	struct imported_reading { /* of the counters whose delivery is DELIVERY_READ */
		uint64_t time;    /* ns */
		uint32_t order;   /* of those with one time, if their reader sorts them */
		uint32_t stack, process, thread, known;
		uint64_t value[READINGS_MAX]; /* what each counted since the thread's reading before */
	} * readings;                         /* each thread's in the order in which they were made */
	uint32_t reading_count;
	uint64_t records;         /* of the file, those that became events */
	uint64_t start, duration; /* ns since 1970, and ns; 0: not known */
	uint64_t ignored;         /* records that are none */
	char first_ignored[200];  /* the first of them, in words */
	struct id_table function_table, stack_table;
};
#define IMPORTED_OFFSETS (1u << 24)
/* Where a frame is put whose place in its function is not known, so that each of its lines has one. */
#define IMPORTED_AT_LINE(line) (IMPORTED_OFFSETS / 2 + (line) % (IMPORTED_OFFSETS / 2))

/* Made with the empty text and the stack without frames. */
struct imported_profile *imported_profile_create(void);
void imported_profile_free(struct imported_profile *profile);

uint32_t imported_text(struct imported_profile *profile, const char *text);
/* The number of a function, or of a stack; added when new. */
uint32_t imported_function(struct imported_profile *profile, const struct imported_function *function);
uint32_t imported_stack(struct imported_profile *profile, const struct imported_stack *stack);
/* The counter of this title, whose name is the title in letters that metrics may have; added when new, with those units. NO_ID:
   there are OVERFLOW_COUNTERS_MAX others. */
uint32_t imported_counter(struct imported_profile *profile, const char *title, enum counter_units units);
/* The process with this pid and suffix; added when new. Its name becomes this one: programs start others. */
uint32_t imported_process(struct imported_profile *profile, const struct imported_process *process);
/* False if there are too many. */
bool imported_event(struct imported_profile *profile, const struct imported_event *event);
/* Counts a record that is none, and keeps the text for the first. */
void imported_ignore(struct imported_profile *profile, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes millionths of a counter's counts if one has a fraction. False if the sum of all, which is the largest number of any
   report, cannot be held. */
bool imported_scale_counts(struct imported_profile *profile);

#endif
