/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for the functions that compilers make of parallel regions and tasks: by the function that these were written in, which is
   the one that calls them once the stacks of a team's members stand on the stack of the region's begin, or of the task's
   creation. */
#include "resolver_state.h"
#include "storage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang's function that the run-time calls for a task: ".omp_task_entry." and a number. */
#define TASK_ENTRY ".omp_task_entry."

/* Where a region or task was written. */
struct origin {
	bool task;
	uint32_t function; /* FUNCTION_TOTAL: not known */
	uint32_t line;     /* NO_LINE: not known */
};

static struct function *function_at(struct resolver *resolver, uint32_t function)
{
	return resolver->functions.array[function];
}

/* Whether a compiler made it, which is likely where it has no name, too; else it is a function of the program that is run as a
   region (by hand, or by another language). */
static bool is_made(const struct function *function)
{
	/* Sources: gcc's omp-expand.cc, clang's CGStmtOpenMP.cpp, flang's OMPIRBuilder.cpp; nvc and ifort by their listings. */
	static const char *const parts[] = {
		"._omp_fn.", ".omp_outlined", TASK_ENTRY, "..omp_par", "__nv_", "__par_region"};
	if (strncmp(function->mangled, "<static>@", 9) == 0)
		return true;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(function->mangled, parts[i]))
			return true;
	return false;
}

/* gcc's is named after the function, "f._omp_fn.0", demangled "f() [clone ._omp_fn.0]"; 0: it is not gcc's. The call of the
   run-time may have the line of another statement, and no trace of a function that was inlined there. */
static int origin_length(const char *name)
{
	const char *end = strstr(name, "._omp_fn."), *clone = strstr(name, " [clone ._omp_fn.");
	end = clone ? clone : end;
	return end ? (int)(end - name) : 0;
}

/* clang's function of a region has what was written in another one if there is debug information. Source: CGStmtOpenMP.cpp
   (".omp_outlined._debug__", later "f.omp_outlined_debug__"). Its functions of tasks always have. */
static bool is_inner(const struct function *function, bool task)
{
	return strstr(function->mangled, ".omp_outlined") && (task || strstr(function->mangled, "_debug__"));
}

/* Whether gcc's name says so. Functions inside of others have a number behind their names ("loop.0._omp_fn.0" of "nest::loop"). */
static bool is_of(const struct function *outlined, const struct function *of)
{
	const char *name = outlined->mangled, *whole = of->mangled, *inner = of->short_name;
	size_t length = (size_t)origin_length(name), all = strlen(whole), some = strlen(inner);
	if (all == length && strncmp(whole, name, length) == 0)
		return true;
	size_t digits = 0;
	while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
		digits++;
	if (digits && digits < length && name[length - 1 - digits] == '.')
		length -= digits + 1;
	return length && some > length + 1 && inner[some - length - 1] == ':' &&
	       strncmp(inner + some - length, name, length) == 0;
}

/* The name of the origin is found in the own one where the origin is not sure. */
static const char *kept_name(struct resolver *resolver, const char *name, const char *own, struct origin origin,
	const struct function *function)
{
	const char *what = origin.task ? "task" : "parallel region";
	char from[32] = "", *text = 0;
	int length = own ? origin_length(own) : 0;
	if (origin.line != NO_LINE)
		snprintf(from, sizeof from, " from line %u", origin.line);
	if (asprintf(&text, "%.*s -- OMP %s%s [%s]", length ? length : (int)strlen(name), length ? own : name, what,
		    from, function->mangled) < 0)
		return 0;
	const char *kept = strings_keep(&resolver->functions.names, text);
	free(text);
	return kept;
}

static void name_outlined(struct resolver *resolver, uint32_t number, struct origin origin)
{
	struct function *function = function_at(resolver, number);
	struct frame frames[FRAMES_MAX];
	if (!is_made(function) || function->outlined_of || !origin.function || origin.function == number)
		return;
	if (origin_length(function->mangled) && function->size) {
		unsigned count = resolver_address_frames(resolver, function->object, function->start, frames);
		origin.line = resolver_line(resolver, frames[count - 1].line)->line;
	}
	const struct function *of = function_at(resolver, origin.function);
	bool sure = is_of(function, of);
	function->outlined_of = origin.function;
	function->outlined_long = kept_name(resolver, of->long_name, sure ? 0 : function->long_name, origin, function);
	/* The short name of gcc's function is that of its origin. */
	bool shortened = !sure && strcmp(function->short_name, function->mangled) != 0;
	function->outlined_short = kept_name(resolver, shortened ? function->short_name : of->short_name,
		sure ? 0 : function->short_name, origin, function);
}

