/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of code addresses: functions, source lines, inlined calls, instructions, names. Knows nothing of events or
   metrics. Each load object is parsed once, when an address of it is first asked for; only what is asked for is resolved. */
#ifndef RESOLVER_H
#define RESOLVER_H

#include "code_file.h"
#include "data.h"
#include "data_variable.h"
#include "error.h"
#include "omp_state.h"
#include <stdbool.h>
#include <stdint.h>

enum { NO_LINE = 0 };

/* Functions, files and lines have stable indexes: equal things have equal indexes. Whatever resolves an address or searches
   may add new ones at the end; the structures that were returned before stay where they are, but a source_line may move. */
struct function {
	const char *mangled;    /* linkage name; for code without a symbol "<static>@0x1234 (<lib.so>)" */
	const char *long_name;  /* demangled with arguments */
	const char *short_name; /* demangled without arguments */
	uint32_t object;        /* of data->objects */
	uint32_t file;          /* source file that defines it; 0 = not known. Same names are kept apart by it */
	uint64_t start, size;   /* in its object; 0, 0 for a function that exists only inlined */
	uint32_t first_line;    /* declaration line or 0 */
	bool artificial;        /* <Total>, <Unknown>, ...: no source, no disassembly */
	bool written; /* it has no linkage name: `mangled` and its short name were made of its debug information */
	/* A compiler made it of a parallel region or task in this function, or in one inlined into this: then its names say so.
	   0: it did not, or it is not known to. */
	uint32_t outlined_of;
	const char *outlined_long, *outlined_short;
	bool wraps; /* it does nothing but call the one with the region or task */
};
struct source_line {
	uint32_t function;
	uint32_t file; /* index for resolver_file(); 0 = not known */
	uint32_t line; /* 0 = not known: "<Function: f, instructions without line numbers>" */
};
/* One frame of the user's model at an address: physical function outermost, inlined ones inside it. */
struct frame {
	uint32_t function;
	uint32_t own;  /* the same in its own build: where the code is */
	uint32_t line; /* index of a source_line (0: none): for a caller frame the line of the (inlined) call itself */
	uint32_t address; /* data->addresses index: pc of the instruction (for a call site: of the call's last byte) */
	bool inlined;
	bool kernel;   /* the kernel's code */
	bool run_time; /* between a region's begin and the code of the region: STACK_RUN_TIME, or it `wraps` */
};
#define FRAMES_MAX 64 /* of one address */

/* Artificial functions, with fixed indexes; each is the function of the line with the same index. */
enum {
	FUNCTION_TOTAL,
	FUNCTION_UNKNOWN,
	FUNCTION_TRUNCATED,
	FUNCTION_UNWIND_FAILED,
	FUNCTION_NO_STACK,
	FUNCTION_UNRELATED,
	FUNCTION_COLLECTOR,
	FUNCTION_START,
	FUNCTION_WOKEN,                /* between a stack that waited and, on it, that of who ended the wait */
	FUNCTION_STATES,               /* from here on one for each state of a thread (kinds.def: OFFCPU, state) */
	FUNCTION_OMP = FUNCTION_STATES /* from here on one for each state of omp_state.h */
#define STATE_FUNCTION(value, name, ...) +1
#include "state_functions.def"
	,
	FUNCTION_FIRST_REAL = FUNCTION_OMP + OMP_STATES
};

/* The function that stands for the end of a stack (enum root_kind, ROOT_UNRELATED and those after it); FUNCTION_TOTAL: none does.
   */
static inline uint32_t resolver_root_function(uint32_t root)
{
	return root == ROOT_TRUNCATED       ? FUNCTION_TRUNCATED
	       : root == ROOT_FAILED        ? FUNCTION_UNWIND_FAILED
	       : root == ROOT_UNRELATED     ? FUNCTION_UNRELATED
	       : root == ROOT_COLLECTOR     ? FUNCTION_COLLECTOR
	       : root == ROOT_PROCESS_START ? FUNCTION_START
					    : FUNCTION_TOTAL;
}

struct resolver;
struct resolver *resolver_create(struct data *data);
void resolver_destroy(struct resolver *resolver);

/* Whether what is not on this machine is fetched from the servers of DEBUGINFOD_URLS; off unless asked for. For objects that
   have not been read yet. */
void resolver_set_debuginfod(struct resolver *resolver, bool on);
#define KEPT_NAMES_LIMIT (256ull << 20)
/* How many bytes of names and lines are kept for the next er_print (kept_names.h); 0: none are, and none are used. For objects that
   have not been read yet. */
void resolver_keep_names(struct resolver *resolver, uint64_t limit);
/* Where files that were recorded under other names are looked for; kept by the caller. 0: under their recorded names. For
   objects that have not been read yet. */
struct search_path;
void resolver_set_search_path(struct resolver *resolver, const struct search_path *path);

/* Whether functions of several builds of one load object are shown by themselves; else those with one name and source file are
   one function, the first that was met. What was asked for before is not changed by it. */
