/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MPI words of expressions: ranks in MPI_COMM_WORLD and communicators, which are numbers of each process in its events. */
#include "event_times.h"
#include "expression_nodes.h"
#include "mpi_critical.h"
#include "mpi_ranks.h"
#include "number_map.h"

#include <stdlib.h>

void expression_free_mpi(struct expression *expression)
{
	mpi_world_free(expression->mpi_world);
	free(expression->mpi_ranks);
	mpi_critical_free(expression->mpi_critical);
	expression->mpi_world = 0;
	expression->mpi_ranks = 0;
	expression->mpi_critical = 0;
}

void expression_prepare_mpi(struct expression *expression)
{
	const struct data *data = expression->setting->data;
	expression_free_mpi(expression);
	if (expression->uses[KEYWORD_MCRITICAL])
		expression->mpi_critical = mpi_critical_find(expression->setting->data);
	if (!expression->uses[KEYWORD_MRANK] && !expression->uses[KEYWORD_MPEER] && !expression->uses[KEYWORD_MCOMM])
		return;
	expression->mpi_world = mpi_world_read(data);
	expression->mpi_ranks = memory_new(data->experiment_count, sizeof *expression->mpi_ranks);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		expression->mpi_ranks[e] = mpi_event(file, "mpi") ? (int64_t)mpi_rank_of(file) : -1;
	}
}

static bool has_peer(uint64_t role)
{
	return role == STATE_VALUE(MPI, role, send) || role == STATE_VALUE(MPI, role, receive) ||
	       role == STATE_VALUE(MPI, role, post) || role == STATE_VALUE(MPI, role, collective) ||
	       role == STATE_VALUE(MPI, role, remote) || role == STATE_VALUE(MPI, role, probe) ||
	       role == STATE_VALUE(MPI, role, signal) || role == STATE_VALUE(MPI, role, await) ||
	       role == STATE_VALUE(MPI, role, lock) || role == STATE_VALUE(MPI, role, flush) ||
	       role == STATE_VALUE(MPI, role, unlock);
}

/* For each event the number of its communicator, from 1, or the rank of its peer. */
static void of_communicators(const struct expression *expression, bool peers, const struct data_batch *batch,
	uint32_t first, uint32_t count, int64_t *values)
{
	const struct mpi_world *world = expression->mpi_world;
	uint32_t experiment = (uint32_t)(batch->experiment - expression->setting->data->experiments);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t communicator =
			mpi_world_find(world, experiment, batch->field[FIELD_INDEX(MPI, communicator)][first + i]);
		values[i] = communicator == NO_COMMUNICATOR ? 0 : (int64_t)communicator + 1;
		if (!peers)
			continue;
		values[i] = -1;
		if (communicator == NO_COMMUNICATOR || !has_peer(batch->field[FIELD_INDEX(MPI, role)][first + i]))
			continue;
		uint32_t group = mpi_world_communicator(world, communicator)->peers;
		uint64_t rank = batch->field[FIELD_INDEX(MPI, peer)][first + i];
		uint32_t peer = group == NO_COMMUNICATOR ? NO_EXPERIMENT : mpi_world_member(world, group, rank);
		values[i] = peer == NO_EXPERIMENT ? -1 : expression->mpi_ranks[peer];
	}
}

/* When an event happened: one that lasts when it ended. */
static void on_critical_path(const struct expression *expression, int kind, const struct data_batch *batch,
	uint32_t first, uint32_t count, int64_t *values)
{
	uint32_t experiment = (uint32_t)(batch->experiment - expression->setting->data->experiments);
	if (expression->critical_answer != CRITICAL_ASKED) {
		for (uint32_t i = 0; i < count; i++)
			values[i] = expression->critical_answer == CRITICAL_ALWAYS;
		return;
	}
	event_times(kind, batch, first, count, true, values);
	for (uint32_t i = 0; i < count; i++)
		values[i] = mpi_critical_has(expression->mpi_critical,
			number_pair(experiment, batch->thread[first + i]), (uint64_t)values[i]);
}

void expression_mpi_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values)
{
	if (which == KEYWORD_MCRITICAL) {
		on_critical_path(expression, kind, batch, first, count, values);
		return;
	}
	int64_t same = which == KEYWORD_MCOMM ? 0 : -1;
	if (which == KEYWORD_MRANK)
		same = expression->mpi_ranks[batch->experiment - expression->setting->data->experiments];
	if (which != KEYWORD_MRANK && kind == KIND_MPI) {
		of_communicators(expression, which == KEYWORD_MPEER, batch, first, count, values);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		values[i] = same;
}
