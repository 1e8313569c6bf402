/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about an MPI rank: see mpi_header.h. */
#include "mpi_header.h"
#include "mpi_ranks.h"
#include "plain_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ANY_NUMBER = 0xffffffff };

static void print_number(const char *label, uint64_t number, FILE *file)
{
	if (number == ANY_NUMBER)
		fprintf(file, ", %s any", label);
	else
		fprintf(file, ", %s %" PRIu64, label, number);
}

/* "thread 1 was in MPI_Recv, peer 0, tag 999, communicator 0, for at least 12.3 seconds, when the recording ended" */
static void add_open_call(struct facts *facts, const struct experiment *experiment, const struct mpi_open_call *call)
{
	const uint64_t *value = call->value;
	const struct mpi_function_totals *function = &experiment->mpi_functions[value[MPI_PROGRESS_function] - 1];
	uint64_t start = value[MPI_PROGRESS_start], end = experiment->end.raw;
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return;
	fprintf(file, "thread %" PRIu64 " was in %s", value[MPI_PROGRESS_thread], function->name);
	if (!strcmp(function->class, "point-to-point")) {
		print_number("peer", value[MPI_PROGRESS_peer], file);
		print_number("tag", value[MPI_PROGRESS_tag], file);
	}
	fprintf(file, ", communicator %" PRIu64, value[MPI_PROGRESS_communicator]);
	if (end > start)
		fprintf(file, ", for at least %.3f seconds", (double)mpi_nanoseconds(experiment, end - start) / 1e9);
	fputs(", when the recording ended", file);
	fclose(file);
	fact_remark(facts, "Note", text);
	free(text);
}

static void add_clock(struct facts *facts, const struct loaded_experiment *loaded)
{
	if (loaded->clock == CLOCK_COMPARED) {
		fprintf(facts->text,
			"  Another clock than the founder's: compared by messages between ranks, to %.9f seconds\n",
			(double)loaded->clock_error / 1e9);
		fact_seconds(facts, "Error of the comparison with the founder's clock", loaded->clock_error);
	}
	if (loaded->clock == CLOCK_TIME_OF_DAY)
		fact_remark(facts, "Note",
			"another clock than the founder's, known by the time of day of the two hosts alone");
}

static void add_rank(struct facts *facts, const struct log_event *mpi)
{
	uint64_t rank = mpi_number(mpi, "rank"), size = mpi_number(mpi, "size");
	fprintf(facts->text, "MPI rank %" PRIu64 " of %" PRIu64, rank, size);
	print_between(facts->text, ", ", mpi->text, "\n");
	fact_number(facts, "MPI rank", rank);
	fact_number(facts, "MPI ranks", size);
	fact_text(facts, "MPI", mpi->text);
}

void mpi_header_add(struct facts *facts, const struct loaded_experiment *loaded)
{
	const struct experiment *experiment = loaded->file;
	const struct log_event *mpi = mpi_event(experiment, "mpi"), *stop = mpi_event(experiment, "mpi_stop");
	uint64_t unrecorded = 0;
	add_clock(facts, loaded);
	if (!experiment->mpi_function_count)
		return;
	if (mpi)
		add_rank(facts, mpi);
	for (unsigned f = 0; f < experiment->mpi_function_count; f++)
		unrecorded += experiment->mpi_functions[f].total[MPI_TOTAL_unrecorded];
	if (stop)
		fact_remark(facts, "Warning",
			table_text(&facts->table, "the MPI trace is incomplete, %" PRIu64 " calls have no event: %s",
				unrecorded, stop->text));
	for (unsigned i = 0; i < experiment->mpi_open_call_count; i++)
		add_open_call(facts, experiment, &experiment->mpi_open_calls[i]);
	if (mpi && !mpi_event(experiment, "mpi_end"))
		fact_remark(facts, "Note", "the rank did not call MPI_Finalize");
	uint64_t states = experiment_tally(experiment, TALLY_threads_switches) +
			  experiment_tally(experiment, TALLY_threads_without_switches);
	if (experiment->settings->clock_interval && !states)
		fprintf(facts->text, "  MPI Work and MPI Wait are CPU time: no thread states are recorded, so waits "
				     "that sleep are in neither\n");
}
