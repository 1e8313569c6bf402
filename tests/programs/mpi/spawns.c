/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that spawns another and sends it a message. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Comm parent, child;
	int number = 5;
	MPI_Init(&argc, &argv);
	MPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL) {
		MPI_Comm_spawn(
			argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
		MPI_Send(&number, 1, MPI_INT, 0, 3, child);
		MPI_Comm_disconnect(&child);
	} else {
		MPI_Recv(&number, 1, MPI_INT, 0, 3, parent, MPI_STATUS_IGNORE);
		MPI_Comm_disconnect(&parent);
	}
	MPI_Finalize();
	return 0;
}
