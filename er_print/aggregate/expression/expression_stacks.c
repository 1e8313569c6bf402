/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FNAME against call stacks: one walk over the tree of all stacks for each test, the name of each function, or line, matched
   once. Elements are functions or lines, by what the test is about. */
#include "expression_nodes.h"

#include "layout.h"

#include <stdlib.h>
#include <string.h>

/* Braces in names ("{lambda()#1}") stand for themselves, which also bounds what a pattern can cost. */
bool function_pattern_read(struct function_pattern *pattern, const char *what, const char *text, struct error *error)
{
	char problem[128];
	char *whole = memory_new(2 * strlen(text) + 8, 1), *to = whole;
	*to++ = '^';
	*to++ = '(';
	for (const char *at = text; *at; at++) {
		bool escaped = *at == '\\' && at[1];
		/* Matching a back reference takes exponential time in the worst case. */
		if (escaped && at[1] >= '0' && at[1] <= '9') {
			free(whole);
			return error_set(error, "%s(\"%.200s\"): a regular expression may not refer back", what, text);
		}
		if (escaped || *at == '{' || *at == '}')
			*to++ = '\\';
		at += escaped;
		*to++ = *at;
	}
	strcpy(to, ")$");
	int code = regcomp(&pattern->regex, whole, REG_EXTENDED | REG_NOSUB);
	free(whole);
	if (!code)
		return true;
	regerror(code, &pattern->regex, problem, sizeof problem);
	return error_set(error, "%s(\"%.200s\"): %s", what, text, problem);
}

struct walk {
	struct expression *expression;
	const struct stack_test *test;
	uint32_t element_count;
	uint32_t *first_child, *next_sibling;      /* [stack] */
	uint32_t *path, path_count, path_capacity; /* elements from the root */
	uint32_t *on_path;                         /* [element] how often it is on the path */
	bool *wanted;                              /* [element] in some place of the list */
	uint32_t wanted_met;                       /* elements that are wanted and occur on stacks */
	uint32_t wanted_on_path, others_on_path;   /* frames */
	uint32_t distinct_on_path;                 /* wanted elements */
	uint32_t *runs_on_path;                    /* [path place] runs that end at or before it */
	bool every_place_met;
};

static enum view_mode mode_of(const struct walk *walk)
{
	static const enum view_mode modes[] = {
		[EXPRESSION_USER] = VIEW_USER, [EXPRESSION_EXPERT] = VIEW_EXPERT, [EXPRESSION_MACHINE] = VIEW_MACHINE};
	enum expression_view view = walk->test->view;
	return view <= EXPRESSION_MACHINE ? modes[view] : walk->expression->setting->mode;
}

/* The elements at a stack's leaf address, innermost first. Artificial functions have the numbers of their lines. */
static unsigned elements_of(const struct walk *walk, uint32_t stack, uint32_t elements[FRAMES_MAX])
{
	const struct expression_setting *setting = walk->expression->setting;
	enum view_mode mode = mode_of(walk);
	const struct stack *at = &setting->data->stacks[stack];
	struct frame frames[FRAMES_MAX];
	if (!stack) {
		elements[0] = FUNCTION_NO_STACK;
		return 1;
	}
	if (at->flags & STACK_ROOT) {
		elements[0] = resolver_root_function(at->address);
		return elements[0] != FUNCTION_TOTAL;
	}
	unsigned count = view_mode_rewrite(mode, frames, resolver_frames(setting->resolver, stack, frames));
	for (unsigned f = 0; f < count; f++)
		elements[f] = walk->test->elements == EXPRESSION_LINES ? frames[f].line : frames[f].function;
	return count;
}

static bool place_matches(const struct walk *walk, const struct stack_place *place, uint32_t element)
{
	if (place->pattern == NO_NODE)
		return place->number == element;
	return walk->expression->patterns[place->pattern].matches[element];
}

