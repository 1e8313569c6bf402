/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one thread of the target. Its memory is recycled at thread exit, never freed (target/threads/). */
#ifndef THREAD_H
#define THREAD_H

#include "counted_time.h"
#include "event_stream.h"
#include "kinds.h"
#include "overflow_counter.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct thread_stacks;
struct thread_counters;
struct thread_readings;
struct thread_gates;
struct open_team;
struct task_run;

/* CPU time in nanoseconds. */
struct recorded_time {
	uint64_t user, system;
};

struct thread_clock {
	int busy;              /* atomic: 1 while a tick is recorded, and for ever once the closing thread took over */
	int descriptor;        /* atomic: perf event, or -1 (its number moves if the target takes it) */
	int signal_descriptor; /* the number that its signals carry */
	void *ring;            /* its ring, or 0: user and kernel ticks are not told apart */
	bool first;            /* the first tick is still to come: its interval is a random part of the interval */
	bool paused;           /* time since the last reading is not recorded (target/control/recording.h) */
	bool timer_made;
	bool second; /* the timer is beside a perf event (kinds/clock/second_timer.h) */
	/* When that timer last found the thread in the kernel: its CPU and system time in ns, and page faults. */
	uint64_t second_hit, second_system, second_faults;
	bool thin;                       /* its source is the timer for now (struct thread_switches) */
	int timer;                       /* kernel's timer id (0 is one) */
	uint32_t source;                 /* kinds.def: STATE(THREAD, clock) */
	uint64_t resolution;             /* its finest interval between ticks in nanoseconds; 0 without one */
	uint64_t last_cpu;               /* CLOCK_THREAD_CPUTIME_ID at the previous tick, ns */
	uint64_t last_user, last_system; /* what of it was user and system time: their sum is last_cpu */
	uint64_t last_account;           /* last_cpu when the accounting was read last; 0: read it at the next tick */
	uint64_t pending_user, pending_system; /* not yet given to a tick of that mode */
	uint64_t
		handling; /* what of the system time was for handling ticks that hit user mode, not yet given to such */
	uint32_t last_stack;
	uint32_t last_user_stack, last_system_stack;
	uint64_t ticks, missed;
	uint64_t passed_over; /* ticks that pauses left out */
	uint64_t tick_time;   /* raw time of the last tick */
	uint64_t unclocked;   /* CPU time of the target before there could be ticks, ns */
};

/* Its states (kinds/offcpu/). Times are CLOCK_MONOTONIC in nanoseconds. */
struct thread_switches {
	/* How they are known: the kernel records its context switches, or its calls that may wait are timed. */
	enum states_source { STATES_NOT_KNOWN, STATES_BY_SWITCHES, STATES_BY_CALLS } source;
	int busy;       /* atomic: 1 while they are read, and for ever once the closing thread took over */
	int descriptor; /* atomic: perf event, or -1 (its number moves if the target takes it) */
	void *ring;     /* 0: they are not recorded */
	unsigned ring_pages;
	uint64_t out;    /* when it was switched out and not yet in again; 0: it runs */
	uint64_t out_at; /* where that is recorded */
	bool preempted;  /* it could have run on */
	/* The signal after page faults that waited (fault_signal.h). */
	int faults;        /* atomic: perf event, or -1 */
	int faults_signal; /* its number when it was told to send them */
	bool faults_tried;
	/* The kernel's records of the threads that it wakes and of where it waits (own_calls.h); 0: there is none. */
	struct late_samples *wakings, *places;
	enum { OWN_CALLS_CLOSED, OWN_CALLS_TRIED, OWN_CALLS_RESTING } own_calls;
	/* The call that it makes now and that may wait. */
	unsigned waiting;  /* its state if it is switched out; 0: it makes none */
	const void *frame; /* of the call's wrapper */
	uint64_t begun;    /* where the record of its switches ended when it began, or raw time; 0: it is not timed */
	uint64_t object;   /* that it is counted as waiting for (waiters.h); 0: none */
	uint64_t
		polled; /* of a call that waits for many: the object that ended it; 0: not known; OBJECT_POLLED: it slept */
	/* The kernel's account of its time on the run queue (run_delay.h). */
	int delays;          /* atomic: descriptor, or -1 */
	uint64_t delay;      /* of that time, what is recorded already */
	uint64_t delay_read; /* when the account was read last */
	/* The time that is not recorded yet. */
	uint64_t from, from_cpu;           /* since when, and its CPU time then */
	uint64_t off;                      /* time off the CPU since */
	uint64_t ended;                    /* raw time of the last reading at the thread's end; 0: there was none */
	uint64_t ended_cpu;                /* CPU time then */
	struct thread_lateness {           /* kinds/offcpu/lateness.h */
		uint64_t nanoseconds;      /* by which the records of its switches in are late */
		uint64_t since, cpu_since; /* since when it is learned anew, and its CPU time then */
		uint64_t off, intervals;   /* time off the CPU since, and in how many intervals */
		int64_t owed;              /* by which recorded intervals are too long; the next ones make up for it */
	} lateness;
	/* The process's stops (kinds/offcpu/stops.h). */
	uint64_t stop;        /* number of the one that is looked at next */
	uint64_t stops_until; /* where calls are timed: until when stops are recorded */
	/* Thinning. */
	bool thin;     /* it switches too often: its switches are not recorded for now, and its clock is its timer */
	unsigned calm; /* ticks since it has switched too often last, for its switches or for own_calls.h */
	uint64_t looked_at;   /* how often it had switched at the last look */
	uint64_t looked_time; /* when that was */
};

