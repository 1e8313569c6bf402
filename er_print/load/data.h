/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything loaded, independent of address space and process: experiments, load objects, code addresses, and one tree of
   calling contexts over all of them. Equal stacks of different threads, processes and experiments have one id here.
   Loading one experiment is independent of another. Events are not kept: they are decoded again for each pass. */
#ifndef DATA_H
#define DATA_H

#include "code_blocks.h"
#include "error.h"
#include "experiment.h"
#include "io_files.h"
#include "kinds.h"
#include "process_samples.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Code of one file, or of none. */
struct load_object {
	enum load_object_type {
		OBJECT_FILE, /* an ELF file */
		OBJECT_VDSO,
		OBJECT_DYNAMIC, /* code announced in a perf map or by the program: <DYNAMIC_FUNCTIONS> */
		OBJECT_UNKNOWN, /* no load object was mapped there: <Unknown>; addresses are absolute */
		OBJECT_TOTAL,   /* holds <Total>, <Truncated-stack>, <no stack> and what else is no code */
	} type;
	const char *path;     /* as recorded; "<Unknown>" etc. for the artificial ones */
	const char *build_id; /* hex or "" */
	const char *checksum; /* file identity as recorded */
	int64_t modified; /* when the file was changed last before it was recorded, seconds since 1970; 0: not known */
	const char *archive; /* a copy in the experiment, or 0 */
	uint32_t experiment; /* the one whose archive or dynamic code it is */
	bool openmp;         /* a run-time of OpenMP, which is no part of the program's own code */
	uint32_t layer;      /* of OBJECT_DYNAMIC: 0 its perf map, from 1 code that the program announced, or: */
	uint32_t *runs;      /* founders that it has stacks or segments of, in load order */
	uint32_t run_count;
};
/* Whether its path is that of a file; that of dynamic code is one if an imported profile has it. */
static inline bool load_object_is_of_file(const struct load_object *object)
{
	return object->type == OBJECT_FILE || (object->type == OBJECT_DYNAMIC && strchr(object->path, '/'));
}
#define LAYER_KERNEL UINT32_MAX /* <kernel>: what stacks of counters have of it */

struct code_address {
	uint32_t object;
	uint64_t offset; /* OBJECT_FILE, OBJECT_VDSO: ELF virtual address in the file; else the absolute address */
};

/* STACK_REVERSED: its frames stand the other way round, the inlined calls at its address below who made them. STACK_RUN_TIME: it
   is of OpenMP's run-time, between a region's begin, or a task's creation, and its function. STACK_OUTLINED: its leaf is that
   function; with STACK_TASK: a task's. */
enum {
	STACK_EXACT = 1,
	STACK_HEURISTIC = 2,
	STACK_ROOT = 4,
	STACK_REVERSED = 8,
	STACK_RUN_TIME = 16,
	STACK_OUTLINED = 32,
	STACK_TASK = 64
};
struct stack {
	/* The caller; id 0 is the stack "none" and the parent of roots. A parent's id is less than its child's. */
	uint32_t parent;
	uint32_t address; /* index of a code_address; of a root: enum root_kind */
	uint32_t flags;   /* STACK_* */
	/* As the thread had it, if the callers are not those that it had: it worked for a parallel region, and they are who began
	   that. 0: they are. Its id is less than this one's. */
	uint32_t native;
};

/* An end of stacks beside enum root_kind, for events that are not the program's doing (overflow_counters.def: unrelated). */
#define ROOT_UNRELATED 3u
/* Ends for clock events of the collector's own work, and of a process's time before its clock could tick. */
#define ROOT_COLLECTOR     4u
#define ROOT_PROCESS_START 5u