static const char *name_of(const struct walk *walk, uint32_t element)
{
	const struct expression_setting *setting = walk->expression->setting;
	uint32_t function = element;
	if (walk->test->elements == EXPRESSION_LINES) {
		if (setting->line_name)
			return setting->line_name(setting->context, element);
		function = resolver_line(setting->resolver, element)->function;
	}
	return setting->function_name ? setting->function_name(setting->context, function)
				      : resolver_function(setting->resolver, function)->long_name;
}

/* Matches the elements that have been met on stacks. */
static void match_patterns(struct walk *walk, const bool *met)
{
	struct expression *expression = walk->expression;
	for (uint32_t p = 0; p < walk->test->place_count; p++) {
		if (walk->test->places[p].pattern == NO_NODE)
			continue;
		struct function_pattern *pattern = &expression->patterns[walk->test->places[p].pattern];
		free(pattern->matches);
		pattern->matches = memory_new(walk->element_count, sizeof *pattern->matches);
		for (uint32_t e = 0; e < walk->element_count; e++)
			pattern->matches[e] = met[e] && !regexec(&pattern->regex, name_of(walk, e), 0, 0, 0);
	}
}

/* The elements that are wanted, and those of them that occur on any stack. */
static void find_wanted(struct walk *walk)
{
	const struct data *data = walk->expression->setting->data;
	uint32_t elements[FRAMES_MAX];
	bool *met = memory_new(walk->element_count, sizeof *met);
	for (uint32_t s = 0; s < data->stack_count; s++)
		for (unsigned count = elements_of(walk, s, elements); count--;)
			met[elements[count]] = true;
	match_patterns(walk, met);
	walk->every_place_met = true;
	for (uint32_t p = 0; p < walk->test->place_count; p++) {
		bool any = false;
		for (uint32_t e = 0; e < walk->element_count; e++)
			if (met[e] && place_matches(walk, &walk->test->places[p], e)) {
				walk->wanted_met += !walk->wanted[e];
				walk->wanted[e] = any = true;
			}
		walk->every_place_met &= any;
	}
	free(met);
}

static void link_stacks(struct walk *walk)
{
	const struct data *data = walk->expression->setting->data;
	walk->first_child = memory_new(data->stack_count, sizeof *walk->first_child);
	walk->next_sibling = memory_new(data->stack_count, sizeof *walk->next_sibling);
	/* From the last to the first, so that siblings stand in their own order. */
	for (uint32_t s = data->stack_count; s-- > 1;) {
		uint32_t parent = data->stacks[s].parent;
		walk->next_sibling[s] = walk->first_child[parent];
		walk->first_child[parent] = s;
	}
}

/* Whether the list, caller first, ends at the last element of the path. */
static bool run_ends_here(const struct walk *walk)
{
	uint32_t count = walk->test->place_count;
	if (count > walk->path_count)
		return false;
	for (uint32_t p = 0; p < count; p++)
		if (!place_matches(walk, &walk->test->places[p], walk->path[walk->path_count - count + p]))
			return false;
	return true;
}

static void push(struct walk *walk, uint32_t element)
{
	if (walk->path_count == walk->path_capacity) {
		walk->path_capacity = walk->path_capacity ? walk->path_capacity * 2 : 256;
		walk->path = memory_resize(walk->path, walk->path_capacity, sizeof *walk->path);
		walk->runs_on_path = memory_resize(walk->runs_on_path, walk->path_capacity, sizeof *walk->runs_on_path);
	}
	uint32_t runs = walk->path_count ? walk->runs_on_path[walk->path_count - 1] : 0;
	walk->path[walk->path_count++] = element;
	if (walk->test->relation == STACK_HAS_RUN)
		runs += run_ends_here(walk);
	walk->runs_on_path[walk->path_count - 1] = runs;
	if (!walk->wanted[element])
		walk->others_on_path++;
	else if (walk->wanted_on_path++, !walk->on_path[element]++)
		walk->distinct_on_path++;
}

