/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes functions with blocks of the lines `isize`, `func`, `block` and `insn`. */
#include "feed_code.h"
#include "search.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool feed_number(const char *text, int base, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = isxdigit((unsigned char)*text) ? strtoull(text, &end, base) : 1;
	return isxdigit((unsigned char)*text) && !errno && end != text && !*end;
}

static bool take_size(struct sample_feed *feed, char *const *word, unsigned count)
{
	uint64_t size;
	if (count != 2 || !feed_number(word[1], 10, &size) || !size || size > UINT8_MAX)
		return false;
	feed->isize = (uint32_t)size;
	return true;
}

/* func NAME START END */
static bool take_function(struct sample_feed *feed, char *const *word, unsigned count)
{
	struct imported_profile *profile = feed->profile;
	struct feed_function made;
	if (count != 4 || !feed_number(word[2], 16, &made.start) || !feed_number(word[3], 16, &made.end) ||
		made.end <= made.start || made.end - made.start > IMPORTED_OFFSETS)
		return false;
	struct imported_function function = {.name = imported_text(profile, word[1])};
	made.function = imported_function(profile, &function);
	if (made.function < profile->code_count)
		return false; /* there is one of that name */
	feed->functions = memory_room(feed->functions, feed->function_count, sizeof made);
	feed->functions[feed->function_count++] = made;
	profile->code = memory_room(profile->code, profile->code_count, sizeof *profile->code);
	profile->code[profile->code_count++] = (struct code_blocks){.instruction_size = feed->isize};
	return true;
}

/* A place in the last function, or its end, as an offset. */
static bool read_place(const struct sample_feed *feed, const char *text, uint64_t *offset)
{
	const struct feed_function *function = &feed->functions[feed->function_count - 1];
	if (!feed_number(text, 16, offset) || *offset < function->start || *offset > function->end)
		return false;
	*offset -= function->start;
	return true;
}

/* block START END (-> ADDRESS... | ret | ind) */
static bool take_block(struct sample_feed *feed, struct code_blocks *code, char *const *word, unsigned count)
{
	struct code_block block = {.first = code->successor_count};
	if (count < 4 || !read_place(feed, word[1], &block.start) || !read_place(feed, word[2], &block.end) ||
		block.end <= block.start)
		return false;
	bool goes_on = !strcmp(word[3], "->");
	block.has_unknown_targets = !strcmp(word[3], "ind");
	block.returns = !strcmp(word[3], "ret");
	if (goes_on ? count < 5 : count > 4 || (!block.has_unknown_targets && !block.returns))
		return false;
	for (unsigned i = 4; i < count; i++) {
		uint64_t target;
		if (!read_place(feed, word[i], &target))
			return false;
		code->successors = memory_room(code->successors, block.first + block.count, sizeof target);
		code->successors[block.first + block.count++] = target;
	}
	code->successor_count += block.count;
	code->blocks = memory_room(code->blocks, code->count, sizeof block);
	code->blocks[code->count++] = block;
	return true;
}

/* insn ADDRESS LENGTH */
static bool take_instruction(struct sample_feed *feed, struct code_blocks *code, char *const *word, unsigned count)
{
	uint64_t offset, length;
	if (count != 3 || !read_place(feed, word[1], &offset) || !feed_number(word[2], 10, &length) || !length)
		return false;
	code->instructions = memory_room(code->instructions, code->instruction_count, sizeof offset);
	code->instructions[code->instruction_count++] = offset;
	return true;
}

bool feed_take_code(struct sample_feed *feed, char *const *word, unsigned count)
{
	struct imported_profile *profile = feed->profile;
	if (!strcmp(word[0], "isize"))
		return take_size(feed, word, count);
	if (!strcmp(word[0], "func"))
		return take_function(feed, word, count);
	if (!profile->code_count)
		return false;
	struct code_blocks *code = &profile->code[profile->code_count - 1];
	return !strcmp(word[0], "block")  ? take_block(feed, code, word, count)
	       : !strcmp(word[0], "insn") ? take_instruction(feed, code, word, count)
					  : false;
}

static int by_start(const void *a, const void *b)
{
	const struct code_block *x = a, *y = b;
	return COMPARE(x->start, y->start) ?: COMPARE(x->end, y->end) ?: COMPARE(x->first, y->first);
}

static int by_number(const void *a, const void *b)
{
	return COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int by_address(const void *a, const void *b)
{
	const struct feed_function *x = a, *y = b;
	return COMPARE(x->start, y->start) ?: COMPARE(x->function, y->function);
}

static void end_function(struct sample_feed *feed, struct code_blocks *code)
{
	uint32_t count = 0;
	if (code->count)
		qsort(code->blocks, code->count, sizeof *code->blocks, by_start);
	for (uint32_t i = 0; i < code->count; i++)
		if (count && code->blocks[i].start < code->blocks[count - 1].end)
			imported_ignore(feed->profile, "block %#" PRIx64 " of a function overlaps another one",
				code->blocks[i].start);
		else
			code->blocks[count++] = code->blocks[i];
	code->count = count;
	count = 0;
	if (code->instruction_count)
		qsort(code->instructions, code->instruction_count, sizeof *code->instructions, by_number);
	for (uint32_t i = 0; i < code->instruction_count; i++)
		if (!count || code->instructions[i] != code->instructions[count - 1])
			code->instructions[count++] = code->instructions[i];
	code->instruction_count = count;
}

void feed_end_code(struct sample_feed *feed)
{
	struct imported_profile *profile = feed->profile;
	for (uint32_t i = 0; i < profile->code_count; i++)
		end_function(feed, &profile->code[i]);
	if (feed->function_count)
		qsort(feed->functions, feed->function_count, sizeof *feed->functions, by_address);
}

uint32_t feed_stack(struct sample_feed *feed, uint64_t pc, uint32_t caller)
{
	uint32_t low = (uint32_t)FIRST_WHERE(i, feed->function_count, feed->functions[i].start > pc);
	if (!low)
		return 0;
	const struct feed_function *function = &feed->functions[low - 1];
	if (pc >= function->end)
		return 0;
	return imported_stack(feed->profile,
		&(struct imported_stack){
			.parent = caller, .function = function->function, .offset = (uint32_t)(pc - function->start)});
}
