/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FNAME against call stacks: one walk over the tree of all stacks for each test, each function's name matched once. */
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
	uint32_t function_count;
	uint32_t *first_child, *next_sibling;      /* [stack] */
	uint32_t *path, path_count, path_capacity; /* functions from the root */
	uint32_t *on_path;                         /* [function] how often it is on the path */
	bool *wanted;                              /* [function] in some place of the list */
	uint32_t wanted_met;                       /* functions that are wanted and occur on stacks */
	uint32_t wanted_on_path, others_on_path;   /* frames */
	uint32_t distinct_on_path;                 /* wanted functions */
	uint32_t *runs_on_path;                    /* [path place] runs that end at or before it */
	bool every_place_met;
};

static unsigned frames_of(const struct walk *walk, uint32_t stack, struct frame frames[FRAMES_MAX])
{
	const struct expression_setting *setting = walk->expression->setting;
	static const enum view_mode modes[] = {
		[EXPRESSION_USER] = VIEW_USER, [EXPRESSION_EXPERT] = VIEW_EXPERT, [EXPRESSION_MACHINE] = VIEW_MACHINE};
	enum expression_view view = walk->test->view;
	enum view_mode mode = view <= EXPRESSION_MACHINE ? modes[view] : setting->mode;
	const struct stack *at = &setting->data->stacks[stack];
	if (!stack) {
		frames[0].function = FUNCTION_NO_STACK;
		return 1;
	}
	if (at->flags & STACK_ROOT) {
		frames[0].function = resolver_root_function(at->address);
		return frames[0].function != FUNCTION_TOTAL;
	}
	return view_mode_rewrite(mode, frames, resolver_frames(setting->resolver, stack, frames));
}

static bool place_matches(const struct walk *walk, const struct stack_place *place, uint32_t function)
{
	if (place->pattern == NO_NODE)
		return place->number == function;
	return walk->expression->patterns[place->pattern].matches[function];
}

static void match_patterns(struct walk *walk)
{
	struct expression *expression = walk->expression;
	const struct expression_setting *setting = expression->setting;
	for (uint32_t p = 0; p < walk->test->place_count; p++) {
		if (walk->test->places[p].pattern == NO_NODE)
			continue;
		struct function_pattern *pattern = &expression->patterns[walk->test->places[p].pattern];
		free(pattern->matches);
		pattern->matches = memory_new(walk->function_count, sizeof *pattern->matches);
		for (uint32_t f = 0; f < walk->function_count; f++) {
			const char *name = setting->function_name ? setting->function_name(setting->context, f)
								  : resolver_function(setting->resolver, f)->long_name;
			pattern->matches[f] = !regexec(&pattern->regex, name, 0, 0, 0);
		}
	}
}

/* The functions that are wanted, and those of them that occur on any stack. */
static void find_wanted(struct walk *walk)
{
	const struct data *data = walk->expression->setting->data;
	struct frame frames[FRAMES_MAX];
	bool *met = memory_new(walk->function_count, sizeof *met);
	for (uint32_t s = 0; s < data->stack_count; s++)
		for (unsigned count = frames_of(walk, s, frames); count--;)
			met[frames[count].function] = true;
	walk->every_place_met = true;
	for (uint32_t p = 0; p < walk->test->place_count; p++) {
		bool any = false;
		for (uint32_t f = 0; f < walk->function_count; f++)
			if (met[f] && place_matches(walk, &walk->test->places[p], f)) {
				walk->wanted_met += !walk->wanted[f];
				walk->wanted[f] = any = true;
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

/* Whether the list, caller first, ends at the last function of the path. */
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

static void push(struct walk *walk, uint32_t function)
{
	if (walk->path_count == walk->path_capacity) {
		walk->path_capacity = walk->path_capacity ? walk->path_capacity * 2 : 256;
		walk->path = memory_resize(walk->path, walk->path_capacity, sizeof *walk->path);
		walk->runs_on_path = memory_resize(walk->runs_on_path, walk->path_capacity, sizeof *walk->runs_on_path);
	}
	uint32_t runs = walk->path_count ? walk->runs_on_path[walk->path_count - 1] : 0;
	walk->path[walk->path_count++] = function;
	if (walk->test->relation == STACK_HAS_RUN)
		runs += run_ends_here(walk);
	walk->runs_on_path[walk->path_count - 1] = runs;
	if (!walk->wanted[function])
		walk->others_on_path++;
	else if (walk->wanted_on_path++, !walk->on_path[function]++)
		walk->distinct_on_path++;
}

static void pop(struct walk *walk)
{
	uint32_t function = walk->path[--walk->path_count];
	if (!walk->wanted[function])
		walk->others_on_path--;
	else if (walk->wanted_on_path--, !--walk->on_path[function])
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
	struct frame frames[FRAMES_MAX];
	for (uint32_t s = 0; s < data->stack_count; s++) {
		unsigned count = frames_of(walk, s, frames);
		if (!count && !(data->stacks[s].flags & STACK_ROOT)) { /* not shown: its caller's */
			holds[s] = holds[data->stacks[s].parent];
			continue;
		}
		if (!count)
			frames[0].function = FUNCTION_NO_STACK;
		push(walk, frames[0].function);
		holds[s] = path_holds(walk);
		pop(walk);
	}
}

static void test_paths(struct walk *walk, uint8_t *holds)
{
	const struct data *data = walk->expression->setting->data;
	struct frame frames[FRAMES_MAX];
	uint32_t *pushed = memory_new(data->stack_count, sizeof *pushed);
	link_stacks(walk);
	/* An event whose stack is not known has one function, the one of that name. */
	push(walk, FUNCTION_NO_STACK);
	bool nowhere = path_holds(walk);
	pop(walk);
	uint32_t stack = 0;
	for (bool entering = true;;) {
		if (entering) {
			unsigned count = stack ? frames_of(walk, stack, frames) : 0;
			pushed[stack] = count;
			while (count)
				push(walk, frames[--count].function);
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
}

static void test_stacks(struct expression *expression, struct stack_test *test)
{
	struct walk walk = {.expression = expression, .test = test};
	const struct expression_setting *setting = expression->setting;
	struct frame frames[FRAMES_MAX];
	free(test->holds);
	test->holds = memory_new(setting->data->stack_count, sizeof *test->holds);
	for (uint32_t s = 0; s < setting->data->stack_count; s++)
		frames_of(&walk, s, frames);
	walk.function_count = resolver_function_count(setting->resolver);
	walk.on_path = memory_new(walk.function_count, sizeof *walk.on_path);
	walk.wanted = memory_new(walk.function_count, sizeof *walk.wanted);
	match_patterns(&walk);
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
