/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one experiment directory (founder or descendant): what its log, map and tallies say, its stacks, and its
   events, block by block. Hostile or damaged input is never trusted: what is unusable is skipped and counted in
   struct damage. Works while the experiment is being written. */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "error.h"
#include "kinds.h"
#include "layout.h"
#include "mpi_columns.h"
#include "overflow_counter.h"
#include "settings.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A log event (kind = run, exit, sample, desc_start, exec_start, exec_error, cwarn, cerror, comment, close, ...). */
struct log_event {
	const char *kind;
	uint64_t time;    /* nanoseconds since the experiment's start */
	const char *text; /* element content or "" */
	struct log_attribute {
		const char *name, *value;
	} * attributes;
	unsigned attribute_count;
};
/* The attribute's value, or 0. */
const char *log_event_attribute(const struct log_event *event, const char *name);

/* A stretch of a load object in the address space, from map.xml. */
struct mapped_segment {
	uint64_t address, size, file_offset;
	uint64_t file_address; /* ELF virtual address that `address` corresponds to (address - load bias) */
	uint32_t from_generation, to_generation; /* mapped in [from, to); to = UINT32_MAX while mapped */
	uint64_t from_time, to_time;             /* ns since start */
	const char *path;     /* of the file; "[vdso]"; "[perf-map]" for code announced in /tmp/perf-PID.map */
	const char *build_id; /* hex or "" */
	const char *checksum; /* of the file's identity: "size:mtime" or "" */
};

/* Code that the program made and named, from map.xml. */
struct announced_function {
	uint64_t address, size;
	uint32_t from_generation, to_generation; /* as of a segment */
	const char *name, *alias, *source;       /* the last two may be "" */
	const char *owner;                       /* directory whose file of announced code the offsets are in */
	uint64_t code_offset;                    /* UINT64_MAX: not there */
	uint64_t lines_offset, lines_size;       /* size 0: not there */
};

struct process_info {
	uint64_t pid, ppid, pgrp, sid, word_size;
	uint64_t outer_pid; /* 0: its parent knows it by `pid`, or nothing is known */
	const char *cwd, *command, *executable;
};
struct system_info {
	const char *host, *os, *release, *architecture, *boot_id, *time_namespace;
	uint64_t page_size, pages, cpus, clock_mhz; /* clock_mhz: nominal, 0 if not known */
};

struct damage {
	uint64_t blocks_bad; /* header or checksum wrong: skipped */
	uint64_t bytes_skipped;
	uint64_t records_bad; /* a block's rest given up */
	uint64_t nodes_bad;   /* stack nodes whose check fails or whose parent does not precede */
	uint64_t log_lines_bad;
	char first[256]; /* the first of them in words, with the file's name */
};

struct tally_value {
	const char *name, *text;
	enum tally_class class;
	uint64_t value;
};

/* The total of an MPI function, exact even if events were lost; times are raw. */
struct mpi_function_totals {
	const char *name, *class;
	uint64_t total[MPI_TOTALS];
};
/* A call that had not returned; start is raw. */
struct mpi_open_call {
	uint64_t value[MPI_PROGRESS_COLUMNS];
};

struct experiment {
	char *path;                                 /* directory */
	char *name;                                 /* its last component */
	const struct settings *settings;            /* the founder's */
	struct overflow_counter *overflow_counters; /* whose overflows were recorded */
	unsigned overflow_counter_count;
	const struct system_info *system; /* the founder's */
	struct process_info process;
	struct time_triple start, end; /* end: last one seen anywhere */
	bool closed;                   /* by collect (a close event) or by its own process (an exit event) */
	double ticks_per_second;       /* of raw time, from the triples; 1e9 for CLOCK_MONOTONIC */
	double nanoseconds_per_tick;
	struct log_event *events;
	size_t event_count;
	struct mapped_segment *segments;
	size_t segment_count;
	struct announced_function *functions; /* ascending by address, of one address in the order of time */
	size_t function_count;
	struct tally_value *tallies;
	size_t tally_count;
	struct mpi_function_totals *mpi_functions; /* by the number that events carry; 0: no MPI was recorded */
	unsigned mpi_function_count;
	struct mpi_open_call *mpi_open_calls;
	unsigned mpi_open_call_count;
	struct stack_nodes { /* index = id; [0] is no stack; unusable nodes have pc 0 */
		struct stack_node *node;
		uint32_t count;
		size_t capacity;
	} stacks;
	struct event_source *sources; /* one per NAME.events found */
	unsigned source_count;
	struct damage damage;
	void *private;
};

