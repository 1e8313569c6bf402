/* SPDX-License-Identifier: Apache-2.0 */
/* Starting and ending stack capture, and its two entries: a signal's context and an interposed call's frame. */
#include "capture.h"
#include "collector.h"
#include "copied.h"
#include "free_list.h"
#include "incremental.h"
#include "joined.h"
#include "known_starts.h"
#include "leaving_code.h"
#include "libunwind.h"
#include "modules.h"
#include "own_code.h"
#include "pages.h"
#include "thread.h"

/* The room that a thread has at first, for both stacks together; most threads of a program with thousands need no more. */
#define FIRST_MEMORY 8192u
/* Complete captures of calls reach the tally in batches: its cache line is shared by all threads. */
#define COUNT_BATCH 256u

struct thread_stacks {
	void *next; /* in the list of those without a thread */
	struct remembered signal, call;
	struct libunwind_room *libunwind; /* 0: it walks nothing */
	struct remembered *copied;        /* for stacks by copies, 0: none yet */
	struct remembered *own;           /* for capture_own_call(), 0: none yet */
	struct joined *joined;            /* 0: it was never told to join them */
};

static struct free_list recycled;
static uint32_t depth_limit;
static enum unwinder unwinder;

bool capture_start(struct event_file *stacks, uint32_t limit)
{
	depth_limit = limit;
	unwinder = collector.settings.unwinder && libunwind_is_loaded() ? (enum unwinder)collector.settings.unwinder
									: UNWINDER_OWN;
	own_code_learn();
	modules_start();
	known_starts_learn();
	leaving_code_start();
	recycled = (struct free_list){0};
	/* Ids of an earlier tree (the parent's, after fork) mean nothing in this one. */
	__atomic_fetch_add(&remembered_era, ERA_TREE, __ATOMIC_RELAXED);
	return context_tree_start(stacks);
}

bool capture_has_stacks(void)
{
	return !context_tree_is_empty();
}

/* The first memory holds the structure, then both stacks' arrays. */
static void place(struct thread_stacks *stacks)
{
	size_t begin = (sizeof *stacks + 63) & ~63ul, each = (FIRST_MEMORY - begin) / 2 & ~63ul;
	char *memory = (char *)stacks + begin;
	remembered_place(&stacks->signal, memory, each);
	remembered_place(&stacks->call, memory + each, each);
}

bool capture_thread_begin(struct thread *thread)
{
	struct thread_stacks *stacks = free_list_take(&recycled);
	if (!stacks) {
		stacks = pages_map(FIRST_MEMORY);
		if (!stacks)
			return false;
	}
	place(stacks);
	if (unwinder != UNWINDER_OWN && !stacks->libunwind)
		stacks->libunwind = libunwind_room(depth_limit);
	thread->stacks = stacks;
	return true;
}

void capture_thread_end(struct thread *thread)
{
	struct thread_stacks *stacks = thread->stacks;
	if (!stacks)
		return;
	thread->stacks = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (stacks->joined)
		joined_end(stacks->joined, time_raw());
	count(TALLY_stacks_complete, stacks->call.uncounted);
	remembered_shrink(&stacks->signal);
	remembered_shrink(&stacks->call);
	if (stacks->own) {
		count(TALLY_stacks_complete, stacks->own->uncounted);
		remembered_room_forget(stacks->own);
	}
	free_list_give(&recycled, stacks);
}

uint32_t capture_body(const struct thread *thread, uint64_t function)
{
	uint32_t node = capture_join(thread).node;
	return node ? context_child(node, function | CONTEXT_EXACT) : 0;
}

static enum tally tally_of(const struct captured *captured)
{
	if (captured->end == ROOT_TRUNCATED)
		return TALLY_stacks_truncated;
	if (captured->end == ROOT_FAILED)
		return TALLY_stacks_failed;
	return captured->heuristic ? TALLY_stacks_heuristic : TALLY_stacks_complete;
}

/* Some waits have no end that we are told of: without the call in it, the stack is of no wait any more. */
static uint32_t waiting_stack(const struct thread *thread, uint32_t stack)
{
	const struct region_wait *wait = &thread->waits_at;
	uint32_t call = wait->function ? capture_body(thread, wait->function) : context_up_to_call(stack, wait->call);
	if (!call)
		return stack;
	return context_child(call, CONTEXT_WAIT | (uint64_t)wait->construct << CONTEXT_WAIT_SHIFT | stack);
}

