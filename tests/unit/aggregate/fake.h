/* SPDX-License-Identifier: Apache-2.0 */
/* Data and a resolver made by hand, in place of the rooms load and resolve: stacks are written as text.

     "main A C.2 f>g"   root first; one word an address; ".2" another call site of the same function; "f>g" is
   one address in f where g was inlined; "lib:f" is a function of the load object lib; a first word of
			"<truncated>" or "<failed>" is such a root */
#ifndef FAKE_H
#define FAKE_H

#include "resolver.h"
#include "stack_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_MAX = 70000, FAKE_EVENTS = 4096, FAKE_KINDS = KIND_COUNT + 4 };

static struct {
	struct data data;
	struct stack stacks[FAKE_MAX];
	struct code_address addresses[FAKE_MAX];
	struct load_object objects[16];
	char object_names[16][32];
	struct loaded_experiment experiment;
	struct experiment file;
	struct event_source sources[FAKE_KINDS];
	char words[FAKE_MAX][32]; /* of addresses */
	struct function functions[512];
	char names[512][32];
	uint32_t function_count;
	struct {
		int kind;
		uint32_t stack, thread;
		uint64_t time, field[4];
	} events[FAKE_EVENTS];
	uint32_t event_count;
} fake;

static uint32_t fake_object(const char *name)
{
	for (uint32_t o = 0; o < fake.data.object_count; o++)
		if (!strcmp(fake.objects[o].path, name))
			return o;
	char *kept = fake.object_names[fake.data.object_count];
	snprintf(kept, sizeof fake.object_names[0], "%s", name);
	fake.objects[fake.data.object_count].path = kept;
	return fake.data.object_count++;
}

static uint32_t fake_function_of(const char *word)
{
	char name[32];
	snprintf(name, sizeof name, "%s", word);
	char *colon = strchr(name, ':');
	uint32_t object = colon ? (*colon = 0, fake_object(name)) : fake_object("a.out");
	const char *own = colon ? colon + 1 : name;
	for (uint32_t f = 0; f < fake.function_count; f++)
		if (!strcmp(fake.names[f], own))
			return f;
	strcpy(fake.names[fake.function_count], own);
	struct function *function = &fake.functions[fake.function_count];
	function->mangled = function->long_name = function->short_name = fake.names[fake.function_count];
	function->object = object;
	return fake.function_count++;
}

static void fake_start(void)
{
	memset(&fake, 0, sizeof fake);
	fake.data = (struct data){.experiments = &fake.experiment,
		.experiment_count = 1,
		.objects = fake.objects,
		.addresses = fake.addresses,
		.stacks = fake.stacks,
		.stack_count = 1};
	fake.experiment.file = &fake.file;
	fake.file.sources = fake.sources;
	fake_object("<Total>");
	static const char *const artificial[FUNCTION_FIRST_REAL] = {
		"<Total>",
		"<Unknown>",
		"<Truncated-stack>",
		"<Stack-unwind-failed>",
		"<no stack>",
		"collector_not_program_related",
		"<collector>",
		"<process start>",
		"--",
#define STATE_FUNCTION(value, name, ...) name,
#include "state_functions.def"
#define OMP_FUNCTION(state, name, ...) [FUNCTION_OMP + state] = name,
#include "omp_functions.def"
	};
	for (uint32_t f = 0; f < FUNCTION_FIRST_REAL; f++) {
		strcpy(fake.names[f], artificial[f]);
		fake.functions[f] = (struct function){.mangled = fake.names[f],
			.long_name = fake.names[f],
			.short_name = fake.names[f],
			.artificial = true};
	}
	fake.function_count = FUNCTION_FIRST_REAL;
}

static uint32_t fake_child(uint32_t parent, uint32_t address, uint32_t flags)
{
	for (uint32_t s = 1; s < fake.data.stack_count; s++)
		if (fake.stacks[s].parent == parent && fake.stacks[s].address == address &&
			fake.stacks[s].flags == flags)
			return s;
	fake.stacks[fake.data.stack_count] = (struct stack){parent, address, flags, 0};
	return fake.data.stack_count++;
}

static uint32_t fake_address(const char *word)
{
	for (uint32_t a = 0; a < fake.data.address_count; a++)
		if (!strcmp(fake.words[a], word))
			return a;
	snprintf(fake.words[fake.data.address_count], sizeof fake.words[0], "%s", word);
	return fake.data.address_count++;
}

