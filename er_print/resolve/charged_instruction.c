/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps back from the instruction that the clock's interrupt found to the one that it waited for. */
#include "charged_instruction.h"
#include "control_flow.h"
#include "resolver_state.h"
#include "search.h"
#include <stdlib.h>

/* The addresses in operands that lie in the function: where it jumps to, and what it takes the address of. */
struct targets {
	uint64_t start, end;
	uint64_t *offsets;
	size_t count;
};

static void add_target(void *context, uint64_t address, char *text, size_t size)
{
	struct targets *targets = context;
	(void)text, (void)size;
	if (address < targets->start || address >= targets->end)
		return;
	targets->offsets = memory_room(targets->offsets, targets->count, sizeof *targets->offsets);
	targets->offsets[targets->count++] = address;
}

static int by_number(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return COMPARE(a, b);
}

static void keep(struct charged *charged)
{
	charged->user = charged->kernel = charged->offset;
}

/* Where something else in the function jumps to, more than one instruction may have come before. */
static void keep_targets(struct targets *targets, struct charged *charged, size_t count)
{
	if (targets->count)
		qsort(targets->offsets, targets->count, sizeof *targets->offsets, by_number);
	for (size_t i = 0; targets->count && i < count; i++)
		if (bsearch(&charged[i].offset, targets->offsets, targets->count, sizeof *targets->offsets, by_number))
			keep(&charged[i]);
}

static void step_back(struct charged *charged, const struct instruction *before, unsigned machine)
{
	enum control_flow flow = control_flow_of(machine, before->text);
	if (flow == FLOW_SYSTEM_CALL)
		charged->kernel = before->offset;
	if (flow == FLOW_SYSTEM_CALL || flow == FLOW_NEXT || flow == FLOW_BRANCH)
		charged->user = before->offset;
}

void charged_instructions_find(
	struct resolver *resolver, uint64_t start, uint64_t end, struct charged *charged, size_t count)
{
	struct targets targets = {.start = start, .end = end};
	/* Instructions of x86 have different lengths, so that the one before can only be found from the function's start on. */
	struct instruction pair[2], *before = 0, *now = pair;
	struct error error;
	size_t next = 0;
	for (size_t i = 0; i < count; i++)
		keep(&charged[i]);
	for (uint64_t at = start; at < end; at += now->size, before = now, now = &pair[now == pair]) {
		if (!resolver_decode(resolver, charged->object, at, end, add_target, &targets, now, &error))
			break;
		unsigned machine = disassembler_machine(resolver->disassembler);
		for (; next < count && charged[next].offset <= at; next++)
			if (before && charged[next].offset == at && !control_flow_is_interruptible(machine, now->text))
				step_back(&charged[next], before, machine);
	}
	keep_targets(&targets, charged, count);
	free(targets.offsets);
}