struct loaded_experiment {
	struct experiment *file;
	uint32_t number;    /* 1, 2, ... in load order, descendants after their founder: as experiment_list shows */
	uint32_t founder;   /* index of its founder in `experiments` (itself if it is one) */
	uint32_t *stack_of; /* local stack node id -> index in `stacks` */
	uint32_t stack_of_count;  /* number of local nodes */
	uint32_t unrelated_stack; /* of events that are not the program's doing; 0: it has none */
	uint32_t collector_stack; /* of the collector's own work */
	uint32_t start_stack;     /* of what the process had before its clock could tick */
	uint64_t start_offset;    /* ns from its founder's start to its own */
	enum clock_basis {        /* how its times are those of its founder */
		CLOCK_SHARED,     /* by one clock, or one that all of a host share */
		CLOCK_COMPARED,   /* by messages between ranks of an MPI job */
		CLOCK_TIME_OF_DAY /* by what two hosts think that the time is */
	} clock;
	uint64_t clock_error;       /* of CLOCK_COMPARED: ns that it may be off */
	bool partial;               /* descendants of it were left out, or it is one itself */
	struct imported_file {      /* what another tool wrote (data_import); what: 0 of an experiment */
		const char *what;   /* "Folded stacks" */
		const char *path;   /* of the file */
		const char *record; /* "line": there are so many, in all experiments of the file together */
		uint64_t records, ignored;
		char first_ignored[200]; /* the first that was ignored, in words */
		enum imported_samples {
			SAMPLES_UNKNOWN, /* what its counts are sums of */
			SAMPLES_COUNTED, /* each count of 1 is a sample */
			SAMPLES_EACH     /* each record is a sample */
		} samples;
		bool apart; /* the counts after, beside those before: a group of its own */
	} imported;
	char *real_path; /* by which it counts once, however it was named; 0: not known */
	struct process_samples samples;
	struct io_files io_files;
};

/* Whether a clock event of that mode is a tick, and not time that was met by none. */
static inline bool data_is_tick(uint64_t mode)
{
	return mode != STATE_VALUE(CLOCK, mode, remainder) && mode != STATE_VALUE(CLOCK, mode, collector) &&
	       mode != STATE_VALUE(CLOCK, mode, start);
}

/* Whether a descendant is loaded: by its lineage ("_f1") and what its log says. */
typedef bool data_descendant(const void *context, const char *lineage, const struct experiment *experiment);

/* Where clock ticks are charged, by the stack that a tick found: the same callers, and another instruction in the leaf's function
   (resolver_place_ticks). Events come to visitors with these. */
struct tick_stacks {
	uint32_t *user, *kernel; /* [stack] of ticks in user mode, and in the kernel; 0: where they were found */
	uint32_t count;
};

struct data {
	data_descendant *wants_descendant; /* 0: all are loaded */
	const void *descendant_context;
	struct loaded_experiment *experiments;
	uint32_t experiment_count;
	struct load_object *objects;
	uint32_t object_count;
	struct code_address *addresses;
	uint32_t address_count;
	struct stack *stacks;
	uint32_t stack_count;
	struct tick_stacks tick_stacks;
	struct timed_stacks *timed_stacks; /* 0: none */
	void *private;
};

/* Objects 0 and 1 are <Total> and <Unknown>; stack 0 is "none". An address of the former is no code. WOKEN_OFFSET: what is on it in
   a stack has ended the wait that is below it. STATE_OFFSET(state): the thread was in that state (kinds.def: OFFCPU, state);
   OMP_OFFSET(state): likewise, of omp_state.h. */
enum { OBJECT_INDEX_TOTAL, OBJECT_INDEX_UNKNOWN };
#define WOKEN_OFFSET        0
#define STATE_OFFSET(state) (1 + (state))
#define OMP_OFFSET(state)   (256 + (state))
struct data *data_create(void);
void data_destroy(struct data *data);

/* Loads an experiment directory, with its descendants, or every experiment of a group file (.erg). What was loaded before
   stays, and is not loaded again, by whatever path it is reached: an experiment counts once. False if nothing could be loaded.
   True with error->text not empty: some members could not be. Warnings (damage, not closed) are for `header`. */
bool data_load(struct data *data, const char *path, struct error *error);

/* As data_load(), with a file of another tool (room import), as experiments of counters: one for each process. Folded stacks have
   one counter, "folded"; with two counts in every line they become two experiments. */
bool data_import(struct data *data, const char *path, struct error *error);

/* Whether an experiment is loaded by itself that lies inside the directory, which must come before it: founders bring their
   descendants. */
bool data_has_descendant_of(const struct data *data, const char *path);

/* The index of an address; added when new (which may move data->addresses). */
uint32_t data_address(struct data *data, uint32_t object, uint64_t offset);

