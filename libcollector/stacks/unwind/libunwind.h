/* SPDX-License-Identifier: Apache-2.0 */
/* A second unwinder, to hold the first one's stacks against: libunwind, loaded privately and only where the settings ask for
   it. It is not safe in a handler: it takes the loader's lock and one of its own, blocks signals around that, and reads what
   damaged tables point to. It cannot live in a namespace of its own (dlmopen), where it would see no load objects but its own;
   loaded without RTLD_GLOBAL, its _Unwind_* functions replace nobody's. */
#ifndef LIBUNWIND_H
#define LIBUNWIND_H

#include "capture.h"

/* Loads it: by the constructor alone, with what that was given, before libc's own has run. False: it is not there, or lacks
   what is needed. */
bool libunwind_load(int count, char **arguments, char **environment);
bool libunwind_is_loaded(void);

/* The memory for one thread's walks of at most `limit` frames, never freed. 0: none. */
struct libunwind_room *libunwind_room(uint32_t limit);

/* The stack from the code that a handler interrupted or, with context 0, from the calling function. What it found without a
   table is marked as guessed, and a stack is complete if it ends at a known start: libunwind itself says neither. */
struct captured libunwind_walk(struct libunwind_room *room, const ucontext_t *context, uint32_t limit);
/* Walks without libunwind's memory of earlier walks, which it finds by the address alone. */
struct captured libunwind_walk_anew(struct libunwind_room *room, const ucontext_t *context, uint32_t limit);

/* Addresses may mean something else from now on. */
void libunwind_forget(void);

#endif
