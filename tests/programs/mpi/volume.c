/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations of each kind, one-sided ones and files, each in a function of its own. Prints to stderr, for each rank and
   function, the bytes that it gave and got in collective operations, put and got in one-sided ones, and read and wrote: of the
   collective ones, by what goes from each rank to each other. "RANK FUNCTION GIVEN GOT PUT TAKEN READ WRITTEN" */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1024 };
static int me, ranks, out[ROOM], in[ROOM];
static double reals[ROOM], others[ROOM];
static int counts[ROOM], more[2 * ROOM], places[ROOM], steps[ROOM];
static MPI_Comm world, line, ring, star, sides;
static MPI_Request request;
static MPI_Win window;
static MPI_File file;
static MPI_Status unused;
static char lines[ROOM * 64];

static size_t whole(const int *of)
{
	size_t sum = 0;
	for (int i = 0; i < ranks; i++)
		sum += (size_t)of[i];
	return sum;
}

/* Places one after another. */
static void place(void)
{
	for (int i = 1; i < ranks; i++) {
		places[i] = places[i - 1] + counts[i - 1];
		steps[i] = steps[i - 1] + more[i - 1];
	}
	if (whole(counts) > ROOM || whole(more) > ROOM)
		abort();
}

static void count_up(void)
{
	for (int i = 0; i < ranks; i++)
		counts[i] = more[i] = i + 1;
	place();
}

static struct {
	const char *name;
	void (*run)(void);
	size_t (*piece)(int from, int to); /* of collective operations */
	size_t put, taken, read, written;  /* of others */
} cases[100];
static int case_count;

#define ADD(function, ...)                                                                                             \
	static void function(void);                                                                                    \
	static __attribute__((constructor)) void add_##function(void)                                                  \
	{                                                                                                              \
		cases[case_count].name = #function;                                                                    \
		cases[case_count].run = function;                                                                      \
		__VA_ARGS__;                                                                                           \
		case_count++;                                                                                          \
	}                                                                                                              \
	static __attribute__((noinline)) void function(void)