static __attribute__((noinline)) uint32_t joined_or_waiting(const struct thread *thread, uint32_t stack)
{
	const struct thread_stacks *stacks = thread->stacks;
	if (stacks->joined)
		stack = joined_stack(stacks->joined, stack);
	return thread->waits_at.construct && stack ? waiting_stack(thread, stack) : stack;
}

static inline struct captured join(const struct thread *thread, struct captured captured)
{
	if (__builtin_expect(thread->stacks->joined || thread->waits_at.construct, 0))
		captured.stack = joined_or_waiting(thread, captured.stack);
	return captured;
}

static struct captured by_libunwind(struct thread *thread, const ucontext_t *context)
{
	struct captured captured = libunwind_walk(thread->stacks->libunwind, context, depth_limit);
	if (captured.stack) {
		count(tally_of(&captured), 1);
		count(TALLY_stacks_by_libunwind, 1);
	}
	return captured;
}

bool capture_both(struct thread *thread, const ucontext_t *context, uint32_t ours, struct unwinders *both)
{
	if (unwinder != UNWINDER_BOTH || !ours || thread->elsewhere || !thread->stacks || !thread->stacks->libunwind)
		return false;
	both->libunwind = join(thread, libunwind_walk(thread->stacks->libunwind, context, depth_limit)).stack;
	both->anew = both->libunwind;
	if (both->libunwind != ours) {
		both->anew = join(thread, libunwind_walk_anew(thread->stacks->libunwind, context, depth_limit)).stack;
		count(TALLY_stacks_differ, 1);
	}
	return true;
}

/* libunwind uses thread-local storage. */
static bool is_for_libunwind(const struct thread *thread)
{
	return unwinder == UNWINDER_LIBUNWIND && thread->stacks->libunwind && !thread->elsewhere;
}

__attribute__((hot)) struct captured capture_signal(struct thread *thread, const ucontext_t *context)
{
	const uint64_t *registers = registers_of(context);
	struct frame start = {.pc = (registers[SAVED_PC] & CONTEXT_ADDRESS) | CONTEXT_EXACT,
		.sp = registers[SAVED_STACK_POINTER],
		.fp = registers[SAVED_FRAME_POINTER]};
	if (!thread->stacks)
		return (struct captured){.end = ROOT_FAILED};
	if (__builtin_expect(is_for_libunwind(thread), 0))
		return join(thread, by_libunwind(thread, context));
	struct captured captured = incremental_walk(&thread->stacks->signal,
		(struct stack_bounds){thread->stack_low, thread->stack_high}, &start, registers, depth_limit);
	if (captured.stack)
		count(tally_of(&captured), 1);
	return join(thread, captured);
}

uint64_t capture_in_use(const struct thread *thread, const ucontext_t *context)
{
	uint64_t low = thread->stack_low, span = thread->stack_high - low;
	uint64_t sp = registers_of(context)[SAVED_STACK_POINTER];
	if (sp - low < span)
		return sp;
	if (!thread->stacks || is_for_libunwind(thread))
		return 0;
	const struct remembered *walked = &thread->stacks->signal;
	for (uint32_t i = walked->top; i < walked->bottom; i++)
		if (walked->frames[i].sp - low < span)
			return walked->frames[i].sp;
	return 0;
}

static inline struct captured walk_call(struct thread *thread, struct remembered *remembered, const void *frame_address)
{
	const uint64_t *record = frame_address;
	struct frame start = {.pc = return_address_strip(record[1]), .sp = (uint64_t)(record + 2), .fp = record[0]};
	return incremental_walk(
		remembered, (struct stack_bounds){thread->stack_low, thread->stack_high}, &start, 0, depth_limit);
}

struct captured capture_nested_call(struct thread *thread, const void *frame_address)
{
	if (!thread->stacks)
		return (struct captured){.end = ROOT_FAILED};
	struct captured captured = walk_call(thread, &thread->stacks->signal, frame_address);
	if (captured.stack)
		count(tally_of(&captured), 1);
	return join(thread, captured);
}

