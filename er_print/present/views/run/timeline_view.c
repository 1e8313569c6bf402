/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command timeline: each thread's states as a row of letters, one for each part of the elapsed time. */
#include "command_functions.h"
#include "index_objects.h"
#include "state_timeline.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_STANDARD = 80, COLUMNS_MOST = 10000 };

/* By state. */
static const struct letter {
	char letter;
	const char *words;
} letters[TIMELINE_STATES] = {
	[TIMELINE_ON_CPU] = {'#', "on a CPU"},
	[STATE_VALUE(OFFCPU, state, runnable)] = {'+', "waits for a CPU"},
	[STATE_VALUE(OFFCPU, state, lock)] = {'L', "lock"},
	[STATE_VALUE(OFFCPU, state, sleep)] = {'s', "sleep"},
	[STATE_VALUE(OFFCPU, state, file)] = {'f', "file"},
	[STATE_VALUE(OFFCPU, state, network)] = {'n', "network"},
	[STATE_VALUE(OFFCPU, state, descriptors)] = {'d', "descriptors"},
	[STATE_VALUE(OFFCPU, state, child)] = {'c', "child"},
	[STATE_VALUE(OFFCPU, state, text)] = {'T', "page of text"},
	[STATE_VALUE(OFFCPU, state, data)] = {'D', "page of data"},
	[STATE_VALUE(OFFCPU, state, stopped)] = {'S', "stopped"},
	[STATE_VALUE(OFFCPU, state, blocked)] = {'?', "unknown wait"},
};

/* The state in which the thread was longest; none: it was in none. */
static char letter_of(const float *time)
{
	unsigned longest = 0;
	for (unsigned state = 1; state < TIMELINE_STATES; state++)
		if (time[state] > time[longest])
			longest = state;
	return time[longest] > 0 ? letters[longest].letter : ' ';
}

static const char *row_of(struct table *table, const struct state_timeline *timeline, uint32_t thread)
{
	char *text = memory_new(timeline->columns + 1, 1);
	for (uint32_t column = 0; column < timeline->columns; column++)
		text[column] = letter_of(timeline->threads[thread].time[column]);
	const char *kept = table_text(table, "%s", text);
	free(text);
	return kept;
}

/* The letters that the rows have. */
static const char *legend(struct table *table)
{
	const char *text = "";
	for (unsigned state = 0; state < TIMELINE_STATES; state++) {
		bool used = false;
		for (size_t row = 0; letters[state].letter && row < table->row_count && !used; row++)
			used = strchr(table->cells[table->rows[row].cell].text, letters[state].letter);
		if (used)
			text = table_text(table, "%s%s%c %s", text, *text ? ", " : "States: ", letters[state].letter,
				letters[state].words);
	}
	return text;
}

static void show(struct session *session, const struct state_timeline *timeline)
{
	static const struct table_heading headings[] = {{"States", COLUMN_CODE}, {"Name", COLUMN_TEXT}};
	struct table table = {.limited = true};
	double begin = (double)timeline->begin * 1e-9, end = (double)timeline->end * 1e-9;
	table_preamble(&table,
		table_text(&table, "Thread states from %.3f to %.3f seconds, each letter the longest of %.6f seconds",
			begin, end, (end - begin) / timeline->columns));
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t t = 0; t < timeline->count && (!session->limit || t < session->limit); t++) {
		const struct timeline_thread *thread = &timeline->threads[t];
		int64_t value = (int64_t)session->data->experiments[thread->experiment].number << 32 | thread->number;
		const char *name = index_object_row(session, &table, INDEX_THREAD, value);
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_words(&cells[0], row_of(&table, timeline, t));
		cell_words(&cells[1], name);
	}
	table_footnote(&table, legend(&table));
	session_print(session, &table);
}

bool command_timeline(struct session *session, unsigned argc, char **argv)
{
	char *end = "";
	unsigned long columns = argc ? strtoul(argv[0], &end, 10) : COLUMNS_STANDARD;
	if (*end || columns < 1 || columns > COLUMNS_MOST)
		return session_error(session, "Invalid argument to command: timeline %s: columns are 1 to %d", argv[0],
			COLUMNS_MOST);
	struct state_timeline timeline;
	state_timeline_read(&timeline, session->data, session_filter(session), (uint32_t)columns);
	bool some =
		timeline.count || session_error(session, "No thread states were recorded, or the filter keeps none");
	if (some)
		show(session, &timeline);
	state_timeline_free(&timeline);
	return some;
}