/* Where the code at a stack's leaf was called from, leaving the run-time out. */
static struct origin origin_of(struct resolver *resolver, uint32_t stack, bool task)
{
	const struct stack *stacks = resolver->data->stacks;
	struct frame frames[FRAMES_MAX];
	do
		stack = stacks[stack].parent;
	while (stacks[stack].flags & STACK_RUN_TIME);
	if (!stack || stacks[stack].flags & STACK_ROOT)
		return (struct origin){task, FUNCTION_TOTAL, NO_LINE};
	resolver_frames(resolver, stack, frames);
	const struct function *function = function_at(resolver, frames[0].function);
	if (function->artificial)
		return (struct origin){task, FUNCTION_TOTAL, NO_LINE};
	return (struct origin){task, function->outlined_of ? function->outlined_of : frames[0].function,
		resolver_line(resolver, frames[0].line)->line};
}

void resolver_name_region(struct resolver *resolver, uint32_t stack, bool task)
{
	struct frame frames[FRAMES_MAX];
	unsigned count = resolver_frames(resolver, stack, frames);
	struct origin origin = origin_of(resolver, stack, task);
	struct function *outer = function_at(resolver, frames[count - 1].function);
	name_outlined(resolver, frames[count - 1].function, origin);
	if (count > 1 && is_inner(function_at(resolver, frames[count - 2].function), task)) {
		outer->wraps = true;
		name_outlined(resolver, frames[count - 2].function, origin);
	}
}

/* The inner function where it was not inlined. */
static void name_inner(struct resolver *resolver, uint32_t stack, bool task)
{
	struct frame frames[FRAMES_MAX];
	unsigned count = resolver_frames(resolver, stack, frames);
	uint32_t inner = frames[count - 1].function;
	if (!is_inner(function_at(resolver, inner), task))
		return;
	uint32_t outer = resolver->data->stacks[stack].parent;
	count = resolver_frames(resolver, outer, frames);
	function_at(resolver, frames[count - 1].function)->wraps = true;
	name_outlined(resolver, inner, origin_of(resolver, outer, task));
}

static void name_joined(struct resolver *resolver, uint32_t stack)
{
	const struct stack *stacks = resolver->data->stacks;
	uint32_t flags = stacks[stack].flags, outer = stacks[stacks[stack].parent].flags;
	if (flags & STACK_OUTLINED)
		resolver_name_region(resolver, stack, flags & STACK_TASK);
	else if (outer & STACK_OUTLINED)
		name_inner(resolver, stack, outer & STACK_TASK);
	resolver->has_outlined |= flags & STACK_OUTLINED;
}

static bool is_task_entry(struct resolver *resolver, uint32_t function)
{
	return strncmp(function_at(resolver, function)->mangled, TASK_ENTRY, strlen(TASK_ENTRY)) == 0;
}

/* Names a task whose entry is the i-th frame at a stack, and what that calls, if it was inlined there. */
static void name_called_task(
	struct resolver *resolver, uint32_t stack, const struct frame *frames, unsigned i, unsigned count)
{
	struct origin origin = origin_of(resolver, stack, true);
	if (i + 1 < count) {
		const struct function *outer = function_at(resolver, frames[i + 1].function);
		origin.function = outer->outlined_of ? outer->outlined_of : frames[i + 1].function;
		origin.line = resolver_line(resolver, frames[i + 1].line)->line;
	}
	name_outlined(resolver, frames[i].function, origin);
	if (!i || !is_inner(function_at(resolver, frames[i - 1].function), true))
		return;
	function_at(resolver, frames[i].function)->wraps = true;
	name_outlined(resolver, frames[i - 1].function, origin);
}

static void name_called_by_entry(struct resolver *resolver, uint32_t stack)
{
	struct frame frames[FRAMES_MAX];
	uint32_t outer = resolver->data->stacks[stack].parent;
	if (outer && resolver_frames(resolver, outer, frames) == 1 && is_task_entry(resolver, frames[0].function))
		name_inner(resolver, stack, true);
}

/* clang's tasks that their creators call themselves, with no join between: their functions are known by their names alone. */
static void name_called_tasks(struct resolver *resolver, uint32_t first)
{
	const struct data *data = resolver->data;
	struct frame frames[FRAMES_MAX];
	bool *seen = memory_new(data->address_count, sizeof *seen);
	for (uint32_t stack = first; stack < data->stack_count; stack++) {
		const struct stack *own = &data->stacks[stack];
		if (!stack || own->flags & (STACK_ROOT | STACK_OUTLINED) || seen[own->address])
			continue;
		seen[own->address] = true;
		unsigned count = resolver_frames(resolver, stack, frames);
		for (unsigned i = count; i-- > 0;)
			if (is_task_entry(resolver, frames[i].function))
				name_called_task(resolver, stack, frames, i, count);
		name_called_by_entry(resolver, stack);
	}
	free(seen);
}

void resolver_name_regions(struct resolver *resolver)
{
	uint32_t first = resolver->stacks_named, count = resolver->data->stack_count;
	for (uint32_t stack = first; stack < count; stack++)
		name_joined(resolver, stack);
	if (resolver->has_outlined && first < count)
		name_called_tasks(resolver, first);
	resolver->stacks_named = count;
}