enum thread_life { THREAD_FREE, THREAD_STARTING, THREAD_LIVE };

struct thread {
	uint32_t number; /* in this process, from 1, in order of creation; never reused */
	pid_t tid;
	uintptr_t stack_low, stack_high; /* bounds of its stack; 0, 0: not known */
	int inside;                      /* > 0: our own code runs in this thread: see guard.h */
	bool ending;                   /* atomic: somebody, this thread or the closing one, takes what is left of it */
	bool paused;                   /* atomic: the program asked for it (target/control/recording.h) */
	bool target_blocks_our_signal; /* what the target believes of our signal in its mask (target/signals/) */
	bool elsewhere; /* in our handler: its thread-local storage is not libc's now (target/signals/) */
	struct thread_began {
		uint64_t monotonic, cpu;
	} began;                       /* when its recording began, in nanoseconds, and its CPU time then */
	struct recorded_time recorded; /* CPU time of the thread that is recorded already */
	uint64_t own_since; /* its CPU time since when what it does is the collector's beginning or end; 0: it is not */
	uintptr_t held_at;  /* stack address of the wait for which our signal is blocked; 0: none (target/signals/) */
	uint64_t held_control; /* the user's signals that are blocked with it */
	struct thread_stacks *stacks;
	struct event_stream streams[KIND_COUNT];
	struct thread_heap {
		bool nested;               /* a handler of the target that interrupted a recording is recorded itself */
		bool release_left_out;     /* the release before was not recorded, which a `kept` would take back */
		uint64_t last_allocated;   /* block whose allocation was recorded last, or 0 */
		uint64_t releasing;        /* block whose release is recorded already and goes on, or 0 */
		struct event_stream other; /* of such handlers */
		struct counted_time time;
	} heap;
	uint64_t sums[SUM_COUNT]; /* of what the kinds have seen (own_counters.def); times are raw time */
	struct thread_clock clock;
	struct thread_switches switches;
	uint64_t short_waits;  /* atomic: calls below the threshold that are not in the counters yet (kinds/sync/) */
	uint64_t region;       /* the parallel region that it works in, the innermost; 0: in none (kinds/openmp/) */
	struct task_run *task; /* in that region, the innermost; 0: none */
	uint32_t joined_depth; /* frames that its stacks stand on, where they stand on another one's (struct joined) */
	uint64_t task_left;    /* raw time when it left one, which may end there; 0: it did */
	uint64_t task_numbers; /* the last number of a task that it used */
	uintptr_t deep_at;     /* a frame address at which its stack is deep (openmp_is_unplaced()); 0: none is known */
	unsigned deep_tasks;   /* so many tasks have found that */
	/* Tasks that it created and that are not in the tallies yet. */
	unsigned tasks_unplaced, tasks_left_out;
	uint64_t waited;  /* raw time for which it has waited in that region, or that task (kinds/openmp/wait.h) */
	const void *body; /* the function of that region, or that task, if its stacks stand on the join; 0: not known */
	struct region_wait {
		uint64_t call;      /* the code after the call that waits */
		uint64_t function;  /* or, where it is not on the stack any more, who waits; else 0 */
		unsigned construct; /* kinds.def: OPENMP, construct; 0: it does not wait */
	} waits_at;                 /* in a parallel region, for its stacks */
	struct omp_wait *wait;      /* that it is in; 0: none */
	struct wait_room *waits;    /* what is kept of others; 0: none yet */
	unsigned told_waits; /* so many have begun, whose ends are told by another call (kinds/openmp/ompt_waits.c) */
	bool region_told;    /* the region that it begins, or task that it creates, is recorded already */
	struct open_team *open_teams; /* of regions that it began and is to end by another call, the innermost first */
	unsigned untold_teams;        /* so many of those that it began after them are not recorded */
	uint64_t waits_begun;         /* atomic: waits that have not ended, one in another's handler (kinds/sync/) */
	struct thread *next;          /* in the list of all; this and what follows outlive the thread */
	int live;                     /* atomic: enum thread_life */
	struct kept_memory { /* for the environment of an image that a vfork child execs (target/follow/departure.c) */
		void *memory;
		size_t size;
		int user; /* process that uses it; a vfork child that used it is gone when its parent runs again */
	} kept;
	struct thread_counters *counters; /* 0 until counters are wanted (kinds/counters/) */
	struct thread_readings *readings; /* 0 until clock ticks are to read counters (kinds/counters/) */
	const struct thread_gates *gates; /* what a handler of ours stops around its work; 0: nothing */
};

/* The calling thread's state; 0 before it was seen and after its end (threads.h). */
extern __thread struct thread *current_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
