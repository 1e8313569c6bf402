/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes folded lines apart. */
#include "folded.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "12" or "12.5" up to the end of the text, as a whole number and millionths, cut. */
static bool read_count(const char *text, uint64_t *count, uint32_t *millionths)
{
	uint32_t place = FOLDED_MILLION / 10;
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

/* Frames between semicolons; empty ones at the end are lost, as flamegraph.pl has it. */
static void take_frames(struct folded *folded, char *text, char *end)
{
	while (end > text && end[-1] == ';')
		end--;
	*end = 0;
	for (char *next = text; next && text < end; text = next) {
		next = strchr(text, ';');
		if (next)
			*next++ = 0;
		folded->frames = memory_room(folded->frames, folded->frame_count, sizeof *folded->frames);
		folded->frames[folded->frame_count++] = strings_number(&folded->names, *text ? text : "(no name)");
	}
}

/* One line without its newline, ended by a NUL. False if it is no folded stack. *differential stays true only if the line has a
   second count. */
static bool take_line(struct folded *folded, char *line, size_t length, bool *differential)
{
	struct folded_line taken = {0};
	char *end = line + length;
	while (end > line && (is_blank(end[-1]) || end[-1] == '\r'))
		*--end = 0;
	char *word = memchr(line, 0, (size_t)(end - line)) ? 0 : last_word(line, end);
	if (!word || !read_count(word, &taken.count, &taken.millionths))
		return false;
	for (end = word; end > line && is_blank(end[-1]);)
		*--end = 0;
	if (*differential) {
		uint64_t before;
		uint32_t fraction;
		word = last_word(line, end);
		*differential = word && read_count(word, &before, &fraction);
	}
	take_frames(folded, line, end);
	taken.frames_end = folded->frame_count;
	folded->has_fractions |= taken.millionths != 0;
	folded->lines = memory_room(folded->lines, folded->line_count, sizeof *folded->lines);
	folded->lines[folded->line_count++] = taken;
	return true;
}

static bool take_lines(struct folded *folded, FILE *file, bool *differential)
{
	char *line = 0;
	size_t capacity = 0;
	ssize_t length;
	uint64_t number = 0;
	while (folded->line_count < UINT32_MAX && (length = getline(&line, &capacity, file)) >= 0) {
		number++;
		if (length && line[length - 1] == '\n')
			line[--length] = 0;
		if (line[strspn(line, " \t\r")] == 0 && strlen(line) == (size_t)length)
			continue;
		if (take_line(folded, line, (size_t)length, differential))
			continue;
		if (!folded->ignored++)
			folded->first_ignored = number;
	}
	free(line);
	return !ferror(file);
}

/* Makes millionths of all counts if one has a fraction. False if the sum of all, which is the largest number of any report,
   cannot be held. */
static bool scale_counts(struct folded *folded)
{
	uint64_t sum = 0, factor = folded->has_fractions ? FOLDED_MILLION : 1;
	for (uint32_t i = 0; i < folded->line_count; i++) {
		struct folded_line *line = &folded->lines[i];
		if (__builtin_mul_overflow(line->count, factor, &line->count) ||
			__builtin_add_overflow(line->count, line->millionths, &line->count) ||
			__builtin_add_overflow(sum, line->count, &sum))
			return false;
	}
	return sum <= INT64_MAX;
}

bool folded_read(struct folded *folded, const char *path, struct error *error)
{
	bool differential = true;
	FILE *file = fopen(path, "re");
	if (!file)
		return error_set(error, "%s: %s", path, strerror(errno));
	bool whole = take_lines(folded, file, &differential);
	int code = errno;
	fclose(file);
	if (!whole)
		return error_set(error, "%s: %s", path, strerror(code));
	if (!folded->line_count)
		return error_set(error,
			"%s: no line of it is a folded stack (frames separated by semicolons, a blank, a count)", path);
	if (differential)
		return error_set(error,
			"%s: every line has two counts: import them one by one, each from a file of its own", path);
	if (!scale_counts(folded))
		return error_set(error, "%s: the sum of its counts is too large", path);
	return true;
}

void folded_free(struct folded *folded)
{
	strings_free(&folded->names);
	free(folded->frames);
	free(folded->lines);
	*folded = (struct folded){.frames = 0};
}
