/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many allocations and leaks have which size, in classes by powers of four. */
#include "command_functions.h"
#include "heap_history.h"
#include "heap_view.h"
#include "size_class_text.h"

enum { CLASS_16 = 5, CLASS_LAST = 65 }; /* as heap_size_class counts them */

static void add_row(struct table *table, const struct heap_history *history, unsigned first, unsigned last)
{
	uint64_t sums[4] = {0};
	for (unsigned class = first; class <= last && class <= CLASS_LAST; class ++) {
		sums[0] += history->allocations.by_class[class];
		sums[1] += history->allocations.bytes_by_class[class];
		sums[2] += history->leaks.by_class[class];
		sums[3] += history->leaks.bytes_by_class[class];
	}
	if (!sums[0] && !sums[2])
		return;
	struct cell *cells = table_row(table, ROW_PLAIN);
	for (unsigned i = 0; i < 4; i++)
		cell_number(&cells[i], sums[i]);
	/* Class 1 is one byte, class 2 two. */
	cell_words(&cells[4], last ? size_class_text(table, last == CLASS_16 ? 0 : first - 2, last - 1) : "0 Bytes");
}

bool command_datasize(struct session *session, unsigned argc, char **argv)
{
	static const char *const headings[] = {"Allocations", "Bytes Allocated", "Leaks", "Bytes Leaked", "Size"};
	(void)argc;
	(void)argv;
	if (!heap_was_recorded(session))
		return false;
	struct table table = {0};
	for (unsigned i = 0; i < 5; i++)
		table_headed(&table, headings[i], i < 4 ? COLUMN_COUNT : COLUMN_TEXT);
	struct heap_history *history = heap_history_read(session->data, session_filter(session));
	add_row(&table, history, 0, 0);
	add_row(&table, history, 1, CLASS_16);
	for (unsigned first = CLASS_16 + 1; first <= CLASS_LAST; first += 2)
		add_row(&table, history, first, first + 1);
	heap_history_free(history);
	session_print(session, &table);
	return true;
}