/* The bytes that go from each rank to each. */
#define COLLECTIVE(function, from, to, bytes)                                                                          \
	static size_t piece_of_##function(int from, int to)                                                            \
	{                                                                                                              \
		(void)from, (void)to;                                                                                  \
		return (size_t)(bytes);                                                                                \
	}                                                                                                              \
	ADD(function, cases[case_count].piece = piece_of_##function)
#define ONE_SIDED(function, bytes_put, bytes_taken)                                                                    \
	ADD(function, cases[case_count].put = (bytes_put), cases[case_count].taken = (bytes_taken))
#define FILE_CASE(function, bytes_read, bytes_written)                                                                 \
	ADD(function, cases[case_count].read = (bytes_read), cases[case_count].written = (bytes_written))

COLLECTIVE(barrier, f, t, 0)
{
	MPI_Barrier(world);
}
COLLECTIVE(bcast, f, t, f == 1 ? 40 : 0)
{
	MPI_Bcast(out, 10, MPI_INT, 1, world);
}
COLLECTIVE(gather, f, t, t == 2 ? 40 : 0)
{
	MPI_Gather(reals, 5, MPI_DOUBLE, others, me == 2 ? 5 : -1, me == 2 ? MPI_DOUBLE : MPI_DATATYPE_NULL, 2, world);
}
COLLECTIVE(gather_in_place, f, t, t == 2 && f != 2 ? 40 : 0)
{
	MPI_Gather(me == 2 ? MPI_IN_PLACE : reals, 5, MPI_DOUBLE, others, 5, MPI_DOUBLE, 2, world);
}
COLLECTIVE(gatherv, f, t, t == 0 ? 4 * (f + 1) : 0)
{
	count_up();
	MPI_Gatherv(out, me + 1, MPI_INT, in, me ? 0 : counts, me ? 0 : places, MPI_INT, 0, world);
}
COLLECTIVE(gatherv_in_place, f, t, t == 0 && f != 0 ? 4 * (f + 1) : 0)
{
	count_up();
	MPI_Gatherv(me ? out : MPI_IN_PLACE, me + 1, MPI_INT, in, counts, places, MPI_INT, 0, world);
}
COLLECTIVE(scatter, f, t, f == 1 ? 12 : 0)
{
	MPI_Scatter(out, 3, MPI_INT, in, 3, MPI_INT, 1, world);
}
COLLECTIVE(scatter_in_place, f, t, f == 1 && t != 1 ? 12 : 0)
{
	MPI_Scatter(out, 3, MPI_INT, me == 1 ? MPI_IN_PLACE : in, 3, MPI_INT, 1, world);
}
COLLECTIVE(scatterv, f, t, f == 2 ? 4 * (t + 1) : 0)
{
	count_up();
	MPI_Scatterv(out, me == 2 ? counts : 0, me == 2 ? places : 0, MPI_INT, in, me + 1, MPI_INT, 2, world);
}
COLLECTIVE(scatterv_in_place, f, t, f == 2 && t != 2 ? 4 * (t + 1) : 0)
{
	count_up();
	MPI_Scatterv(out, counts, places, MPI_INT, me == 2 ? MPI_IN_PLACE : in, me + 1, MPI_INT, 2, world);
}
COLLECTIVE(allgather, f, t, 16)
{
	MPI_Allgather(reals, 2, MPI_DOUBLE, others, 2, MPI_DOUBLE, world);
}
COLLECTIVE(allgather_in_place, f, t, f != t ? 16 : 0)
{
	MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, others, 2, MPI_DOUBLE, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
COLLECTIVE(allgatherv, f, t, 4 * (f + 1))
{
	count_up();
	MPI_Allgatherv(out, me + 1, MPI_INT, in, counts, places, MPI_INT, world);
}
COLLECTIVE(allgatherv_in_place, f, t, f != t ? 4 * (f + 1) : 0)
{
	count_up();
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, world);
}
COLLECTIVE(alltoall, f, t, 24)
{
	MPI_Datatype holes;
	MPI_Type_vector(3, 2, 5, MPI_INT, &holes);
	MPI_Type_commit(&holes);
	MPI_Alltoall(out, 6, MPI_INT, in, 1, holes, world);
	MPI_Type_free(&holes);
}
COLLECTIVE(alltoall_in_place, f, t, f != t ? 12 : 0)
{
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_INT, world);
}
COLLECTIVE(alltoallv, f, t, 4 * (f + 2 * t))
{
	for (int i = 0; i < ranks; i++)
		counts[i] = me + 2 * i, more[i] = i + 2 * me;
	place();
	MPI_Ialltoallv(out, counts, places, MPI_INT, in, more, steps, MPI_INT, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
COLLECTIVE(alltoallv_in_place, f, t, f != t ? 4 * (f + t) : 0)
{
	for (int i = 0; i < ranks; i++)
		counts[i] = me + i;
	place();
	MPI_Alltoallv(MPI_IN_PLACE, 0, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, world);
}
COLLECTIVE(alltoallw, f, t, (f + t) * ((f + t) % 2 ? 8 : 4))
{
	MPI_Datatype types[ROOM];
	for (int i = 0; i < ranks; i++) {
		types[i] = (me + i) % 2 ? MPI_DOUBLE : MPI_INT;
		counts[i] = me + i;
		places[i] = 64 * i;
	}
	MPI_Alltoallw(reals, counts, places, types, others, counts, places, types, world);
}
#if MPI_VERSION >= 4
COLLECTIVE(large_counts, f, t, 4 * (f + 2 * t))
{
	MPI_Count to[ROOM], from[ROOM];
	MPI_Aint at[ROOM], there[ROOM];
	at[0] = there[0] = 0;
	for (int i = 0; i < ranks; i++) {
		to[i] = me + 2 * i;
		from[i] = i + 2 * me;
		at[i + 1] = at[i] + to[i];
		there[i + 1] = there[i] + from[i];
	}
	MPI_Alltoallv_c(out, to, at, MPI_INT, in, from, there, MPI_INT, world);
}
#endif
COLLECTIVE(allreduce, f, t, 28)
{
	MPI_Allreduce(out, in, 7, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(allreduce_in_place, f, t, f != t ? 28 : 0)
{
	MPI_Allreduce(MPI_IN_PLACE, in, 7, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(reduce, f, t, t == 1 ? 8 : 0)
{
	MPI_Reduce(out, in, 2, MPI_INT, MPI_MAX, 1, world);
}
COLLECTIVE(reduce_in_place, f, t, t == 1 && f != 1 ? 8 : 0)
{
	MPI_Reduce(me == 1 ? MPI_IN_PLACE : out, in, 2, MPI_INT, MPI_MAX, 1, world);
}
COLLECTIVE(reduce_scatter, f, t, 4 * (t + 1))
{
	count_up();
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(reduce_scatter_in_place, f, t, f != t ? 4 * (t + 1) : 0)
{
	count_up();
	MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(reduce_scatter_block, f, t, 20)
{
	MPI_Reduce_scatter_block(out, in, 5, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(scan, f, t, t >= f ? 8 : 0)
{
	MPI_Scan(out, in, 2, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(scan_in_place, f, t, t > f ? 8 : 0)
{
	MPI_Scan(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, world);
}
COLLECTIVE(exscan, f, t, t > f ? 8 : 0)
{
	MPI_Exscan(out, in, 2, MPI_INT, MPI_SUM, world);
}

/* Ranks in a line have nobody before the first and after the last. */
COLLECTIVE(line_allgather, f, t, abs(f - t) == 1 ? 4 : 0)
{
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, line);
}
COLLECTIVE(line_alltoallv, f, t, t == f - 1 ? 4 : t == f + 1 ? 8 : 0)
{
	int to[2] = {1, 2}, from[2] = {2, 1}, at[2] = {0, 10};
	MPI_Neighbor_alltoallv(out, to, at, MPI_INT, in, from, at, MPI_INT, line);
}
COLLECTIVE(line_alltoallw, f, t, t == f - 1 ? 4 : t == f + 1 ? 16 : 0)
{
	int to[2] = {1, 2}, from[2] = {2, 1};
	MPI_Aint at[2] = {0, 80};
	MPI_Datatype give[2] = {MPI_INT, MPI_DOUBLE}, get[2] = {MPI_DOUBLE, MPI_INT};
	MPI_Neighbor_alltoallw(reals, to, at, give, others, from, at, get, line);
}
COLLECTIVE(ring_allgather, f, t, t == (f + 1) % ranks ? 12 : 0)
{
	MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, ring);
}
COLLECTIVE(star_alltoall, f, t, (f == 0) != (t == 0) ? 8 : 0)
{
	MPI_Neighbor_alltoall(reals, 1, MPI_DOUBLE, others, 1, MPI_DOUBLE, star);
}

/* Rank 0 on one side, all others on the other. */
COLLECTIVE(sides_bcast, f, t, f == 0 && t != 0 ? 40 : 0)
{
	MPI_Bcast(out, 10, MPI_INT, me ? 0 : MPI_ROOT, sides);
}
COLLECTIVE(sides_reduce, f, t, f == 0 && t == 1 ? 8 : 0)
{
	MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, me == 0 ? 0 : me == 1 ? MPI_ROOT : MPI_PROC_NULL, sides);
}
COLLECTIVE(sides_allgather, f, t, (f == 0) != (t == 0) ? 4 : 0)
{
	MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, sides);
}

/* Each side gives the sum of all results of the other one. */
COLLECTIVE(sides_reduce_scatter, f, t, (f == 0) == (t == 0) ? 0 : t == 0 ? 8 * (ranks - 1) : 8)
{
	for (int i = 0; i < ranks; i++)
		counts[i] = me ? 2 : 2 * (ranks - 1);
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, sides);
}

ONE_SIDED(put, 40, 0)
{
	MPI_Put(out, 10, MPI_INT, 0, 0, 10, MPI_INT, window);
}
ONE_SIDED(get, 0, 24)
{
	MPI_Get(reals, 3, MPI_DOUBLE, 0, 0, 3, MPI_DOUBLE, window);
}
ONE_SIDED(accumulate, 20, 0)
{
	MPI_Accumulate(out, 5, MPI_INT, 0, 0, 5, MPI_INT, MPI_SUM, window);
}
ONE_SIDED(get_accumulate, 8, 8)
{
	MPI_Get_accumulate(out, 2, MPI_INT, in, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, window);
}
ONE_SIDED(fetch_and_op, 8, 8)
{
	MPI_Fetch_and_op(reals, others, MPI_DOUBLE, 0, 0, MPI_SUM, window);
}
ONE_SIDED(compare_and_swap, 4, 4)
{
	MPI_Compare_and_swap(out, in, in + 1, MPI_INT, 0, 0, window);
}
ONE_SIDED(put_to_nobody, 0, 0)
{
	MPI_Put(out, 10, MPI_INT, MPI_PROC_NULL, 0, 10, MPI_INT, window);
}

/* A file of a rank alone. */
FILE_CASE(write_at, 0, 400)
{
	MPI_File_write_at(file, 0, out, 100, MPI_INT, MPI_STATUS_IGNORE);
}
FILE_CASE(read_at, 100, 0)
{
	MPI_File_read_at(file, 0, in, 25, MPI_INT, &unused);
}
FILE_CASE(read_past_the_end, 40, 0)
{
	MPI_File_read_at_all(file, 360, in, 25, MPI_INT, MPI_STATUS_IGNORE);
}
FILE_CASE(write_begin_end, 0, 80)
{
	MPI_File_write_at_all_begin(file, 0, out, 20, MPI_INT);
	MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE);
}
/* Not past the end: Open MPI 4.1 never comes back from that. */
FILE_CASE(read_begin_end, 100, 0)
{
	MPI_File_read_at_all_begin(file, 0, in, 25, MPI_INT);
	MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE);
}
FILE_CASE(iread, 12, 0)
{
	MPI_File_iread_at(file, 0, in, 3, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void make_communicators(void)
{
	int sizes[1] = {ranks}, open[1] = {0}, before = (me + ranks - 1) % ranks, after = (me + 1) % ranks;
	MPI_Comm half;
	MPI_Cart_create(world, 1, sizes, open, 0, &line);
	MPI_Dist_graph_create_adjacent(
		world, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
	for (int i = 0; i < ranks; i++) {
		counts[i] = ranks - 1 + i;
		more[i] = i < ranks - 1 ? i + 1 : 0;
	}
	MPI_Graph_create(world, ranks, counts, more, 0, &star);
	MPI_Comm_split(world, me != 0, 0, &half);
	MPI_Intercomm_create(half, 0, world, me ? 0 : 1, 1, &sides);
	MPI_Comm_free(&half);
}

static void open_window_and_file(void)
{
	char name[32];
	snprintf(name, sizeof name, "volume.data.%d", me);
	MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, world, &window);
	MPI_File_open(
		MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
}

static void run(int number)
{
	memset(counts, 0, sizeof counts);
	memset(more, 0, sizeof more);
	if (cases[number].put + cases[number].taken)
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
	cases[number].run();
	if (cases[number].put + cases[number].taken)
		MPI_Win_unlock(0, window);
}

static void print(int number)
{
	size_t given = 0, got = 0;
	for (int i = 0; cases[number].piece && i < ranks; i++) {
		given += cases[number].piece(me, i);
		got += cases[number].piece(i, me);
	}
	size_t used = strlen(lines);
	snprintf(lines + used, sizeof lines - used, "%d %s %zu %zu %zu %zu %zu %zu\n", me, cases[number].name, given,
		got, cases[number].put, cases[number].taken, cases[number].read, cases[number].written);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	world = MPI_COMM_WORLD;
	MPI_Comm_rank(world, &me);
	MPI_Comm_size(world, &ranks);
	make_communicators();
	open_window_and_file();
	for (int i = 0; i < case_count; i++) {
		run(i);
		print(i);
	}
	MPI_File_close(&file);
	MPI_Win_free(&window);
	MPI_Finalize();
	fwrite(lines, 1, strlen(lines), stderr);
	return 0;
}
