/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command lockdetail: each object that was waited for, with its longest wait, what failed, and who waited. */
#include "command_functions.h"
#include "lock_waits.h"
#include "session.h"

static void add_columns(struct table *table)
{
	static const struct table_heading columns[] = {
		{"Sync Wait Time", COLUMN_TIME},
		{"Sync Wait Count", COLUMN_COUNT},
		{"Longest Wait", COLUMN_TIME},
		{"Failed", COLUMN_COUNT},
		{"Name", COLUMN_TEXT},
	};
	table_preamble(table, "Objects of synchronization by the time that was waited for them");
	table_preamble(table, "");
	table_headings(table, columns, sizeof columns / sizeof *columns);
}

static void add_row(struct table *table, enum row_mark mark, const struct waits *waits, const char *name)
{
	struct cell *cell = table_row(table, mark);
	cell_number(&cell[0], waits->time);
	cell_number(&cell[1], waits->count);
	cell_number(&cell[2], waits->longest);
	cell_number(&cell[3], waits->failed);
	cell_words(&cell[4], name);
}

static void fill(struct session *session, struct table *table, const struct lock_waits *waits)
{
	const struct lock_caller *caller = waits->callers, *end = caller + waits->caller_count;
	for (uint32_t l = 0; l < waits->lock_count && (!session->limit || l < session->limit); l++) {
		const struct lock *lock = &waits->locks[l];
		if (l)
			table_blank(table);
		add_row(table, ROW_CENTRE, &lock->waits, index_object_row(session, table, INDEX_LOCK, lock->value));
		for (; caller < end && caller->lock == l; caller++)
			add_row(table, ROW_PLAIN, &caller->waits,
				session_function_name(session, table, caller->function));
	}
}

bool command_lockdetail(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct error error;
	struct table table = {.fit_times = true, .limited = true};
	struct expression *object = expression_parse(index_object_find(&session->index_objects, "Locks")->text,
		index_object_text, &session->index_objects, &error);
	struct expression *caller = expression_parse("LEAF", 0, 0, &error);
	if (!object || !caller) {
		expression_free(object);
		return session_error(session, "lockdetail: %s", error.text);
	}
	session_tell_names_apart(session);
	session_prepare(session, object);
	session_prepare(session, caller);
	struct lock_waits *waits = lock_waits_compute(session->data, session_filter(session), object, caller);
	add_columns(&table);
	fill(session, &table, waits);
	session_print(session, &table);
	lock_waits_free(waits);
	expression_free(object);
	expression_free(caller);
	return true;
}
