/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes folded lines apart. */
#include "folded.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "12" or "12.5" up to the end of the text, as a whole number and millionths, cut. */
static bool read_count(const char *text, uint64_t *count, uint32_t *millionths)
{
	uint32_t place = IMPORTED_MILLION / 10;
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*count = strtoull(text, (char **)&text, 10);
	*millionths = 0;
	if (errno || !*text)
		return !errno;
	if (*text++ != '.')
		return false;
	for (; isdigit((unsigned char)*text); text++, place /= 10)
		*millionths += (uint32_t)(*text - '0') * place;
	return !*text;
}

/* The start of the last word of a line, if a blank and something stand before it; else 0. */
static char *last_word(char *line, char *end)
{
	char *word = end;
	while (word > line && !is_blank(word[-1]))
		word--;
	return word > line && word < end ? word : 0;
}

static uint32_t add_frame(struct imported_profile *profile, uint32_t parent, const char *name)
{
	struct imported_function function = {.name = imported_text(profile, *name ? name : "(no name)")};
	return imported_stack(
		profile, &(struct imported_stack){.parent = parent, .function = imported_function(profile, &function)});
}

/* Frames between semicolons; empty ones at the end are lost, as flamegraph.pl has it. */
static uint32_t take_frames(struct imported_profile *profile, char *text, char *end)
{
	uint32_t stack = 0;
	while (end > text && end[-1] == ';')
		end--;
	*end = 0;
	for (char *next = text; next && text < end; text = next) {
		next = strchr(text, ';');
		if (next)
			*next++ = 0;
		stack = add_frame(profile, stack, text);
	}
	return stack;
}

/* Takes a first count from the end of the frames, whose new end it returns; 0: there is none. */
static char *take_before(struct folded_before *before, char *line, char *end)
{
	char *word = last_word(line, end);
	if (!word || !read_count(word, &before->count, &before->millionths))
		return 0;
	while (word > line && is_blank(word[-1]))
		word--;
	return word;
}

void folded_begin(struct folded *folded, struct imported_profile *profile)
{
	*folded = (struct folded){.profile = profile};
	profile->what = "Folded stacks";
	profile->record = "line";
	profile->samples = SAMPLES_COUNTED;
	imported_counter(profile, "Folded Count", UNITS_EVENTS);
	strcpy(profile->counters[0].name, "folded");
}

/* Whether lines with two counts came before one that has not: what was taken for a first count is the end of a name. */
static void take_again(struct folded *folded)
{
	uint32_t count = folded->before_count;
	folded->single = true;
	folded->before_count = 0;
	folded->profile->event_count = 0;
	folded->profile->records = 0;
	for (uint32_t i = 0; i < count; i++) {
		char *line = folded->before[i].line;
		folded_take(folded, line, strlen(line), folded->before[i].number);
		free(line);
	}
}

void folded_take(struct folded *folded, char *line, size_t length, uint64_t number)
{
	struct imported_event event = {.thread = 1};
	struct folded_before before = {.number = number};
	char *end = line + length;
	if (line[strspn(line, " \t\r")] == 0 && strlen(line) == length)
		return;
	while (end > line && (is_blank(end[-1]) || end[-1] == '\r'))
		*--end = 0;
	char *word = memchr(line, 0, (size_t)(end - line)) ? 0 : last_word(line, end);
	if (!word || !read_count(word, &event.count, &event.millionths)) {
		imported_ignore(folded->profile, "line %" PRIu64 " is no folded stack", number);
		return;
	}
	before.line = folded->single ? 0 : strdup(line);
	for (end = word; end > line && is_blank(end[-1]);)
		end--;
	*end = 0;
	char *first = folded->single ? 0 : take_before(&before, line, end);
	if (!folded->single && !first)
		take_again(folded);
	event.stack = take_frames(folded->profile, line, first ? first : end);
	if (!imported_event(folded->profile, &event)) {
		imported_ignore(folded->profile, "line %" PRIu64 " is one too many", number);
		free(before.line);
		return;
	}
	folded->profile->records++;
	if (!first) {
		free(before.line);
		return;
	}
	folded->before = memory_room(folded->before, folded->before_count, sizeof before);
	folded->before[folded->before_count++] = before;
}

/* The event of each line is of the second count. */
static void part_counts(struct folded *folded)
{
	struct imported_profile *profile = folded->profile;
	uint32_t lines = profile->event_count;
	struct imported_process before = {.suffix = imported_text(profile, " (before)")},
				after = {.suffix = imported_text(profile, " (after)"), .apart = true};
	imported_process(profile, &before);
	imported_process(profile, &after);
	for (uint32_t i = 0; i < lines && i < folded->before_count; i++) {
		struct imported_event event = profile->events[i];
		profile->events[i].process = 1;
		event.count = folded->before[i].count;
		event.millionths = folded->before[i].millionths;
		if (!imported_event(profile, &event))
			imported_ignore(profile, "there are too many lines");
	}
}

void folded_end(struct folded *folded)
{
	if (folded->before_count)
		part_counts(folded);
	for (uint32_t i = 0; i < folded->before_count; i++)
		free(folded->before[i].line);
	free(folded->before);
}
