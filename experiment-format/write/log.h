/* SPDX-License-Identifier: Apache-2.0 */
/* Appending lines to log.xml and map.xml. One element a line, one write(2) with O_APPEND a line, so that
   several writers and a kill at any moment leave whole lines; readers close the root element themselves. No
   malloc, no stdio. Used by collect (founder, before and after the run) and by libcollector (everything
   else). */
#ifndef LOG_H
#define LOG_H

#include "experiment_directory.h"
#include "layout.h"
#include "settings.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_LINE_MAX 16384

/* A line under construction: <element a="..." b="...">text</element>. Values are escaped; control characters
   and bytes that are not UTF-8 are written so that log_unescape() of the reader gives them back (FORMAT.md,
   "Text in XML"). */
struct log_line {
	char text[LOG_LINE_MAX];
	size_t size;
	bool cut; /* something did not fit and was left out */
	const char *element;
	bool has_children;
};
/* `element` and attribute names are string constants in XML's syntax. */
void log_begin(struct log_line *line, const char *element);
void log_text_attribute(struct log_line *line, const char *name, const char *value);
void log_number_attribute(struct log_line *line, const char *name, uint64_t value);
void log_hex_attribute(struct log_line *line, const char *name, uint64_t value);
/* seconds.nanoseconds since the experiment's start */
void log_time_attribute(struct log_line *line, const char *name, uint64_t nanoseconds);
/* raw=, monotonic=, realtime=: in any element of log.xml they say the three clocks at one moment. The reader
   takes the last as the experiment's end: the close event carries them. */
void log_triple_attributes(struct log_line *line, const struct time_triple *triple);
/* Goes on with a child element: the attributes that follow are the child's. Children have no content and no
 * children. */
void log_child(struct log_line *line, const char *element);
/* Closes the element, with text content if `content` is not 0 (and there are no children), and appends the
   line to DIRECTORY/FILE. Returns 0 or an errno value. */
int log_end(struct log_line *line, const char *content, struct experiment_directory *directory, const char *file);

/* Appends whole lines that were composed otherwise. Async-signal-safe. 0 or an errno value. */
int log_append(struct experiment_directory *directory, const char *file, const char *bytes, size_t size);

/* A line of log.xml: this process has waited for the end of the child PID, which used `cpu` nanoseconds, with all that it
   had waited for. `time`: nanoseconds since the experiment's start. Async-signal-safe, as programs wait in handlers. 0 or
   an errno value. */
int log_write_waited(struct experiment_directory *directory, uint64_t time, uint64_t pid, uint64_t cpu);

/* Creates log.xml and map.xml with their roots. 0 or an errno value. */
int log_create(struct experiment_directory *directory);

/* Keeps the lines for that file in memory from here on, until log_write_gathered() writes them by one call, to the file opened
   with these flags as well (O_CREAT), and holds it open. Of one file at a time, while no other thread and no handler writes to it.
   0 or an errno value: of the file, or of lines that did not fit into the memory and were written before. */
void log_gather(struct experiment_directory *directory, const char *file, int flags);
int log_write_gathered(void);
/* The start of log.xml or map.xml. With `founders_head` the host, the settings and the kinds are those that the founder's log.xml
   has, and log_write_system() is not to be called. 0 or an errno value. */
int log_write_root(struct experiment_directory *directory, const char *file, bool founders_head);
/* The line that says when the experiment began. 0 or an errno value. */
int log_write_start(struct experiment_directory *directory, const struct time_triple *start);
/* Holds both open, for lines to be written when they cannot be opened any more. */
void log_hold(struct experiment_directory *directory);

/* The lines that every experiment begins with: host, CPUs, boot, settings, kinds, start triple. 0 or errno.
   Not reentrant, like log_write_process: their buffers are static, because stacks of targets may be small. */
int log_write_system(
	struct experiment_directory *directory, const struct settings *settings, const struct time_triple *start);
/* The line about the calling process: pid, ppid, pgrp, sid, cwd, word size, command line, executable. 0 or
 * errno. */
int log_write_process(struct experiment_directory *directory);

/* The file of the program that this process runs: asked of the kernel once in an image, as each file of a new process in /proc
   costs more than its text; the child of a fork has its parent's. "": no /proc. */
const char *process_executable(void);

/* A stretch of code that is mapped, for map.xml. See struct mapped_segment of the reader. */
struct map_segment {
	uint64_t address, size, file_offset;
	uint64_t file_address; /* ELF virtual address that `address` corresponds to (address - load bias) */
	uint32_t generation;   /* capture_generation() */
	uint64_t time;         /* ns since the experiment's start */
	const char *path;      /* absolute; "[vdso]"; "[perf-map]" */
	const char *build_id;  /* hex, or 0 */
	const char *checksum;  /* of the file's identity: "size:mtime", or 0 */
};
/* One line of map.xml, built in `line`: the segment is mapped from now on. 0 or errno. */
int log_write_map(struct log_line *line, struct experiment_directory *directory, const struct map_segment *segment);
/* The object that was mapped at `address` (of a line written before) is gone since `generation` and `time`. 0 or errno.
 */
int log_write_unmap(struct log_line *line, struct experiment_directory *directory, uint64_t address,
	uint32_t generation, uint64_t time);

/* Code that the program made and named: func_load of map.xml. */
struct map_function {
	uint64_t address, size;
	uint32_t generation;
	uint64_t time;
	const char *name, *alias, *source;  /* the last two may be 0 */
	uint64_t code_offset, lines_offset; /* in the file of announced code; UINT64_MAX: not there */
	uint64_t lines_size;                /* bytes */
};
/* Lines of map.xml, as above: the function is there, the one at `address` is gone, and what the first `count` such lines of
   another process's map.xml made is there from the start. 0 or errno. */
int log_write_function(
	struct log_line *line, struct experiment_directory *directory, const struct map_function *function);
int log_write_function_gone(struct log_line *line, struct experiment_directory *directory, uint64_t address,
	uint32_t generation, uint64_t time);
int log_write_functions_inherited(
	struct log_line *line, struct experiment_directory *directory, const char *lineage, uint64_t count);

#endif
