/* SPDX-License-Identifier: Apache-2.0 */
/* Matching by sets of positions: each part of the pattern turns the set of places in the text that were reached into the
   set that it reaches from them, so that time is bounded by the product of the lengths (and of nested repetitions). */
#include "pattern.h"
#include <stddef.h>
#include <stdint.h>

#define WORDS      (PATTERN_TEXT_MAX / 64 + 1)
#define DEPTH_MAX  8   /* the stacks of targets may be small */
#define REPEAT_MAX 255 /* POSIX's RE_DUP_MAX */
#define STEPS_MAX  4000000u
#define NO_LIMIT   0xffffffffu

/* Bit I: the I-th byte of the text is the next (its length: all of it was matched). */
struct positions {
	uint64_t words[WORDS];
};

struct matcher {
	const char *at; /* in the pattern */
	const unsigned char *text;
	unsigned length, depth, steps;
	const char *error;
};

static void alternatives(struct matcher *matcher, const struct positions *from, struct positions *to);

static void fail(struct matcher *matcher, const char *error)
{
	if (!matcher->error)
		matcher->error = error;
}

static bool has(const struct positions *set, unsigned place)
{
	return set->words[place / 64] >> (place % 64) & 1;
}

static void add_position(struct positions *set, unsigned place)
{
	set->words[place / 64] |= 1ull << (place % 64);
}

static bool same(const struct positions *a, const struct positions *b)
{
	uint64_t difference = 0;
	for (unsigned i = 0; i < WORDS; i++)
		difference |= a->words[i] ^ b->words[i];
	return difference == 0;
}

static void unite(struct positions *set, const struct positions *other)
{
	for (unsigned i = 0; i < WORDS; i++)
		set->words[i] |= other->words[i];
}

/* Which bytes a part of one byte stands for. */
struct bytes {
	bool member[256];
};

static void step_over(
	const struct matcher *matcher, const struct bytes *bytes, const struct positions *from, struct positions *to)
{
	for (unsigned i = 0; i < matcher->length; i++)
		if (has(from, i) && bytes->member[matcher->text[i]])
			add_position(to, i + 1);
}

static void add_range(struct bytes *bytes, unsigned first, unsigned last)
{
	for (unsigned byte = first; byte <= last; byte++)
		bytes->member[byte] = true;
}

static bool starts_with(const char *text, const char *start)
{
	while (*start && *text == *start)
		text++, start++;
	return !*start;
}

/* "[:alpha:]" inside of brackets, in ASCII. */
static void add_class(struct matcher *matcher, struct bytes *bytes)
{
	static const struct {
		const char *name, *ranges; /* pairs of first and last */
	} classes[] = {
		{"[:alnum:]", "09AZaz"},
		{"[:alpha:]", "AZaz"},
		{"[:blank:]", "\t\t  "},
		{"[:cntrl:]", "\001\037\177\177"},
		{"[:digit:]", "09"},
		{"[:graph:]", "!~"},
		{"[:lower:]", "az"},
		{"[:print:]", " ~"},
		{"[:punct:]", "!/:@[`{~"},
		{"[:space:]", "\t\r  "},
		{"[:upper:]", "AZ"},
		{"[:xdigit:]", "09AFaf"},
	};
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		if (!starts_with(matcher->at, classes[i].name))
			continue;
		for (const char *range = classes[i].ranges; *range; range += 2)
			add_range(bytes, (unsigned char)range[0], (unsigned char)range[1]);
		for (const char *name = classes[i].name; *name; name++)
			matcher->at++;
		return;
	}
	fail(matcher, "a character class that is not known");
}

/* Behind the '['. */
static void read_brackets(struct matcher *matcher, struct bytes *bytes)
{
	*bytes = (struct bytes){.member = {false}};
	bool all_others = *matcher->at == '^';
	matcher->at += all_others;
	for (bool first = true; first || *matcher->at != ']'; first = false) {
		const char *at = matcher->at;
		if (!*at)
			fail(matcher, "a [ without its ]");
		else if (at[0] == '[' && (at[1] == '.' || at[1] == '='))
			fail(matcher, "collating symbols and equivalence classes are not supported");
		else if (at[0] == '[' && at[1] == ':')
			add_class(matcher, bytes);
		else if (at[1] == '-' && at[2] && at[2] != ']') {
			if ((unsigned char)at[0] > (unsigned char)at[2] || at[2] == '[')
				fail(matcher, "a range whose end is before its start");
			add_range(bytes, (unsigned char)at[0], (unsigned char)at[2]);
			matcher->at += 3;
		} else {
			bytes->member[(unsigned char)*matcher->at++] = true;
		}
		if (matcher->error)
			return;
	}
	matcher->at++;
	for (unsigned i = 0; all_others && i < 256; i++)
		bytes->member[i] = !bytes->member[i];
}

