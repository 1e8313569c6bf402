/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of what MPI has. */
#include "mpi_names.h"
#include "base_name.h"
#include "number_map.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *mpi_rank_name(struct table *table, const struct experiment *experiment)
{
	return mpi_event(experiment, "mpi") ? table_text(table, "%" PRIu64, mpi_rank_of(experiment)) : "none";
}

struct mpi_process_names mpi_process_names_make(const struct session *session, struct table *table)
{
	const struct data *data = session->data;
	struct mpi_process_names names = {memory_new(data->experiment_count, sizeof *names.text)};
	struct number_map first = {0}; /* rank -> the experiment that has it first */
	bool *shared = memory_new(data->experiment_count, sizeof *shared);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		if (!mpi_event(file, "mpi") || !session_shows_experiment(session, e))
			continue;
		uint32_t *place = number_map_place(&first, mpi_rank_of(file));
		*place = *place == NO_NUMBER ? e : *place;
		if (*place != e)
			shared[e] = shared[*place] = true;
	}
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		const char *rank = mpi_rank_name(table, file);
		names.text[e] = shared[e] ? table_text(table, "%s %s", rank, file->name) : rank;
	}
	number_map_free(&first);
	free(shared);
	return names;
}

const char *mpi_communicator_name(struct table *table, const struct mpi_world *world, uint32_t communicator)
{
	if (communicator == NO_COMMUNICATOR)
		return "?";
	char text[512];
	mpi_communicator_text(mpi_world_communicator(world, communicator), text, sizeof text);
	return table_text(table, "%s", text);
}

const char *mpi_function_name(const struct session *session, uint32_t experiment, uint32_t function)
{
	const struct experiment *file = session->data->experiments[experiment].file;
	return function < file->mpi_function_count ? file->mpi_functions[function].name : "?";
}

const char *process_title(
	const struct session *session, struct table *table, const struct mpi_process_names *names, uint32_t experiment)
{
	enum { MOST = 1000 };
	const struct experiment *file = session->data->experiments[experiment].file;
	size_t word = strcspn(file->process.command, " ");
	const char *program =
		base_name(table_text(table, "%.*s", word < MOST ? (int)word : MOST, file->process.command));
	return mpi_event(file, "mpi")
		       ? table_text(table, "%s, MPI rank %s", program, mpi_process_name(names, experiment))
		       : program;
}
