/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about an MPI rank: see mpi_header.h. */
#include "mpi_header.h"
#include "mpi_ranks.h"
#include "plain_text.h"

#include <inttypes.h>
#include <string.h>

enum { ANY_NUMBER = 0xffffffff };

static void print_number(const char *label, uint64_t number, FILE *file)
{
	if (number == ANY_NUMBER)
		fprintf(file, ", %s any", label);
	else
		fprintf(file, ", %s %" PRIu64, label, number);
}

/* "MPI_Recv (source 0, tag 999) for 12.3 s" */
static void print_open_call(const struct experiment *experiment, const struct mpi_open_call *call, FILE *file)
{
	const uint64_t *value = call->value;
	const struct mpi_function_totals *function = &experiment->mpi_functions[value[MPI_PROGRESS_function] - 1];
	uint64_t start = value[MPI_PROGRESS_start], end = experiment->end.raw;
	fprintf(file, "*** Note: thread %" PRIu64 " was in ", value[MPI_PROGRESS_thread]);
	print_plain(file, function->name);
	if (!strcmp(function->class, "point-to-point")) {
		print_number("peer", value[MPI_PROGRESS_peer], file);
		print_number("tag", value[MPI_PROGRESS_tag], file);
	}
	fprintf(file, ", communicator %" PRIu64, value[MPI_PROGRESS_communicator]);
	if (end > start)
		fprintf(file, ", for at least %.3f seconds", (double)mpi_nanoseconds(experiment, end - start) / 1e9);
	fprintf(file, ", when the recording ended\n");
}

static void print_clock(const struct loaded_experiment *loaded, FILE *file)
{
	if (loaded->clock == CLOCK_COMPARED)
		fprintf(file,
			"  Another clock than the founder's: compared by messages between ranks, to %.9f seconds\n",
			(double)loaded->clock_error / 1e9);
	if (loaded->clock == CLOCK_TIME_OF_DAY)
		fprintf(file, "*** Note: another clock than the founder's, known by the time of day of the two hosts "
			      "alone\n");
}

void mpi_header_print(const struct loaded_experiment *loaded, FILE *file)
{
	const struct experiment *experiment = loaded->file;
	const struct log_event *mpi = mpi_event(experiment, "mpi"), *stop = mpi_event(experiment, "mpi_stop");
	uint64_t unrecorded = 0;
	print_clock(loaded, file);
	if (!experiment->mpi_function_count)
		return;
	if (mpi) {
		fprintf(file, "MPI rank %" PRIu64 " of %" PRIu64, mpi_number(mpi, "rank"), mpi_number(mpi, "size"));
		print_between(file, ", ", mpi->text, "\n");
	}
	for (unsigned f = 0; f < experiment->mpi_function_count; f++)
		unrecorded += experiment->mpi_functions[f].total[MPI_TOTAL_unrecorded];
	if (stop) {
		fprintf(file, "*** Warning: the MPI trace is incomplete, %" PRIu64 " calls have no event", unrecorded);
		print_between(file, ": ", stop->text, "\n");
	}
	for (unsigned i = 0; i < experiment->mpi_open_call_count; i++)
		print_open_call(experiment, &experiment->mpi_open_calls[i], file);
	if (mpi && !mpi_event(experiment, "mpi_end"))
		fprintf(file, "*** Note: the rank did not call MPI_Finalize\n");
	if (experiment->settings.clock_interval)
		fprintf(file, "  MPI Work and MPI Wait are CPU time: waits that sleep are in neither\n");
}