static void pop(struct walk *walk)
{
	uint32_t element = walk->path[--walk->path_count];
	if (!walk->wanted[element])
		walk->others_on_path--;
	else if (walk->wanted_on_path--, !--walk->on_path[element])
		walk->distinct_on_path--;
}

static bool path_holds(const struct walk *walk)
{
	switch (walk->test->relation) {
	case STACK_HAS_ALL:
		return walk->every_place_met && walk->distinct_on_path == walk->wanted_met;
	case STACK_HAS_SOME:
		return walk->wanted_on_path > 0;
	case STACK_HAS_RUN:
		return walk->path_count && walk->runs_on_path[walk->path_count - 1] > 0;
	case STACK_ONLY_OF:
		return walk->path_count && !walk->others_on_path;
	}
	return false;
}

/* The leaf alone is a path of one function. */
static void test_leaves(struct walk *walk, uint8_t *holds)
{
	const struct data *data = walk->expression->setting->data;
	uint32_t elements[FRAMES_MAX];
	for (uint32_t s = 0; s < data->stack_count; s++) {
		unsigned count = elements_of(walk, s, elements);
		if (!count && !(data->stacks[s].flags & STACK_ROOT)) { /* not shown: its caller's */
			holds[s] = holds[data->stacks[s].parent];
			continue;
		}
		if (!count)
			elements[0] = FUNCTION_NO_STACK;
		push(walk, elements[0]);
		holds[s] = path_holds(walk);
		pop(walk);
	}
}

static void test_paths(struct walk *walk, uint8_t *holds)
{
	const struct data *data = walk->expression->setting->data;
	uint32_t elements[FRAMES_MAX];
	uint32_t *pushed = memory_new(data->stack_count, sizeof *pushed);
	link_stacks(walk);
	/* An event whose stack is not known has one function, the one of that name. */
	push(walk, FUNCTION_NO_STACK);
	bool nowhere = path_holds(walk);
	pop(walk);
	uint32_t stack = 0;
	for (bool entering = true;;) {
		if (entering) {
			unsigned count = stack ? elements_of(walk, stack, elements) : 0;
			pushed[stack] = count;
			while (count)
				push(walk, elements[--count]);
			holds[stack] = walk->path_count ? path_holds(walk) : nowhere;
			entering = walk->first_child[stack] != 0;
			if (entering) {
				stack = walk->first_child[stack];
				continue;
			}
		}
		while (pushed[stack]--)
			pop(walk);
		if (!stack)
			break;
		entering = walk->next_sibling[stack] != 0;
		stack = entering ? walk->next_sibling[stack] : data->stacks[stack].parent;
	}
	free(pushed);
	for (uint32_t s = 1; s < data->stack_count; s++)
		holds[s] = holds[view_mode_stack(mode_of(walk), data, s)];
}

static void test_stacks(struct expression *expression, struct stack_test *test)
{
	struct walk walk = {.expression = expression, .test = test};
	const struct expression_setting *setting = expression->setting;
	uint32_t elements[FRAMES_MAX];
	free(test->holds);
	test->holds = memory_new(setting->data->stack_count, sizeof *test->holds);
	for (uint32_t s = 0; s < setting->data->stack_count; s++)
		elements_of(&walk, s, elements);
	walk.element_count = test->elements == EXPRESSION_LINES ? resolver_line_count(setting->resolver)
								: resolver_function_count(setting->resolver);
	walk.on_path = memory_new(walk.element_count, sizeof *walk.on_path);
	walk.wanted = memory_new(walk.element_count, sizeof *walk.wanted);
	find_wanted(&walk);
	if (test->view == EXPRESSION_LEAF)
		test_leaves(&walk, test->holds);
	else
		test_paths(&walk, test->holds);
	free(walk.first_child);
	free(walk.next_sibling);
	free(walk.path);
	free(walk.runs_on_path);
	free(walk.on_path);
	free(walk.wanted);
}

void expression_test_stacks(struct expression *expression)
{
	for (uint32_t t = 0; t < expression->test_count; t++)
		test_stacks(expression, &expression->tests[t]);
}