void resolver_set_builds_apart(struct resolver *resolver, bool apart);
/* The load object that an object is shown as: the first of its builds, or itself; and how many builds that has, in *builds
   unless 0. */
uint32_t resolver_shown_object(const struct resolver *resolver, uint32_t object, uint32_t *builds);
/* As resolver_shown_object(), of a function's object. */
uint32_t resolver_function_object(const struct resolver *resolver, uint32_t function);
/* The next of the functions that are shown as the same as this one, which is the first or came from here; 0: no more. */
uint32_t resolver_next_build(const struct resolver *resolver, uint32_t function);

/* The frames at a stack's leaf address, innermost (the leaf-most inlined function) first. `stack` indexes data->stacks: a
   return address is looked up as its call (address - 1), an exact pc as itself. At least one frame. STACK_REVERSED: the other way
   round. */
unsigned resolver_frames(struct resolver *resolver, uint32_t stack, struct frame frames[FRAMES_MAX]);
/* As resolver_frames(), for an address that belongs to no stack (disassembly): exact. The frames' `address` is UINT32_MAX. */
unsigned resolver_address_frames(
	struct resolver *resolver, uint32_t object, uint64_t offset, struct frame frames[FRAMES_MAX]);

/* Charges clock ticks to the instruction that the thread spent its time on, which is the one before where the interrupt found
   it (charged_instruction.h): fills data->tick_stacks, for all stacks that are there. */
void resolver_place_ticks(struct resolver *resolver);

/* Finds out which functions are parallel regions or tasks of others, by all stacks that are there; or by one with such a function
   at its leaf, of a task or of a region. Only functions that are found here are shown as what they are. */
void resolver_name_regions(struct resolver *resolver);
void resolver_name_region(struct resolver *resolver, uint32_t stack, bool task);

/* A frame for all code of a load object: an artificial function with the object's name, without address. */
void resolver_object_frame(struct resolver *resolver, uint32_t object, struct frame *frame);

uint32_t resolver_function_count(const struct resolver *resolver);
const struct function *resolver_function(const struct resolver *resolver, uint32_t function);
/* Whether a user may call it so. */
bool function_has_name(const struct function *function, const char *name);
/* The other name that the program gave to code that it announced; "" if it gave none. */
const char *resolver_function_alias(const struct resolver *resolver, uint32_t function);
uint32_t resolver_line_count(const struct resolver *resolver);
const struct source_line *resolver_line(const struct resolver *resolver, uint32_t line);
uint32_t resolver_file_count(const struct resolver *resolver);
/* As recorded in the debug information, made absolute with the compilation directory. "" for index 0. */
const char *resolver_file(const struct resolver *resolver, uint32_t file);
/* Where the file can be read now, or 0. */
const char *resolver_file_found(struct resolver *resolver, uint32_t file);

/* Whether the file that would be read was changed after the object was built, so that its lines may be others. Never of a copy
   in the experiment. */
bool resolver_file_is_newer(struct resolver *resolver, uint32_t file, uint32_t object);

/* Whether the object's file has anything at a virtual address, code or data. */
bool resolver_object_holds(struct resolver *resolver, uint32_t object, uint64_t offset);
/* Where in the object's file the bytes of a virtual address are; the address itself where the file does not say. */
uint64_t resolver_file_offset(struct resolver *resolver, uint32_t object, uint64_t address);
/* The variable that is there, by symbols and debug information; 0 if neither says so. The resolver's; it never moves. */
const struct data_variable *resolver_variable(struct resolver *resolver, uint32_t object, uint64_t offset);

/* Whether an object's files are there; nothing in them is read. FILE_FOUND of an object that is no file. */
enum code_file resolver_object_file(struct resolver *resolver, uint32_t object);
/* The result of reading an object, for `objects`: "" or a warning ("build-id differs", "not found", "no symbols"). */
const char *resolver_object_remark(struct resolver *resolver, uint32_t object);
/* Base name in angle brackets, "<libc.so.6>". */
const char *resolver_object_name(struct resolver *resolver, uint32_t object);

/* The functions with this name (mangled, long or short), sorted by object and start address: those that have been met, or
   when none has, those of every symbol table; one for all builds that are shown as one. The returned array is the caller's to
   free, 0 when *count is 0. */
uint32_t *resolver_functions_named(struct resolver *resolver, const char *name, uint32_t *count);
/* The functions that `file` defines, sorted by first line: index lines of an annotated source. The caller frees. */
uint32_t *resolver_functions_of_file(struct resolver *resolver, uint32_t file, uint32_t *count);
/* The numbers of the lines of `file` that code was made from, ascending, in the objects that have been read. The caller
   frees. */
uint32_t *resolver_code_lines(struct resolver *resolver, uint32_t file, uint32_t *count);

/* One instruction. Returns its size in bytes, 0 at the end or if the object cannot be disassembled (*error says why). */
struct instruction {
	uint64_t offset;
	unsigned size;
	char text[256];
};
unsigned resolver_disassemble(struct resolver *resolver, uint32_t object, uint64_t offset, uint64_t end,
	struct instruction *instruction, struct error *error);

#endif
