/* SPDX-License-Identifier: Apache-2.0 */
/* Walking the stack of a stopped thread of another process with elfutils' libdwfl, which shares no code with the collector. */
#ifndef OUTSIDE_WALK_H
#define OUTSIDE_WALK_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Writes the frames of thread `tid` of process `pid`, which is stopped under our ptrace, as words " PC", from the leaf
   outwards: a return address as it is on the stack, `leaf` in place of the thread's own pc. A word ends with '=' where the
   thread stood there (leaf, interrupted by a signal; not the trampoline that a signal's handler returns to), with '~' where
   the pc is the collector's code, with '!' where no table describes the pc, so that what follows is a guess. Then " / " and
   why the walk ended. */
void outside_walk(FILE *log, pid_t pid, pid_t tid, uint64_t leaf);

/* The process has a new image: forget what was known of the one before. */
void outside_walk_forget(void);

#endif
