/* SPDX-License-Identifier: Apache-2.0 */
/* Four ranks that are late on purpose, in every way that one can wait for another in MPI. Each prints when it began and ended
   each call: "STEP RANK BEGIN END", in seconds of CLOCK_MONOTONIC. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGE = 1 << 20 };
static int rank;
static double start, begin; /* of the step, of the call */
static char large[LARGE];

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Goes on `late` seconds after the beginning of the step. */
static void at(double late)
{
	double left = start + late - now();
	if (left > 0) {
		struct timespec t = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
		nanosleep(&t, 0);
	}
	begin = now();
}

/* The next step begins; the slowest rank of this one is `late`. */
static void next(double late)
{
	start += late + 0.05;
}

static void done(const char *name)
{
	double end = now();
	printf("%s %d %.9f %.9f\n", name, rank, begin, end);
	fflush(stdout);
}

static void receive_of_two_kinds(void)
{
	MPI_Request request;
	int value = 0;
	if (rank == 0) {
		at(0.2), MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD), done("send");
		next(0.2);
		at(0.2), MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD), done("second_send");
	} else if (rank == 1) {
		at(0), MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
			done("receive");
		next(0.2);
		at(0), MPI_Irecv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request), done("ireceive");
		at(0.05), MPI_Wait(&request, MPI_STATUS_IGNORE), done("wait");
	} else {
		next(0.2);
	}
	next(0.2);
}

static void send_of_two_kinds(void)
{
	MPI_Request request;
	int value = 0;
	if (rank == 0) {
		at(0), MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD), done("ssend");
		next(0.2);
		at(0), MPI_Isend(large, LARGE, MPI_CHAR, 1, 4, MPI_COMM_WORLD, &request), done("isend");
		at(0.05), MPI_Wait(&request, MPI_STATUS_IGNORE), done("wait_sent");
	} else if (rank == 1) {
		at(0.2), MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE), done("late_receive");
		next(0.2);
		at(0.2), MPI_Recv(large, LARGE, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
			done("large_receive");
	} else {
		next(0.2);
	}
	next(0.2);
}

static void operations(void)
{
	MPI_Request request;
	int value = 1, sum = 0;
	at(0.1 * rank), MPI_Barrier(MPI_COMM_WORLD), done("barrier"), next(0.3);
	at(0.1 * rank), MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), done("allreduce"), next(0.3);
	at(rank == 2 ? 0.2 : 0), MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD), done("broadcast"), next(0.2);
	at(0.1 * rank), MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), done("reduce"), next(0.3);
	at(rank == 0 ? 0.2 : 0), MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), done("scan"), next(0.2);
	at(rank == 3 ? 0.2 : 0), MPI_Ibarrier(MPI_COMM_WORLD, &request), done("ibarrier");
	at(0), MPI_Wait(&request, MPI_STATUS_IGNORE), done("wait_barrier"), next(0.2);
}

static void several_requests(void)
{
	MPI_Request requests[2];
	int values[2], index;
	for (int turn = 0; turn < 2; turn++, next(0.2)) {
		if (rank == 1 || rank == 2)
			at(0.1 * rank), MPI_Send(&rank, 1, MPI_INT, 0, turn, MPI_COMM_WORLD),
				done(turn ? "any_send" : "all_send");
		if (rank != 0)
			continue;
		at(0);
		for (int i = 0; i < 2; i++)
			MPI_Irecv(&values[i], 1, MPI_INT, i + 1, turn, MPI_COMM_WORLD, &requests[i]);
		if (turn == 0) {
			at(0), MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), done("waitall");
		} else {
			at(0), MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE), done("waitany");
			at(0), MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE), done("second_waitany");
		}
	}
	if (rank < 2)
		at(rank * 0.2),
			MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 5, values, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD,
				MPI_STATUS_IGNORE),
			done("sendrecv");
	next(0.2);
}

