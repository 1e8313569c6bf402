/* SPDX-License-Identifier: Apache-2.0 */
/* Taking the calling thread's stack: the one entry of stacks/ for every data kind. A stack is a node id of the
   process's tree of calling contexts, which is the experiment's file "stacks" itself: equal stacks have equal ids, shared
   by all kinds and threads. Async-signal-safe, lock-free, no malloc. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "event_file.h"
#include "joined.h"
#include "layout.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

struct thread;
struct stack_copy; /* memory.h */

struct unwinders {
	uint32_t libunwind; /* its stack, a node id */
	uint32_t anew;      /* and where that is not ours, what it finds with its cache off; else the same */
};

struct captured {
	uint32_t stack;     /* node id; 0: no memory or disk for it */
	uint32_t depth;     /* frames */
	enum root_kind end; /* how the walk ended */
	/* Two bytes before a hole would be returned by way of memory, with a load that has to wait for two stores. */
	uint32_t heuristic : 1; /* at least one frame was guessed */
	uint32_t later : 1;     /* of a copy: outer frames are by what the stack held, or stood on, later */
};

/* Prepares the walk: `stacks` is the created file, `limit` the greatest depth kept. Also after fork, in the child. */
bool capture_start(struct event_file *stacks, uint32_t limit);

/* Whether any stack of this process was kept. */
bool capture_has_stacks(void);

/* Gives a thread its remembered stacks (two: for calls and for signals, which can interrupt them); reused by a later
   thread after capture_thread_end. False: no memory. */
bool capture_thread_begin(struct thread *thread);
void capture_thread_end(struct thread *thread);

/* The stack that a signal handler interrupted. Only in a handler, not nested. */
struct captured capture_signal(struct thread *thread, const ucontext_t *context);

/* After capture_signal(), in the same handler: from this address on the thread's own stack is the target's. The context may be
   on another stack, as a handler of the target's is. 0: it is not known. */
uint64_t capture_in_use(const struct thread *thread, const ucontext_t *context);

/* Where the settings ask for both unwinders: libunwind's stack beside `ours`, which capture_signal() has just given for the
   same context. False: they do not. Only in a handler. */
bool capture_both(struct thread *thread, const ucontext_t *context, uint32_t ours, struct unwinders *both);

/* The stack of an interposed call: the frames from the caller of the function whose frame address (its CFA - 16 with the
   saved rbp: __builtin_frame_address(0), the function being compiled with a frame pointer) is given. Outside handlers of ours. */
struct captured capture_call(struct thread *thread, const void *frame_address);

/* As capture_call(), of which these are the parts: where the thread has it, and where that stands if its stacks are joined to
   others. */
struct captured capture_plain_call(struct thread *thread, const void *frame_address);
uint32_t capture_joined(struct thread *thread, uint32_t stack);
/* As capture_call(), where the thread has it, even if its stacks are joined to others. */
struct captured capture_own_call(struct thread *thread, const void *frame_address);
/* The stacks that the calling thread has from now on (`time`, raw) stand where the join says, in what all of the above give
   (joined.h). Not from handlers of ours. Without memory they stand where they are. */
void capture_set_join(struct thread *thread, struct stack_join join, uint64_t time);
struct stack_join capture_join(const struct thread *thread);
/* The stack of the function at this address that was called where the thread's stacks are joined, as if it were called there still;
   0: they are not joined. Async-signal-safe. */
uint32_t capture_body(const struct thread *thread, uint64_t function);

/* The stack that a thread had a moment before, by its registers then (in the kernel's order) and a copy of what they point at.
   By one caller at a time. Nothing is captured while code is being unmapped (leaving_code.h). */
struct captured capture_copied(struct thread *thread, const struct stack_copy *copy, const uint64_t *registers);

/* The stack of an interposed call that another thread is in, by a copy that begins at the frame address as of capture_call(). By
   one caller at a time. */
struct captured capture_copied_call(struct thread *thread, const struct stack_copy *copy);

/* Replaces the innermost frame of a captured stack by the instruction at pc, where the thread stood a moment before; both are in
   one function. Returns the new stack; 0: no memory or disk for it. Async-signal-safe. */
uint32_t capture_leaf(uint32_t stack, uint64_t pc);
/* Puts the kernel's frames, innermost first, on a captured stack: the program called the kernel from there. 0 as above. */
uint32_t capture_kernel(uint32_t stack, const uint64_t *frames, unsigned depth);

/* As capture_call(), for a handler of the target that makes an interposed call after it interrupted the capture of another one.
   capture_signal() must not run meanwhile. */
struct captured capture_nested_call(struct thread *thread, const void *frame_address);

/* Addresses may mean something else from now on (after dlclose): cached rows and remembered stacks are dropped and later
   stacks get a new root. Returns the new generation, which map.xml's lines carry. */
uint32_t capture_new_generation(void);
uint32_t capture_generation(void);

#endif