static inline struct captured count_call(struct thread *thread, struct remembered *call, const void *frame_address)
{
	if (__builtin_expect(is_for_libunwind(thread), 0))
		return by_libunwind(thread, 0);
	struct captured captured = walk_call(thread, call, frame_address);
	enum tally tally = tally_of(&captured);
	if (!captured.stack)
		return captured;
	if (tally != TALLY_stacks_complete) {
		count(tally, 1);
	} else if (++call->uncounted == COUNT_BATCH) {
		count(tally, COUNT_BATCH);
		call->uncounted = 0;
	}
	return captured;
}

struct captured capture_call(struct thread *thread, const void *frame_address)
{
	if (!thread->stacks)
		return (struct captured){.end = ROOT_FAILED};
	return join(thread, count_call(thread, &thread->stacks->call, frame_address));
}

struct captured capture_plain_call(struct thread *thread, const void *frame_address)
{
	if (!thread->stacks)
		return (struct captured){.end = ROOT_FAILED};
	return count_call(thread, &thread->stacks->call, frame_address);
}

uint32_t capture_joined(struct thread *thread, uint32_t stack)
{
	const struct thread_stacks *stacks = thread->stacks;
	return stack && stacks->joined ? joined_stack(stacks->joined, stack) : stack;
}

/* It remembers other frames than capture_call() does: where the two alternate, each finds its own as they were. */
struct captured capture_own_call(struct thread *thread, const void *frame_address)
{
	struct thread_stacks *stacks = thread->stacks;
	if (stacks && !stacks->own)
		stacks->own = remembered_room();
	if (!stacks || !stacks->own)
		return (struct captured){.end = ROOT_FAILED};
	return count_call(thread, stacks->own, frame_address);
}

struct stack_join capture_join(const struct thread *thread)
{
	const struct joined *joined = thread->stacks ? thread->stacks->joined : 0;
	return joined ? joined->join : (struct stack_join){0};
}

void capture_set_join(struct thread *thread, struct stack_join join, uint64_t time)
{
	struct thread_stacks *stacks = thread->stacks;
	if (!stacks || (!stacks->joined && !join.node))
		return;
	if (!stacks->joined) {
		struct joined *joined = pages_map(sizeof *joined);
		if (!joined)
			return;
		__atomic_store_n(&stacks->joined, joined, __ATOMIC_RELEASE);
	}
	joined_set(stacks->joined, join, time);
}

/* 0: no memory. */
static struct remembered *room_of(struct thread_stacks *stacks)
{
	if (stacks && !stacks->copied)
		stacks->copied = remembered_room();
	return stacks ? stacks->copied : 0;
}

static struct captured join_copied(
	const struct thread_stacks *stacks, const struct stack_copy *copy, struct captured captured)
{
	struct time_triple now;
	bool guessed;
	if (!stacks->joined || !captured.stack)
		return captured;
	time_now(&now);
	captured.stack = joined_stack_at(
		stacks->joined, captured.stack, copy->time ? time_raw_at(copy->time, &now) : now.raw, &guessed);
	captured.later |= guessed;
	return captured;
}

struct captured capture_copied_call(struct thread *thread, const struct stack_copy *copy)
{
	struct remembered *room = room_of(thread->stacks);
	if (!room)
		return (struct captured){.end = ROOT_FAILED};
	if (!code_stays_begin())
		return (struct captured){.end = ROOT_FAILED};
	struct captured captured = copied_walk_call(room, copy, depth_limit);
	code_stays_end();
	if (captured.stack)
		count(tally_of(&captured), 1);
	return join_copied(thread->stacks, copy, captured);
}

struct captured capture_copied(struct thread *thread, const struct stack_copy *copy, const uint64_t *registers)
{
	struct remembered *room = room_of(thread->stacks);
	if (!room)
		return (struct captured){.end = ROOT_FAILED};
	if (!code_stays_begin())
		return (struct captured){.end = ROOT_FAILED};
	struct captured captured = copied_walk(room, copy, registers, depth_limit);
	code_stays_end();
	if (captured.stack)
		count(tally_of(&captured), 1);
	return join_copied(thread->stacks, copy, captured);
}

uint32_t capture_new_generation(void)
{
	__atomic_fetch_add(&row_generation, 1, __ATOMIC_RELEASE);
	libunwind_forget();
	return (uint32_t)__atomic_add_fetch(&remembered_era, 1, __ATOMIC_RELEASE);
}

uint32_t capture_generation(void)
{
	return (uint32_t)__atomic_load_n(&remembered_era, __ATOMIC_RELAXED);
}