/* Opens a directory: a snapshot of what is committed now. 0 with *error set if it is no experiment or of a major version
   that is not ours. The caller closes it. */
struct experiment *experiment_open(const char *path, struct error *error);
/* Opens a descendant of an experiment that is open: what the founder's log says of both is not read again. Several threads may open
   descendants of one founder. They may stay open longer than it does. */
struct experiment *experiment_open_descendant(const char *path, const struct experiment *founder, struct error *error);
void experiment_close(struct experiment *experiment);

/* Names of the descendants' directories directly inside a founder ("_f1.er", ...), sorted in creation order by
   lineage. Owned by the caller (free each and the array). */
char **experiment_descendants(const char *founder, size_t *count);

/* The node of an id, or 0 if there is none or it is damaged. A node's parent has a smaller id; it may be damaged. */
const struct stack_node *experiment_stack_node(const struct experiment *experiment, uint32_t id);
/* Raw time to nanoseconds since the experiment's start (negative deltas clamp to 0). */
uint64_t experiment_nanoseconds(const struct experiment *experiment, uint64_t raw);
/* The number of log events of a kind: "sample", "pause", ... */
uint64_t experiment_count_log_events(const struct experiment *experiment, const char *kind);

/* One of the collector's counts; 0 also where it kept no such count. */
uint64_t experiment_tally(const struct experiment *experiment, enum tally tally);

/* One NAME.events file. The fields are the file's own; field_of_kind maps our table's indexes to the file's. */
struct event_source {
	char name[64];
	char title[128];
	int kind; /* enum kind, or -1: a kind that this version does not know (can be read all the same) */
	unsigned field_count;
	struct event_field {
		char name[32];
		enum field_unit unit;
		char title[128];
	} fields[FIELDS_MAX];
	int field_of_kind[FIELDS_MAX]; /* -1: the file lacks that field: its value is 0 */
	unsigned block_count;
	struct event_block *blocks;
	struct event_columns *columns; /* its events where they are in no file, else 0 */
};

/* Events in memory; the arrays are malloc'ed. */
struct event_columns {
	uint32_t count;
	uint64_t *time; /* nanoseconds since the experiment's start */
	uint32_t *thread, *cpu, *stack;
	uint64_t *field[FIELDS_MAX]; /* by the kind's table; 0: zeros */
};

/* An experiment that is no directory. Nothing is known of its run, and it has no stacks: what the events' stacks mean is the
   caller's. */
struct experiment *experiment_without_files(const char *path);
/* Gives it events of a kind that it has none of, which were read from elsewhere and whose arrays it takes over. */
void experiment_add_columns(struct experiment *experiment, enum kind kind, const struct event_columns *columns);

/* The events of one block as columns, in the order of the file. All zeros before the first read; its memory is its own and
   used again by the next read, of any source. */
struct event_batch {
	const struct event_source *source;
	uint32_t count, capacity;
	uint64_t *time; /* nanoseconds since the experiment's start */
	uint32_t *thread, *cpu, *stack;
	uint64_t *field[FIELDS_MAX]; /* by the file's order */
	unsigned field_columns;      /* how many of them have memory */
	unsigned char *bytes;        /* of the block as they are in the file */
	size_t bytes_capacity;
};

/* Decodes block `index` of a source. False if the block is unusable (counted in damage) or empty. Thread-safe for
   different batches. */
bool event_source_read(
	struct experiment *experiment, struct event_source *source, unsigned index, struct event_batch *batch);
/* Where the decoding of a block stands; all zeros: at its beginning. */
struct event_cursor {
	uint32_t at; /* bytes of the payload that are decoded */
	uint32_t thread, cpu, stack;
	uint64_t block_time, time, address;
	bool begun;
};
/* As event_source_read(), the next events of the block, at most so many. False: there are no more. */
bool event_source_read_part(struct experiment *experiment, struct event_source *source, unsigned index,
	struct event_cursor *cursor, uint32_t most, struct event_batch *batch);
/* When the block was begun, in nanoseconds since the experiment's start: no event of it is earlier, unless it says so. */
uint64_t event_block_start(const struct experiment *experiment, const struct event_source *source, unsigned index);
void event_batch_free(struct event_batch *batch);

#endif
