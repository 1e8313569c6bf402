/* SPDX-License-Identifier: Apache-2.0 */
/* Writing whole experiments from a test, by the format's own writer: exact times, stacks and events of any kind, also of
   kinds and fields that kinds.def does not have. What goes wrong ends the program with a line that says so.

	struct synthetic *s = synthetic_begin("test.er");
	synthetic_map_object(s, 0x400000, 0x10000, 0x1000, 0x401000, "/bin/app");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x400100, 0x400200}, 2, 0);   (main, then what it called)
	synthetic_clock(s, 1, 10000000, stack, 10007000, 0);
	synthetic_end(s);

   Times are nanoseconds since the experiment's start. Not thread-safe; several experiments may be open at a time. */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include "kinds.h"
#include "layout.h"
#include "mpi_file.h"
#include "settings.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct synthetic;

/* The start of every synthetic experiment that does not say otherwise: 2026-01-02 03:04:05 UTC. */
#define SYNTHETIC_REALTIME  1767323045000000000ull
#define SYNTHETIC_MONOTONIC 5000000000000ull

/* Creates the directory (a descendant's inside its founder's) and the experiment in it, with default settings and raw time
   in nanoseconds. The process is the caller's. */
struct synthetic *synthetic_begin(const char *path);
/* As synthetic_begin(), with settings, and raw time that runs at `ticks_per_second` (settings->time_source says which clock it
   is) from `start`. */
struct synthetic *synthetic_begin_with(
	const char *path, const struct settings *settings, double ticks_per_second, struct time_triple start);

/* A load object's code is mapped now, from the moment `time` of the last event or of synthetic_time. */
void synthetic_map_object(struct synthetic *s, uint64_t address, uint64_t size, uint64_t file_offset,
	uint64_t file_address, const char *path);
/* Likewise with the object's identity as the collector notes it; 0: none. */
void synthetic_map_identified(struct synthetic *s, uint64_t address, uint64_t size, uint64_t file_offset,
	uint64_t file_address, const char *path, const char *build_id, const char *checksum);
/* The object mapped at `address` is gone: later stacks are of a new generation. */
void synthetic_unmap(struct synthetic *s, uint64_t address);

/* A stack of `count` frames, the outermost caller first. The leaf is exact, callers are return addresses. Equal stacks
   have equal ids. */
enum {
	SYNTHETIC_TRUNCATED = 1,     /* ends at the depth limit instead of the thread's start */
	SYNTHETIC_FAILED = 2,        /* ends where the walk failed */
	SYNTHETIC_HEURISTIC = 4,     /* all frames but the leaf were guessed */
	SYNTHETIC_RETURN_ADDRESS = 8 /* the leaf is a return address too */
};
uint32_t synthetic_stack(struct synthetic *s, const uint64_t *pcs, unsigned count, unsigned flags);
/* One frame more below a stack (0: a fresh root), with layout.h's NODE_ flags. */
uint32_t synthetic_node(struct synthetic *s, uint64_t pc, uint32_t parent, uint16_t flags);

/* A kind by its description's "field" and "state" lines (FORMAT.md, "Descriptions"), before its first event: a new one, or
   one of kinds.def as an older or later collector would describe it. Returns what synthetic_event takes as kind. */
unsigned synthetic_kind(struct synthetic *s, const char *name, const char *title, const char *field_lines);

/* An event with all the fields of its kind (an enum kind, or of synthetic_kind). */
void synthetic_event(
	struct synthetic *s, unsigned kind, uint32_t thread, uint64_t time, uint32_t stack, const uint64_t *fields);
/* A clock event of known mode: user if it has user time. */
void synthetic_clock(
	struct synthetic *s, uint32_t thread, uint64_t time, uint32_t stack, uint64_t user, uint64_t system);
/* The CPU of the events that follow. */
void synthetic_cpu(struct synthetic *s, uint32_t cpu);
/* The thread is over: its blocks are handed to others. */
void synthetic_thread_end(struct synthetic *s, uint32_t thread);

/* Adds to a tally. */
void synthetic_count(struct synthetic *s, enum tally tally, uint64_t n);
/* A log.xml event: kind and text as in FORMAT.md; text 0: none. */
void synthetic_log(struct synthetic *s, const char *kind, uint64_t time, const char *text);
/* Likewise with attributes: "NAME=VALUE NAME=VALUE", without blanks in them. */
void synthetic_log_with(struct synthetic *s, const char *kind, uint64_t time, const char *attributes, const char *text);
/* The time of what is logged and mapped from here on, if no event moves it. */
void synthetic_time(struct synthetic *s, uint64_t time);

/* The MPI functions, numbered from 0 in this order; their totals are 0. */
void synthetic_mpi(struct synthetic *s, const struct mpi_named *functions, unsigned count);

/* Ends the experiment as the collector does, with a close event at `synthetic_time` or the last event. */
void synthetic_end(struct synthetic *s);
/* Leaves it as SIGKILL would: blocks unsealed, no close event. */
void synthetic_kill(struct synthetic *s);

#endif