/* Rank 1 looks for messages of rank 0, in every way; a second message is received before the first, which was taken. */
static void probes(void)
{
	MPI_Status status;
	MPI_Message message;
	MPI_Request request;
	int value = 0, there = 0;
	for (int turn = 0; turn < 4; turn++, next(turn == 2 ? 0.3 : 0.2)) {
		if (rank == 0) {
			at(0.2), MPI_Send(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD), done("first_sends");
			if (turn == 1)
				at(0.3), MPI_Send(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD), done("next_send");
		}
		if (rank != 1)
			continue;
		at(0);
		switch (turn) {
		case 0:
			MPI_Probe(0, 6, MPI_COMM_WORLD, &status), done("probe");
			MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			break;
		case 1:
			MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE), done("mprobe");
			at(0), MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
				done("next_receive");
			MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
			break;
		case 2:
			MPI_Irecv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request);
			for (at(0); !there;)
				MPI_Test(&request, &there, MPI_STATUS_IGNORE);
			done("tests");
			break;
		default:
			for (at(0), there = 0; !there;)
				MPI_Iprobe(0, 6, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
			done("iprobes");
			MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
}

/* Calls that all processes of a communicator make together. */
static void together(void)
{
	static int memory[4];
	MPI_Comm made;
	MPI_Win window;
	MPI_File file;
	at(0.05 * rank), MPI_Comm_dup(MPI_COMM_WORLD, &made), done("duplicate"), next(0.15);
	at(0.05 * rank), MPI_Comm_split(made, 0, -rank, &made), done("split"), next(0.15);
	at(0.05 * rank), MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window),
		done("window"), next(0.15);
	at(0.05 * (3 - rank)), MPI_Win_fence(0, window), done("fence"), next(0.15);
	at(0.05 * rank), MPI_Win_free(&window), done("free"), next(0.15);
	at(0.05 * rank),
		MPI_File_open(MPI_COMM_WORLD, "waits.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
		done("open"), next(0.15);
	at(0.05 * rank), MPI_File_set_size(file, 4096), done("set_size"), next(0.15);
	at(0.05 * rank), MPI_File_write_at_all(file, rank * 1024, large, 1024, MPI_CHAR, MPI_STATUS_IGNORE),
		done("write_all"), next(0.15);
	at(0.05 * rank), MPI_File_close(&file), done("close"), next(0.15);
}

/* Rank 2 receives from rank 0, which is late, before it takes the message that rank 1 sent long before. */
static void wrong_order(void)
{
	int value = 0;
	if (rank < 2) {
		at(rank ? 0.02 : 0.2), MPI_Send(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD), done("order_sends");
	} else if (rank == 2) {
		at(0), MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE), done("wrong_receive");
		MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	next(0.2);
}

static MPI_Group group_of(int count, const int *ranks)
{
	MPI_Group world, made;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, count, ranks, &made);
	return made;
}

/* Rank 0 accesses the windows of ranks 1 and 2, of which rank 1 posts late; then it completes late, and rank 2 asks for that. */
static void epochs(MPI_Win window)
{
	int there = 0, targets[] = {1, 2}, origin = 0;
	if (rank == 0) {
		MPI_Group group = group_of(2, targets);
		at(0), MPI_Win_start(group, 0, window), done("win_start");
		MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
		at(0.3), MPI_Win_complete(window), done("complete");
	} else if (rank < 3) {
		MPI_Group group = group_of(1, &origin);
		at(rank == 1 ? 0.15 : 0), MPI_Win_post(group, 0, window), done("post");
		at(rank == 1 ? 0.2 : 0.05);
		if (rank == 1) {
			MPI_Win_wait(window), done("win_wait");
		} else {
			while (!there)
				MPI_Win_test(window, &there);
			done("win_tests");
		}
	}
	next(0.3);
}

/* Rank 1 has rank 0's window for long, while ranks 2 and 3 want it; rank 0 stays in MPI, so that it answers. */
static void locks(MPI_Win window)
{
	if (rank) {
		at(rank == 1 ? 0 : 0.05 * rank),
			MPI_Win_lock(rank < 3 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, window), done("lock");
		MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
		at(0), MPI_Win_flush(0, window), done("flush");
		at(rank == 1 ? 0.25 : 0), MPI_Win_unlock(0, window), done("unlock");
	}
	at(0), MPI_Barrier(MPI_COMM_WORLD), done("locks_end");
	next(0.3);
}

static void windows(void)
{
	MPI_Win window;
	void *memory;
	at(0), MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window), done("allocate"), next(0.1);
	epochs(window);
	locks(window);
	at(0), MPI_Win_free(&window), done("free_allocated"), next(0.05);
}

/* The launcher's word for it, before MPI_Init. */
static int launched_rank(void)
{
	const char *open_mpi = getenv("OMPI_COMM_WORLD_RANK"), *mpich = getenv("PMI_RANK");
	return open_mpi ? atoi(open_mpi) : mpich ? atoi(mpich) : 0;
}

int main(int argc, char **argv)
{
	start = now();
	at(launched_rank() == 3 ? 0.2 : 0);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	done("init");
	begin = now();
	start = begin + 0.3;
	MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	done("start");
	receive_of_two_kinds();
	send_of_two_kinds();
	operations();
	several_requests();
	probes();
	together();
	wrong_order();
	windows();
	at(0.1 * rank), MPI_Finalize(), done("finalize");
	return 0;
}