static bool is_alphanumeric(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void group(struct matcher *matcher, const struct positions *from, struct positions *to)
{
	if (++matcher->depth > DEPTH_MAX)
		fail(matcher, "too many nested parentheses");
	else
		alternatives(matcher, from, to);
	matcher->depth--;
	if (*matcher->at == ')')
		matcher->at++;
	else
		fail(matcher, "a ( without its )");
}

/* An atom that stands for one byte; C is its first character, which was read. Apart from atom(), so that the recursion
   does not pay for its set of bytes. */
static __attribute__((noinline)) void one_byte(
	struct matcher *matcher, char c, const struct positions *from, struct positions *to)
{
	struct bytes bytes = {.member = {false}};
	if (c == '[') {
		read_brackets(matcher, &bytes);
	} else if (c == '.') {
		add_range(&bytes, 1, 255);
	} else {
		if (c == '\\') {
			c = *matcher->at;
			if (!c || is_alphanumeric(c))
				fail(matcher, c ? "a \\ before a letter or digit" : "a \\ at the end");
			else
				matcher->at++;
		}
		bytes.member[(unsigned char)c] = true;
	}
	if (!matcher->error)
		step_over(matcher, &bytes, from, to);
}

/* Reads one atom; what it reaches is added to *to. */
static void atom(struct matcher *matcher, const struct positions *from, struct positions *to)
{
	char c = *matcher->at++;
	if (++matcher->steps > STEPS_MAX)
		fail(matcher, "too many nested repetitions");
	else if (c == '(')
		group(matcher, from, to);
	else if (c == '*' || c == '+' || c == '?' || c == '{')
		fail(matcher, "a repetition of nothing");
	else if (c == '^' && has(from, 0))
		add_position(to, 0);
	else if (c == '$' && has(from, matcher->length))
		add_position(to, matcher->length);
	else if (c != '^' && c != '$')
		one_byte(matcher, c, from, to);
}

static unsigned read_number(struct matcher *matcher, unsigned otherwise)
{
	if (*matcher->at < '0' || *matcher->at > '9')
		return otherwise;
	unsigned number = 0;
	for (; *matcher->at >= '0' && *matcher->at <= '9'; matcher->at++)
		if (number <= REPEAT_MAX)
			number = number * 10 + (unsigned)(*matcher->at - '0');
	if (number > REPEAT_MAX)
		fail(matcher, "more than 255 repetitions");
	return number;
}

/* "*", "+", "?", "{m}", "{m,}", "{m,n}". False: there is none. */
static bool read_repetition(struct matcher *matcher, unsigned *least, unsigned *most)
{
	char c = *matcher->at;
	if (c != '*' && c != '+' && c != '?' && c != '{')
		return false;
	matcher->at++;
	*least = c == '+';
	*most = c == '?' ? 1 : NO_LIMIT;
	if (c != '{')
		return true;
	*least = *most = read_number(matcher, NO_LIMIT);
	if (*matcher->at == ',') {
		matcher->at++;
		*most = read_number(matcher, NO_LIMIT);
	}
	if (*least == NO_LIMIT || *matcher->at != '}' || *most < *least)
		fail(matcher, "a wrong {repetition}");
	else
		matcher->at++;
	return true;
}

/* `part`, which is an atom or what was repeated before, from LEAST to MOST times. */
struct part {
	const char *start;
	unsigned least[4], most[4], repetitions;
};

static void repeat(struct matcher *matcher, const struct part *part, unsigned level, const struct positions *from,
	struct positions *to)
{
	if (level == 0) {
		matcher->at = part->start;
		atom(matcher, from, to);
		return;
	}
	struct positions reached = *from;
	unsigned least = part->least[level - 1], most = part->most[level - 1];
	for (unsigned times = 0; !matcher->error; times++) {
		if (times >= least)
			unite(to, &reached);
		if (times == most)
			return;
		struct positions next = {{0}}, all = *to;
		repeat(matcher, part, level - 1, &reached, &next);
		/* Nothing will be new: at what was reached, or within what all the times before have. */
		unite(&all, &next);
		bool settled = times >= least ? same(&all, to) : same(&next, &reached);
		reached = next;
		if (settled) {
			unite(to, &reached);
			return;
		}
	}
}

/* A piece: an atom and its repetitions. The atom is read once first, to find its end. */
static void piece(struct matcher *matcher, const struct positions *from, struct positions *to)
{
	struct part part = {.start = matcher->at};
	struct positions once = {{0}};
	atom(matcher, from, &once);
	while (!matcher->error && read_repetition(matcher, &part.least[part.repetitions], &part.most[part.repetitions]))
		if (++part.repetitions == sizeof part.least / sizeof *part.least)
			fail(matcher, "too many repetitions of a repetition");
	if (part.repetitions == 0 || matcher->error) {
		*to = once;
		return;
	}
	const char *end = matcher->at;
	repeat(matcher, &part, part.repetitions, from, to);
	matcher->at = end;
}

static void branch(struct matcher *matcher, const struct positions *from, struct positions *to)
{
	struct positions reached = *from;
	while (!matcher->error && *matcher->at && *matcher->at != '|' && *matcher->at != ')') {
		struct positions next = {{0}};
		piece(matcher, &reached, &next);
		reached = next;
	}
	unite(to, &reached);
}

static void alternatives(struct matcher *matcher, const struct positions *from, struct positions *to)
{
	branch(matcher, from, to);
	while (!matcher->error && *matcher->at == '|') {
		matcher->at++;
		branch(matcher, from, to);
	}
}

static bool run(struct matcher *matcher)
{
	struct positions from = {{0}}, to = {{0}};
	add_position(&from, 0);
	alternatives(matcher, &from, &to);
	if (*matcher->at == ')')
		fail(matcher, "a ) without its (");
	return !matcher->error && has(&to, matcher->length);
}

const char *pattern_error(const char *pattern)
{
	struct matcher matcher = {.at = pattern, .text = (const unsigned char *)""};
	run(&matcher);
	return matcher.error;
}

bool pattern_matches(const char *pattern, const char *text)
{
	struct matcher matcher = {.at = pattern, .text = (const unsigned char *)text};
	while (text[matcher.length])
		if (++matcher.length > PATTERN_TEXT_MAX)
			return false;
	return run(&matcher);
}
