/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of libgomp.def that create tasks. A task's function is called through us, with what we know of
   the task in front of its data, which the run-time copies with it. Source: libgomp's task.c and taskloop.c. */
#include "architecture.h"
#include "libgomp.h"
#include "pages.h"
#include "task.h"
#include "thread.h"
#include <stdalign.h>
#include <string.h>

typedef void copy_function(void *to, void *from);

enum { FLAG_REDUCTION = 1 << 12, FLAG_DETACH = 1 << 13 };
/* Words that follow the first five arguments. Those of GOMP_task(): whether it is deferred, flags, dependences, priority, and the
   event of a detached one; of taskloops: flags, number of tasks, priority, and begin, end and step of the loop. */
enum { WORDS = 6, TASK_FLAGS = 1, LOOP_FLAGS = 0, LOOP_BEGIN = 3, LOOP_END = 4 };
/* The data that is copied on the stack at most. */
enum { STACK_SIZE = 2048 };

/* The run-time's data of a task; behind it, at `offset`, is the program's. */
struct carried {
	long words[3];    /* what the run-time writes to the first words of the data, or reads there, by its flags */
	unsigned written; /* so many of them */
	unsigned offset;
	region_body *function;
	struct task task;
};
/* Where the program has a function that copies its data, this stands for both. */
struct uncopied {
	struct carried carried;
	copy_function *copy;
	void *data;
};
/* A call of the program's asks for this. */
struct asked {
	region_body *function;
	void *data;
	copy_function *copy;
	long size, align;
};

/* The run-time runs this in place of the task's function. */
static void run(void *argument)
{
	const struct carried *carried = argument;
	struct task task = carried->task;
	struct task_run run = {0};
	struct member_place place = {.frame = __builtin_frame_address(0)};
	void *data = (char *)argument + carried->offset;
	memcpy(data, carried->words, carried->written * sizeof carried->words[0]);
	if (current_thread)
		current_thread->region_told = false;
	bool recorded = task_enter(&run, &task, &place);
	libgomp_run(carried->function, data, recorded && run.joined);
	if (!recorded)
		return;
	task_leave(&run);
	task_end(&task);
}

static void copy(void *to, void *from)
{
	const struct uncopied *uncopied = from;
	memcpy(to, &uncopied->carried, sizeof uncopied->carried);
	uncopied->copy((char *)to + uncopied->carried.offset, uncopied->data);
}

typedef void create_function(region_body *, void *, copy_function *, long, long, long, long, long, long, long, long);

static void forward(create_function *create, const struct asked *asked, const long words[WORDS])
{
	create(asked->function, asked->data, asked->copy, asked->size, asked->align, words[0], words[1], words[2],
		words[3], words[4], words[5]);
}

static char *aligned(char *memory, long align)
{
	return (char *)(((uintptr_t)memory + (uintptr_t)align - 1) & -(uintptr_t)align);
}

/* Without a run-time the thread does it all by itself. */
static void run_here(const struct asked *asked, const long *loop)
{
	long align = asked->align > (long)sizeof(long) ? asked->align : (long)sizeof(long);
	void *data = asked->data;
	if (asked->copy) {
		data = aligned(__builtin_alloca((size_t)(asked->size + align)), align);
		asked->copy(data, asked->data);
	}
	if (loop)
		memcpy(data, &loop[LOOP_BEGIN], 2 * sizeof *loop);
	asked->function(data);
}

static bool task_begins(struct carried *carried, const struct asked *asked, long flags, bool loop, const void *frame)
{
	struct region_place place = {.frame = frame, .function = (const void *)asked->function};
	if (!task_create(&carried->task, &place, 0))
		return false;
	long align = asked->align > (long)alignof(struct carried) ? asked->align : (long)alignof(struct carried);
	carried->offset = (unsigned)(((long)sizeof *carried + align - 1) & -align);
	carried->function = asked->function;
	carried->written = loop ? 2 : flags & FLAG_DETACH && asked->data;
	if (loop) {
		carried->task.number = 0; /* each has its own */
		if (flags & FLAG_REDUCTION)
			memcpy(&carried->words[2], (long *)asked->data + 2, sizeof carried->words[2]);
	}
	return true;
}

