/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the time that is recorded: all of it, or what -t (a window), -y (pause and resume by a signal), -L (a size) and the
   program itself (collectorAPI.h) leave.
   Nothing runs for it in the target: each tick asks whether it is to be recorded. A tick counts as a whole, so that a
   thread's time is cut at both ends of a pause to within one interval. */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* From the constructor: who had paused the image that exec'd or spawned this one, 0: nobody; in a fork child what its parent
   had stays. */
void recording_begin_paused(unsigned by);
/* The pausers, -y's signal or the program's call, as bits; 0: neither. */
unsigned recording_paused_by_user(void);

/* When recording starts, before any tick. */
void recording_start(void);
/* Whether what happens now in the calling thread, or in another one, is left out. Async-signal-safe; says in the log what has
   changed. */
bool recording_paused(void);
bool recording_paused_in(const struct thread *thread);
/* Whether it is the size limit that leaves it out: nothing more may be written. */
bool recording_full(void);
/* -y's signal: pauses, or goes on. Async-signal-safe. */
void recording_toggle(void);

/* The program's own calls, from the interposed function whose frame address is given: in the process, and in the thread of
   that kernel's id (0: the calling one). Without effect if it is so already. What the calling thread has done until now is
   recorded or left out as it was; other threads' time is cut at their next tick. Not in handlers of ours. */
void recording_pause(const void *frame_address);
void recording_resume(const void *frame_address);
void recording_pause_thread(int id, bool pause, const void *frame_address);

/* Where the bytes of blocks are counted, for event_file.h; 0 without -L. */
uint64_t *recording_space(void);

#endif
