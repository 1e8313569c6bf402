/* SPDX-License-Identifier: Apache-2.0 */
/* Distances by the optimal string alignment: insertions, deletions, substitutions, and exchanges of neighbours (Boytsov, "Indexing
   methods for approximate dictionary searching", ACM Journal of Experimental Algorithmics 16, 2011). */
#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_MAX = 63, PART_LEAST = 3, LETTERS_A_MISTAKE = 3, PART_OF_NAME = LENGTH_MAX };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned rows[3][LENGTH_MAX + 1], *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= b_length; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			int here = tolower((unsigned char)a[i - 1]), there = tolower((unsigned char)b[j - 1]);
			row[j] = least(least(row[j - 1], above[j]) + 1, above[j - 1] + (here != there));
			if (i > 1 && j > 1 && here == tolower((unsigned char)b[j - 2]) &&
				there == tolower((unsigned char)a[i - 2]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		unsigned *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_length];
}

static int holds(const char *name, const char *part)
{
	size_t length = strlen(part);
	for (; length >= PART_LEAST && *name; name++)
		if (!strncasecmp(name, part, length))
			return 1;
	return 0;
}

void nearest_begin(struct nearest *nearest, const char *wanted)
{
	*nearest = (struct nearest){.wanted = wanted};
}

/* Puts a name in its place; the last one may fall out. */
static void insert(struct nearest *nearest, const char *name, unsigned distance)
{
	unsigned place = nearest->count;
	for (unsigned i = 0; i < nearest->count; i++)
		if (!strcmp(nearest->names[i].name, name))
			return;
	while (place && nearest->names[place - 1].distance > distance)
		place--;
	if (place == NEAREST_MOST)
		return;
	if (nearest->count < NEAREST_MOST)
		nearest->count++;
	memmove(nearest->names + place + 1, nearest->names + place,
		(nearest->count - 1 - place) * sizeof *nearest->names);
	nearest->names[place] = (struct near_name){name, distance};
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	size_t length = strlen(nearest->wanted), other = strlen(name);
	if (!length || length > LENGTH_MAX)
		return;
	/* One mistake in three letters; a word of two is near a word that has one of them. */
	unsigned allowed = (unsigned)(length + LETTERS_A_MISTAKE - 1) / LETTERS_A_MISTAKE;
	size_t apart = length > other ? length - other : other - length;
	unsigned distance = other <= LENGTH_MAX && apart <= allowed ? distance_of(nearest->wanted, length, name, other)
								    : allowed + 1;
	if (distance <= allowed)
		insert(nearest, name, distance);
	else if (holds(name, nearest->wanted))
		insert(nearest, name, PART_OF_NAME);
}

const char *nearest_text(const struct nearest *nearest, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (unsigned i = 0; i < nearest->count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s%s",
			i ? ", " : " (nearest: ", nearest->names[i].name, i + 1 == nearest->count ? ")" : "");
	return text;
}
