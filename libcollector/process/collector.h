/* SPDX-License-Identifier: Apache-2.0 */
/* The collector inside one process: its one state and its life: constructor -> recording -> closed.
   Everything of this library is preloaded into other people's programs: see guard.h for the rules. */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include "event_file.h"
#include "kinds.h"
#include "layout.h"
#include "own_use.h"
#include "settings.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

struct collector {
	/* Atomic: 1 while this process is recorded. The kernel clears it in every child of a fork, also of one that libc does
	   not see, so that no copy of this memory writes into the parent's blocks. 0: not yet. */
	int *recording;
	bool opened; /* there is an experiment; of another process, if this memory is a copy */
	struct settings settings;
	struct experiment_directory directory; /* of this process's experiment */
	struct experiment_directory
		founder;   /* of the founder's; descendants are made in it, whatever the root directory */
	char lineage[256]; /* "" for the founder, "_f1_x1" */
	uint64_t spawned;  /* number of the spawning of an MPI rank; 0: none */
	struct event_file files[KIND_COUNT];
	struct event_file stacks;
	uint64_t *tallies; /* TALLY_COUNT of them, shared mapping; never 0 while recording */
	struct time_triple start;
	struct recorded_time recorded; /* CPU time of the first thread that images before this one have recorded */
	uint64_t
		own_since; /* CPU time of the first thread at which the collector began its work in this image or process */
	struct own_use_span own_start; /* the collector's beginning in this image or process */
	bool starting;                 /* it has not ended */
	bool ending;                   /* the process is about to end */
	bool traced;                   /* by a debugger, which our signals would stop: there are none of them */
	bool carried;                  /* not recorded, as -F =regex asks; but the processes that it starts may be */
	bool unfollowed;               /* not recorded, as -F off asks: a fork child. Its log lines are the founder's */
	int process;                   /* pid that this state is of; a fork child sees another getpid() */
};
extern struct collector collector;

static inline bool collector_recording(void)
{
	return collector.recording && __atomic_load_n(collector.recording, __ATOMIC_RELAXED);
}

/* Adds to one of tallies.def's numbers. Async-signal-safe. */
static inline void count(enum tally tally, uint64_t n)
{
	if (collector.tallies)
		__atomic_fetch_add(&collector.tallies[tally], n, __ATOMIC_RELAXED);
}

/* Raw time, and the three clocks at once (time.c). Async-signal-safe, no system call for TSC and vdso clocks. */
uint64_t time_raw(void);
void time_now(struct time_triple *now);
/* Raw time of a moment between the process's start and `now`: both clocks run at a constant rate. */
uint64_t time_raw_at(uint64_t monotonic, const struct time_triple *now);
/* Raw time that so many nanoseconds are; 0: too little has passed since the process's start to know the rate. */
uint64_t time_raw_of(uint64_t nanoseconds, const struct time_triple *now);
/* Nanoseconds that so much raw time is, likewise. */
uint64_t time_nanoseconds_of(uint64_t raw, const struct time_triple *now);
/* The calling thread is about to forbid itself the processor's counter (PR_SET_TSC). Raw time goes on without it there. */
void time_forbid_counter(void);

/* Whether the calling process is the one that this memory's recording is about: not a vfork child, which shares the memory
   of its parent, nor the child of a bare system call, which has a copy. */
bool collector_is_recorded_process(void);

/* One line in the founder's log about this process, which has none of its own. `name`: of the program that it runs or is about
   to; 0: the one that the kernel was given. `code`: an errno value, or 0. */
void collector_tell_founder(const char *kind, const char *name, const char *text, int code);

/* Says in the founder's log, which is all that is known to exist, why this process is not recorded. Returns false. */
bool collector_refuse(const char *what, int code);

/* One comment/warning/error line in log.xml: <event kind="cwarn" id=.. >text</event>. Not in handlers. */
void collector_log(const char *kind, const char *text);

#endif