/* The stack as its thread had it. */
static inline uint32_t data_native_stack(const struct data *data, uint32_t stack)
{
	return data->stacks[stack].native ? data->stacks[stack].native : stack;
}
/* The index of the stack that has another address at its leaf; added when new (which may move data->stacks). */
uint32_t data_stack_at(struct data *data, uint32_t stack, uint32_t address);
/* The index of the stack of a callee at this address, with these flags; added when new (which may move data->stacks). */
uint32_t data_stack_on(struct data *data, uint32_t caller, uint32_t address, uint32_t flags);
/* Events have the stacks that they were recorded with, from now on: neither tick_stacks nor timed_stacks. */
void data_forget_placed_stacks(struct data *data);
/* The root of a thread whose stack is complete; added when new (which may move data->stacks). */
uint32_t data_thread_root(struct data *data);

/* The load object of a segment that the experiment of this index had mapped; added when new (which may move data->objects). */
uint32_t data_segment_object(struct data *data, uint32_t experiment, const struct mapped_segment *segment);

/* The name behind a number of io_files_name; 0: 0. */
const char *data_io_file(const struct data *data, uint32_t name);

/* A function of an OBJECT_DYNAMIC; what is not known of it is 0. */
struct dynamic_function {
	uint64_t start, size;
	const char *name, *alias, *source;
	const unsigned char *code;  /* `size` bytes */
	const unsigned char *lines; /* pairs of 32-bit numbers, little-endian: offset, source line */
	uint64_t line_count;
	uint32_t first_line; /* 0: that of its start */
	const struct code_blocks *blocks;
};
/* The source line of an address in it; 0: not known. */
uint32_t dynamic_function_line(const struct dynamic_function *function, uint64_t address);
/* The one that holds the absolute address, or 0. */
const struct dynamic_function *data_dynamic_function(const struct data *data, uint32_t object, uint64_t address);

/* Where the experiments' archives hold a copy of a source file, by its absolute path as the debug information gives it; 0
   if none does. The caller frees it. */
char *data_archived_source(const struct data *data, const char *path);

/* A batch of one experiment's events of one kind, stacks and times already global. */
struct data_batch {
	const struct loaded_experiment *experiment;
	const struct event_source *source;
	uint32_t count;
	const uint64_t *time; /* ns since the founder's start */
	const uint32_t *thread, *cpu;
	const uint32_t *stack; /* index in data->stacks */
	uint64_t
		now; /* of data_visit_in_turn() and data_visit_kinds_in_time(): no event that has not been visited is earlier */
	uint32_t group; /* which of the groups that a filter tells apart all of them are of, from 1; 0: not told */
	const uint64_t
		*field[FIELDS_MAX]; /* by our kind table's order (FIELD_INDEX); a field the file lacks is zeros */
};
typedef void data_visitor(void *context, const struct data_batch *batch);
/* Decodes all events of a kind, in file order, block by block. */
void data_visit(struct data *data, enum kind kind, data_visitor *visitor, void *context);
/* Decodes them in no order, for sums: as many threads as data_visit_workers() said visit different blocks at once, each with a
   context of its own. */
unsigned data_visit_workers(const struct data *data, enum kind kind);
void data_visit_apart(struct data *data, enum kind kind, data_visitor *visitor, void *const *contexts);
/* As data_visit(), but the events of each experiment in the order of time, over all its threads: batches are parts of blocks. */
void data_visit_in_time(struct data *data, enum kind kind, data_visitor *visitor, void *context);
/* As that does, and the experiments take turns: what happened at about the same time comes at about the same time. */
void data_visit_in_turn(struct data *data, enum kind kind, data_visitor *visitor, void *context);
/* The events of several kinds of one experiment, all in the order of time; at one time, by kind, in the order given. A batch's
   source says of which kind it is. */
void data_visit_kinds_in_time(struct data *data, uint32_t experiment, const enum kind *kinds, unsigned kind_count,
	data_visitor *visitor, void *context);
/* As data_visit_in_time(), but the order of time is only that of each thread's own events. All of a batch are of one thread, and
   batches of several threads alternate: this is faster where many threads ran at once. */
void data_visit_threads_in_time(struct data *data, enum kind kind, data_visitor *visitor, void *context);

/* The command line of what a founder recorded: its own process's, or, of one that has no process (ranks of MPI), that of the first
   descendant; "" if none is known. The data's. */
const char *data_command(const struct data *data, uint32_t founder);

#endif