/* The data is put behind what we know. A function that copies would do for it, too, but with one a task is not cancelled. */
static void forward_block(create_function *create, const struct carried *carried, const struct asked *asked,
	const long words[WORDS], char *block)
{
	memcpy(block, carried, sizeof *carried);
	if (asked->size > 0)
		memcpy(block + carried->offset, asked->data, (size_t)asked->size);
	forward(create,
		&(struct asked){
			.function = run, .data = block, .size = carried->offset + asked->size, .align = asked->align},
		words);
}

static void forward_on_stack(
	create_function *create, const struct carried *carried, const struct asked *asked, const long words[WORDS])
{
	char *memory = __builtin_alloca((size_t)(carried->offset + asked->size + asked->align));
	forward_block(create, carried, asked, words, aligned(memory, asked->align));
}

static void forward_carried(
	create_function *create, const struct carried *carried, const struct asked *asked, const long words[WORDS])
{
	size_t size = carried->offset + (size_t)asked->size + (size_t)asked->align;
	if (size <= STACK_SIZE) {
		forward_on_stack(create, carried, asked, words);
		return;
	}
	char *memory = pages_map(size);
	if (memory)
		forward_block(create, carried, asked, words, aligned(memory, asked->align));
	else
		forward(create, asked, words);
	if (memory)
		pages_unmap(memory, size);
}

static void forward_copied(
	create_function *create, struct uncopied *uncopied, const struct asked *asked, const long words[WORDS])
{
	uncopied->copy = asked->copy;
	uncopied->data = asked->data;
	forward(create,
		&(struct asked){.function = run,
			.data = uncopied,
			.copy = copy,
			.size = uncopied->carried.offset + asked->size,
			.align = asked->align},
		words);
}

/* `frame`: of the wrapper. */
static void create(create_function *real, struct asked asked, bool loop, const long words[WORDS], const void *frame)
{
	struct uncopied uncopied = {0};
	if (!real) {
		run_here(&asked, loop ? words : 0);
		return;
	}
	if (!task_begins(&uncopied.carried, &asked, words[loop ? LOOP_FLAGS : TASK_FLAGS], loop, frame)) {
		forward(real, &asked, words);
		return;
	}
	if (asked.align < (long)alignof(struct carried))
		asked.align = alignof(struct carried);
	/* Other run-times that have libgomp's functions may tell ompt.c of the same task. */
	current_thread->region_told = true;
	if (asked.copy)
		forward_copied(real, &uncopied, &asked, words);
	else
		forward_carried(real, &uncopied.carried, &asked, words);
	if (current_thread)
		current_thread->region_told = false;
}

/* Where nothing is recorded the real function is jumped to, with no frame of ours below it: a task that creates one may call it,
   and that the next one, as deep as the stack is. */
static create_function *decide(
	enum libgomp_function function, const long *registers, const long *stack, const void *frame)
{
	enum { FIRST = 5, ALL = FIRST + WORDS };
	long words[ALL];
	bool loop = function != LIBGOMP_GOMP_task;
	create_function *real = (create_function *)libgomp_real(function, (const void *)registers[0]);
	if (real && !task_is_wanted(frame))
		return real;
	for (int i = 0; i < ALL; i++)
		words[i] = i < ARGUMENT_REGISTERS ? registers[i] : stack[i - ARGUMENT_REGISTERS];
	create(real,
		(struct asked){
			(region_body *)words[0], (void *)words[1], (copy_function *)words[2], words[3], words[4]},
		loop, &words[FIRST], frame);
	return 0;
}

#define TASK(name, version)                                                                                            \
	static __attribute__((used))                                                                                   \
	create_function *decide_##name(const long *registers, const long *stack, const void *frame)                    \
	{                                                                                                              \
		return decide(LIBGOMP_##name, registers, stack, frame);                                                \
	}                                                                                                              \
	ENTRY_THAT_MAY_JUMP(name##_of_libgomp, decide_##name);                                                         \
	__asm__(".symver " #name "_of_libgomp, " #name "@" version);
#include "libgomp.def"