static uint32_t fake_stack(const char *text)
{
	if (!*text)
		return 0;
	char copy[4096], *rest = copy, *word;
	snprintf(copy, sizeof copy, "%s", text);
	uint32_t root = ROOT_START, stack = 0;
	while ((word = strsep(&rest, " "))) {
		if (!stack) {
			root = !strcmp(word, "<truncated>") ? ROOT_TRUNCATED
			       : !strcmp(word, "<failed>")  ? ROOT_FAILED
							    : ROOT_START;
			stack = fake_child(0, root, STACK_ROOT);
			if (root != ROOT_START || !strcmp(word, "<start>"))
				continue;
		}
		stack = fake_child(stack, fake_address(word), 0);
	}
	return stack;
}

static void fake_event(int kind, uint32_t stack, uint32_t thread, uint64_t first, uint64_t second)
{
	if (!fake.sources[kind].field_count) {
		fake.sources[kind].field_count = 2;
		fake.sources[fake.file.source_count].kind = kind;
		fake.file.source_count++;
	}
	uint32_t e = fake.event_count++;
	fake.events[e].kind = kind;
	fake.events[e].stack = stack;
	fake.events[e].thread = thread;
	fake.events[e].time = e;
	fake.events[e].field[0] = first;
	fake.events[e].field[1] = second;
}

/* User CPU time of a stack. */
__attribute__((unused)) static void fake_work(const char *stack, uint64_t nanoseconds)
{
	fake_event(KIND_CLOCK, fake_stack(stack), 1, nanoseconds, 0);
}

void data_visit(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	(void)data;
	for (uint32_t e = 0; e < fake.event_count; e++) {
		if (fake.events[e].kind != (int)kind)
			continue;
		struct data_batch batch = {.experiment = &fake.experiment,
			.count = 1,
			.time = &fake.events[e].time,
			.thread = &fake.events[e].thread,
			.cpu = &fake.events[e].thread,
			.stack = &fake.events[e].stack};
		for (unsigned f = 0; f < 4; f++)
			batch.field[f] = &fake.events[e].field[f];
		visitor(context, &batch);
	}
}

unsigned data_visit_workers(const struct data *data, enum kind kind)
{
	(void)data;
	(void)kind;
	return 1;
}

void data_visit_apart(struct data *data, enum kind kind, data_visitor *visitor, void *const *contexts)
{
	data_visit(data, kind, visitor, contexts[0]);
}

unsigned resolver_frames(struct resolver *resolver, uint32_t stack, struct frame frames[FRAMES_MAX])
{
	(void)resolver;
	uint32_t address = fake.stacks[stack].address;
	char copy[32], *rest = copy, *name;
	snprintf(copy, sizeof copy, "%s", fake.words[address]);
	unsigned count = 0;
	while ((name = strsep(&rest, ">"))) {
		char *site = strchr(name, '.');
		if (site)
			*site = 0;
		memmove(frames + 1, frames, count * sizeof *frames);
		frames[0] =
			(struct frame){.function = fake_function_of(name), .address = address, .inlined = count > 0};
		count++;
	}
	return count;
}

/* There is no data here. */
bool resolver_object_holds(struct resolver *resolver, uint32_t object, uint64_t offset)
{
	(void)resolver, (void)object, (void)offset;
	return false;
}

const struct data_variable *resolver_variable(struct resolver *resolver, uint32_t object, uint64_t offset)
{
	(void)resolver, (void)object, (void)offset;
	return 0;
}

uint32_t data_variable_member(const struct data_variable *variable, uint64_t address)
{
	(void)variable, (void)address;
	return NO_MEMBER;
}

uint32_t data_segment_object(struct data *data, uint32_t experiment, const struct mapped_segment *segment)
{
	(void)data, (void)experiment, (void)segment;
	return 0;
}

void resolver_object_frame(struct resolver *resolver, uint32_t object, struct frame *frame)
{
	(void)resolver;
	char name[32];
	snprintf(name, sizeof name, "<%.20s>", fake.objects[object].path);
	uint32_t function = fake_function_of(name);
	fake.functions[function].object = object;
	*frame = (struct frame){.function = function, .address = UINT32_MAX};
}

uint32_t resolver_function_count(const struct resolver *resolver)
{
	(void)resolver;
	return fake.function_count;
}

const struct function *resolver_function(const struct resolver *resolver, uint32_t function)
{
	(void)resolver;
	return &fake.functions[function];
}

/* No function has lines. */
uint32_t resolver_line_count(const struct resolver *resolver)
{
	(void)resolver;
	return 0;
}

const struct source_line *resolver_line(const struct resolver *resolver, uint32_t line)
{
	(void)resolver, (void)line;
	return 0;
}

uint32_t resolver_function_object(const struct resolver *resolver, uint32_t function)
{
	return resolver_function(resolver, function)->object;
}

#endif
