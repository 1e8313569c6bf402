/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of what MPI has. */
#include "mpi_names.h"

#include <inttypes.h>

static bool shares_rank(const struct session *session, uint32_t experiment, uint64_t rank)
{
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *other = session->data->experiments[e].file;
		if (e != experiment && mpi_event(other, "mpi") && mpi_rank_of(other) == rank)
			return true;
	}
	return false;
}

const char *mpi_process_name(const struct session *session, struct table *table, uint32_t experiment)
{
	if (experiment == NO_EXPERIMENT)
		return "?";
	const struct experiment *file = session->data->experiments[experiment].file;
	uint64_t rank = mpi_rank_of(file);
	if (shares_rank(session, experiment, rank))
		return table_text(table, "%" PRIu64 " %s", rank, file->name);
	return table_text(table, "%" PRIu64, rank);
}

const char *mpi_communicator_name(struct table *table, const struct mpi_world *world, uint32_t communicator)
{
	if (communicator == NO_COMMUNICATOR)
		return "?";
	const struct mpi_communicator *own = mpi_world_communicator(world, communicator);
	if (*own->name)
		return own->name;
	return table_text(table, "%s %s", *own->made_by ? own->made_by : "?", *own->identity ? own->identity : "?");
}

const char *mpi_function_name(const struct session *session, uint32_t experiment, uint32_t function)
{
	const struct experiment *file = session->data->experiments[experiment].file;
	return function < file->mpi_function_count ? file->mpi_functions[function].name : "?";
}
