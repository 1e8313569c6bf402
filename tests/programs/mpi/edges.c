/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks that do what is easily counted wrong, and count it themselves: they print what a trace must say. */
#include <mpi.h>
#include <stdio.h>

enum { ROOM = 4096, POLLS = 1000 };
static char out[ROOM], in[ROOM];
static long sends, sent, receives, received, other;
static int me, partner;
static MPI_Comm world;
static MPI_Request request[2];
static MPI_Status status, statuses[2];

#define OTHER(call) ((call), other++)

static void count_send(long bytes)
{
	sends++;
	sent += bytes;
}

static void count_receive(long bytes)
{
	receives++;
	received += bytes;
}

static void nobody(void)
{
	OTHER(MPI_Send(out, 10, MPI_CHAR, MPI_PROC_NULL, 1, world));
	OTHER(MPI_Recv(in, 10, MPI_CHAR, MPI_PROC_NULL, 1, world, &status));
	OTHER(MPI_Irecv(in, 10, MPI_CHAR, MPI_PROC_NULL, 1, world, &request[0]));
	OTHER(MPI_Isend(out, 10, MPI_CHAR, MPI_PROC_NULL, 1, world, &request[1]));
	OTHER(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
}

static void nonblocking(void)
{
	OTHER(MPI_Irecv(in, ROOM, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &request[0]));
	MPI_Isend(out, 100, MPI_CHAR, partner, 5, world, &request[1]);
	count_send(100);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	count_receive(100);
}

static void both_ways(void)
{
	MPI_Datatype vector; /* 6 ints of 4 bytes */
	OTHER(MPI_Type_vector(3, 2, 5, MPI_INT, &vector));
	OTHER(MPI_Type_commit(&vector));
	MPI_Sendrecv(out, 2, vector, partner, 6, in, 48, MPI_CHAR, partner, 6, world, MPI_STATUS_IGNORE);
	count_send(48);
	count_receive(48);
	OTHER(MPI_Type_free(&vector));
	MPI_Sendrecv_replace(out, 64, MPI_CHAR, partner, 7, partner, 7, world, &status);
	count_send(64);
	count_receive(64);
}

static void persistent(void)
{
	OTHER(MPI_Send_init(out, 32, MPI_CHAR, partner, 8, world, &request[0]));
	OTHER(MPI_Recv_init(in, 64, MPI_CHAR, partner, 8, world, &request[1]));
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, request);
		count_send(32);
		MPI_Waitall(2, request, statuses);
		count_receive(32);
	}
	OTHER(MPI_Start(&request[1]));
	MPI_Start(&request[0]);
	count_send(32);
	MPI_Wait(&request[1], &status);
	count_receive(32);
	OTHER(MPI_Wait(&request[0], &status));
	OTHER(MPI_Wait(&request[0], &status)); /* inactive */
	OTHER(MPI_Request_free(&request[0]));
	OTHER(MPI_Request_free(&request[1]));
}

static void without_message(void)
{
	int flag;
	OTHER(MPI_Irecv(in, 10, MPI_CHAR, partner, 99, world, &request[0]));
	OTHER(MPI_Cancel(&request[0]));
	OTHER(MPI_Wait(&request[0], &status));
	OTHER(MPI_Test_cancelled(&status, &flag));
	/* Freed while active: it will get a message, and nobody will know. */
	OTHER(MPI_Irecv(in, ROOM, MPI_CHAR, partner, 77, world, &request[0]));
	OTHER(MPI_Request_free(&request[0]));
	MPI_Send(out, 5, MPI_CHAR, partner, 77, world);
	count_send(5);
	OTHER(MPI_Barrier(world));
}

static void send(int bytes, int tag)
{
	MPI_Send(out, bytes, MPI_CHAR, partner, tag, world);
	count_send(bytes);
}

static void probes(void)
{
	MPI_Message message;
	int flag = 0;
	send(12, 9);
	OTHER(MPI_Probe(partner, 9, world, &status));
	MPI_Recv(in, ROOM, MPI_CHAR, partner, 9, world, MPI_STATUS_IGNORE);
	count_receive(12);
	send(13, 10);
	OTHER(MPI_Mprobe(partner, 10, world, &message, &status));
	MPI_Mrecv(in, ROOM, MPI_CHAR, &message, &status);
	count_receive(13);
	send(14, 11);
	while (!flag)
		OTHER(MPI_Improbe(partner, 11, world, &flag, &message, &status));
	OTHER(MPI_Imrecv(in, ROOM, MPI_CHAR, &message, &request[0]));
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	count_receive(14);
}

static void polls(void)
{
	int flag = 0;
	OTHER(MPI_Irecv(in, ROOM, MPI_CHAR, partner, 12, world, &request[0]));
	for (int i = 0; i < POLLS; i++)
		OTHER(MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE));
	OTHER(MPI_Barrier(world));
	send(15, 12);
	for (;;) {
		MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
		if (flag)
			break;
		other++;
	}
	count_receive(15);
}

static void several(void)
{
	int index, count, indices[2], flag;
	OTHER(MPI_Irecv(in, ROOM, MPI_CHAR, partner, 13, world, &request[0]));
	OTHER(MPI_Irecv(in, ROOM, MPI_CHAR, partner, 14, world, &request[1]));
	MPI_Ssend(out, 0, MPI_CHAR, partner, 13, world);
	count_send(0);
	MPI_Waitany(2, request, &index, &status);
	count_receive(0);
	send(3, 14);
	MPI_Waitsome(2, request, &count, indices, statuses);
	count_receive(3);
	OTHER(MPI_Waitsome(2, request, &count, indices, statuses)); /* nothing is active */
	OTHER(MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE));
}

static void collectives(void)
{
	MPI_Comm copy, part;
	int one = 1, sum, all[2];
	OTHER(MPI_Comm_dup(world, &copy));
	OTHER(MPI_Comm_split(world, me, 0, &part));
	MPI_Send(out, 21, MPI_CHAR, partner, 1, copy);
	count_send(21);
	MPI_Recv(in, ROOM, MPI_CHAR, MPI_ANY_SOURCE, 1, copy, &status);
	count_receive(21);
	OTHER(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy));
	/* An argument that does not matter at a rank may be anything. */
	OTHER(MPI_Gather(&one, 1, MPI_INT, all, me ? 77 : 1, me ? MPI_DATATYPE_NULL : MPI_INT, 0, world));
	OTHER(MPI_Scatter(all, me ? 1 : 77, me ? MPI_INT : MPI_DATATYPE_NULL, &one, 1, MPI_INT, 1, world));
	OTHER(MPI_Bcast(&one, 1, MPI_INT, 0, world));
	OTHER(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, world));
	OTHER(MPI_Ibarrier(world, &request[0]));
	OTHER(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
	OTHER(MPI_Comm_free(&part));
	OTHER(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
	OTHER(MPI_Init(&argc, &argv));
	world = MPI_COMM_WORLD;
	OTHER(MPI_Comm_rank(world, &me));
	partner = 1 - me;
	nobody();
	nonblocking();
	both_ways();
	persistent();
	without_message();
	probes();
	polls();
	several();
	collectives();
	OTHER(MPI_Finalize());
	char line[128];
	snprintf(line, sizeof line, "rank %d: %ld %ld %ld %ld %ld\n", me, sends, sent, receives, received, other);
	fputs(line, stderr);
	return 0;
}
