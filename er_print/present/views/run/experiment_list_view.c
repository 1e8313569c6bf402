/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments that are loaded. */
#include "command_functions.h"

#include <inttypes.h>

bool command_experiment_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	fprintf(session->out, "ID Sel   PID Experiment\n== === ===== ==========\n");
	for (uint32_t i = 0; i < session->data->experiment_count; i++) {
		const struct loaded_experiment *loaded = &session->data->experiments[i];
		fprintf(session->out, "%2" PRIu32 " %s %5" PRIu64 " %s\n", loaded->number,
			selection_of(&session->selection, i)->off ? " no" : "yes", loaded->file->process.pid,
			loaded->file->path);
	}
	return true;
}
