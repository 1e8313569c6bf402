/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments that are loaded. */
#include "command_functions.h"

#include <inttypes.h>

bool command_experiment_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	static const struct table_heading headings[] = {
		{"ID", COLUMN_COUNT}, {"Sel", COLUMN_TEXT}, {"PID", COLUMN_COUNT}, {"Experiment", COLUMN_TEXT}};
	struct table table = {.formed = "ID Sel   PID Experiment\n== === ===== ==========\n"};
	table_preamble(&table, "Experiments");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t i = 0; i < session->data->experiment_count; i++) {
		const struct loaded_experiment *loaded = &session->data->experiments[i];
		const char *selected = selection_of(&session->selection, i)->off ? "no" : "yes";
		const char *path = table_plain(&table, loaded->file->path);
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[0], loaded->number);
		cell_words(&cells[1], selected);
		cell_number(&cells[2], loaded->file->process.pid);
		cell_words(&cells[3], path);
		table_line(&table, "%2" PRIu32 " %3s %5" PRIu64 " %s\n", loaded->number, selected,
			loaded->file->process.pid, path);
	}
	session_print(session, &table);
	return true;
}
