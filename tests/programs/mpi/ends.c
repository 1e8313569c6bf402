/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks that exchange 100 messages; then rank 1 ends as the argument says, while rank 0 waits for one more. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end(const char *how)
{
	if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 42);
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(5);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
}

int main(int argc, char **argv)
{
	int rank, out = 0, in;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 100; i++)
		MPI_Sendrecv(
			&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 1)
		end(argv[1]);
	if (strcmp(argv[1], "well"))
		MPI_Recv(&in, 1, MPI_INT, 1 - rank, 999, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
