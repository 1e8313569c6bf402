/* SPDX-License-Identifier: Apache-2.0 */
/* Giving a captured stack another innermost part: the instruction that a counter's overflow recorded, or the kernel's frames. */
#include "capture.h"
#include "cfi.h"
#include "context_tree.h"
#include "own_code.h"

enum { SKID_FRAMES = 8 }; /* how far out the function is looked for that the thread has called or left since */

static bool find_function(uint64_t pc, struct cfi_entry *function)
{
	struct module module;
	return module_find(pc, &module) && cfi_find(pc, &module, function);
}

/* Whether the stack is one of a wait: then that which the thread had is another. */
static bool is_waiting(uint32_t stack, uint64_t *wait, uint32_t *call, uint32_t *native)
{
	*wait = stack ? context_frame(stack, call) : 0;
	if (!context_is_wait(*wait))
		return false;
	*native = (uint32_t)*wait;
	*wait &= ~(uint64_t)UINT32_MAX;
	return true;
}

static uint32_t waiting_with(uint64_t wait, uint32_t call, uint32_t native)
{
	return native ? context_child(call, wait | native) : 0;
}

/* The thread has gone on since the instruction at pc: within its function; into functions that it called; or back into the
   caller, or elsewhere. */
uint32_t capture_leaf(uint32_t stack, uint64_t pc)
{
	struct cfi_entry function;
	uint64_t leaf = pc | CONTEXT_EXACT, wait;
	uint32_t parent, node = stack, call, native;
	if (is_waiting(stack, &wait, &call, &native))
		return waiting_with(wait, call, capture_leaf(native, pc));
	if (!stack || context_frame(stack, &parent) == leaf || pc - own_code_start < own_code_size)
		return stack;
	bool known = find_function(pc, &function);
	for (unsigned i = 0; i < SKID_FRAMES && node; i++, node = parent) {
		uint64_t frame = context_frame(node, &parent);
		uint64_t within = (frame & CONTEXT_ADDRESS) - !(frame & CONTEXT_EXACT);
		if (frame & CONTEXT_ROOT)
			break;
		if (known ? within - function.start < function.end - function.start : i == 0)
			return context_child(parent, leaf);
	}
	return context_child(stack, leaf);
}

uint32_t capture_kernel(uint32_t stack, const uint64_t *frames, unsigned depth)
{
	uint64_t wait;
	uint32_t call, native;
	if (is_waiting(stack, &wait, &call, &native))
		return waiting_with(wait, call, capture_kernel(native, frames, depth));
	for (unsigned i = depth; i-- > 0 && stack;)
		stack = context_child(
			stack, (frames[i] & CONTEXT_ADDRESS) | CONTEXT_KERNEL | (i == 0 ? CONTEXT_EXACT : 0));
	return stack;
}
