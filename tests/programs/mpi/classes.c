/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks that call functions of every class, and print how often they called each: "RANK FUNCTION CALLS". */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 4096, NAMES = 256 };
static char out[ROOM], in[ROOM], attached[ROOM * 4];
static int me, partner;
static MPI_Comm world;
static struct {
	const char *name;
	int calls;
} counted[NAMES];

static void count(const char *name)
{
	int i = 0;
	while (counted[i].name && strcmp(counted[i].name, name))
		i++;
	counted[i].name = name;
	counted[i].calls++;
}
#define CALL(name, ...) (count("MPI_" #name), MPI_##name(__VA_ARGS__))

static void point_to_point(void)
{
	MPI_Request request[4];
	void *buffer;
	int size;
	CALL(Buffer_attach, attached, sizeof attached);
	CALL(Irecv, in, ROOM, MPI_CHAR, partner, 1, world, &request[0]);
	CALL(Irecv, in + 100, 100, MPI_CHAR, partner, 2, world, &request[1]);
	CALL(Barrier, world);
	CALL(Bsend, out, 10, MPI_CHAR, partner, 1, world);
	CALL(Rsend, out, 20, MPI_CHAR, partner, 2, world);
	CALL(Waitall, 2, request, MPI_STATUSES_IGNORE);
	CALL(Irecv, in, ROOM, MPI_CHAR, partner, 3, world, &request[0]);
	CALL(Irecv, in + 100, 100, MPI_CHAR, partner, 4, world, &request[1]);
	CALL(Issend, out, 10, MPI_CHAR, partner, 3, world, &request[2]);
	CALL(Ibsend, out, 10, MPI_CHAR, partner, 4, world, &request[3]);
	CALL(Waitall, 4, request, MPI_STATUSES_IGNORE);
	CALL(Buffer_detach, &buffer, &size);
}

static void partitioned(void)
{
#if MPI_VERSION >= 4
	MPI_Request request[2];
	CALL(Psend_init, out, 4, 8, MPI_CHAR, partner, 5, world, MPI_INFO_NULL, &request[0]);
	CALL(Precv_init, in, 4, 8, MPI_CHAR, partner, 5, world, MPI_INFO_NULL, &request[1]);
	CALL(Startall, 2, request);
	CALL(Pready, 0, request[0]);
	CALL(Pready_range, 1, 3, request[0]);
	CALL(Waitall, 2, request, MPI_STATUSES_IGNORE);
	CALL(Request_free, &request[0]);
	CALL(Request_free, &request[1]);
#endif
}

static void add(void *from, void *to, int *length, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *length; i++)
		((int *)to)[i] += ((int *)from)[i];
}

static void collectives(void)
{
	int one = 1, sum, two[2] = {1, 2}, all[2], counts[2] = {1, 1}, places[2] = {0, 1};
	MPI_Request request[2];
	MPI_Op op;
	CALL(Op_create, add, 1, &op);
	CALL(Allreduce, &one, &sum, 1, MPI_INT, op, world);
	CALL(Op_free, &op);
	CALL(Reduce, &one, &sum, 1, MPI_INT, MPI_SUM, 0, world);
	CALL(Alltoall, two, 1, MPI_INT, all, 1, MPI_INT, world);
	CALL(Alltoallv, two, counts, places, MPI_INT, all, counts, places, MPI_INT, world);
	CALL(Allgatherv, &one, 1, MPI_INT, all, counts, places, MPI_INT, world);
	CALL(Gatherv, &one, 1, MPI_INT, all, counts, places, MPI_INT, 0, world);
	CALL(Scatterv, two, counts, places, MPI_INT, &one, 1, MPI_INT, 0, world);
	CALL(Reduce_scatter, two, &sum, counts, MPI_INT, MPI_SUM, world);
	CALL(Reduce_scatter_block, two, &sum, 1, MPI_INT, MPI_SUM, world);
	CALL(Scan, &one, &sum, 1, MPI_INT, MPI_SUM, world);
	CALL(Exscan, &one, &sum, 1, MPI_INT, MPI_SUM, world);
	CALL(Iallreduce, &one, &sum, 1, MPI_INT, MPI_SUM, world, &request[0]);
	CALL(Ibcast, two, 2, MPI_INT, 0, world, &request[1]);
	CALL(Waitall, 2, request, MPI_STATUSES_IGNORE);
#if MPI_VERSION >= 4
	CALL(Allreduce_init, &one, &sum, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request[0]);
	CALL(Start, &request[0]);
	CALL(Wait, &request[0], MPI_STATUS_IGNORE);
	CALL(Request_free, &request[0]);
#endif
}

static void neighbours(void)
{
	int sizes[1] = {2}, periods[1] = {1}, one = 1, both[2], coordinate, rank, before, after;
	MPI_Comm ring;
	MPI_Request request;
	CALL(Cart_create, world, 1, sizes, periods, 0, &ring);
	CALL(Comm_rank, ring, &rank);
	CALL(Cart_coords, ring, rank, 1, &coordinate);
	CALL(Cart_shift, ring, 0, 1, &before, &after);
	CALL(Neighbor_allgather, &one, 1, MPI_INT, both, 1, MPI_INT, ring);
	CALL(Ineighbor_allgather, &one, 1, MPI_INT, both, 1, MPI_INT, ring, &request);
	CALL(Wait, &request, MPI_STATUS_IGNORE);
	CALL(Comm_free, &ring);
}

static void one_sided(void)
{
	MPI_Win window;
	static int shared[4];
	int *own, one = 1, got;
	CALL(Win_create, shared, sizeof shared, sizeof *shared, MPI_INFO_NULL, world, &window);
	CALL(Win_fence, 0, window);
	CALL(Put, &one, 1, MPI_INT, partner, 0, 1, MPI_INT, window);
	CALL(Win_fence, 0, window);
	CALL(Get, &got, 1, MPI_INT, partner, 1, 1, MPI_INT, window);
	CALL(Accumulate, &one, 1, MPI_INT, partner, 2, 1, MPI_INT, MPI_SUM, window);
	CALL(Win_fence, 0, window);
	CALL(Win_free, &window);
	CALL(Win_allocate, 64, 4, MPI_INFO_NULL, world, &own, &window);
	CALL(Win_lock, MPI_LOCK_EXCLUSIVE, partner, 0, window);
	CALL(Fetch_and_op, &one, &got, MPI_INT, partner, 0, MPI_SUM, window);
	CALL(Win_flush, partner, window);
	CALL(Win_unlock, partner, window);
	CALL(Win_free, &window);
}

static void files(void)
{
	MPI_File file;
	MPI_Offset offset;
	MPI_Request request;
	CALL(File_open, world, "classes.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	CALL(File_write_at, file, me * 100, out, 100, MPI_CHAR, MPI_STATUS_IGNORE);
	CALL(File_sync, file);
	CALL(File_read_at_all, file, me * 100, in, 100, MPI_CHAR, MPI_STATUS_IGNORE);
	CALL(File_seek, file, 0, MPI_SEEK_SET);
	CALL(File_get_position, file, &offset);
	CALL(File_iread, file, in, 10, MPI_CHAR, &request);
	CALL(Wait, &request, MPI_STATUS_IGNORE);
	CALL(File_get_size, file, &offset);
	CALL(File_close, &file);
	CALL(Barrier, world);
	if (!me)
		CALL(File_delete, "classes.data", MPI_INFO_NULL);
}

static void types(void)
{
	MPI_Datatype type, other;
	int size, at = 0, one = 1;
	MPI_Aint low, extent;
	CALL(Type_contiguous, 3, MPI_INT, &type);
	CALL(Type_commit, &type);
	CALL(Type_dup, type, &other);
	CALL(Type_size, type, &size);
	CALL(Type_get_extent, other, &low, &extent);
	CALL(Pack_size, 1, MPI_INT, world, &size);
	CALL(Pack, &one, 1, MPI_INT, out, ROOM, &at, world);
	at = 0;
	CALL(Unpack, out, ROOM, &at, &one, 1, MPI_INT, world);
	CALL(Type_free, &type);
	CALL(Type_free, &other);
}

static int copy_attribute(MPI_Comm comm, int key, void *state, void *from, void *to, int *flag)
{
	(void)comm, (void)key, (void)state;
	*(void **)to = from;
	*flag = 1;
	return MPI_SUCCESS;
}

static void communicators(void)
{
	MPI_Comm copy, half, inter, merged;
	MPI_Group group, one;
	MPI_Request request;
	int key, size, ranks[1] = {0}, flag;
	void *value;
	char name[MPI_MAX_OBJECT_NAME];
	CALL(Comm_create_keyval, copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, 0);
	CALL(Comm_set_attr, world, key, out);
	CALL(Comm_idup, world, &copy, &request);
	CALL(Wait, &request, MPI_STATUS_IGNORE);
	CALL(Comm_get_attr, copy, key, &value, &flag);
	CALL(Comm_set_name, copy, "copy");
	CALL(Comm_get_name, copy, name, &size);
	CALL(Comm_group, copy, &group);
	CALL(Group_incl, group, 1, ranks, &one);
	CALL(Group_size, one, &size);
	CALL(Group_free, &one);
	CALL(Group_free, &group);
	CALL(Comm_split, copy, me, 0, &half);
	CALL(Intercomm_create, half, 0, copy, partner, 9, &inter);
	CALL(Comm_remote_size, inter, &size);
	CALL(Sendrecv, out, 5, MPI_CHAR, 0, 6, in, 5, MPI_CHAR, 0, 6, inter, MPI_STATUS_IGNORE);
	CALL(Intercomm_merge, inter, me, &merged);
	CALL(Comm_compare, merged, copy, &flag);
	CALL(Comm_free, &merged);
	CALL(Comm_free, &inter);
	CALL(Comm_free, &half);
	CALL(Comm_free, &copy);
	CALL(Comm_delete_attr, world, key);
	CALL(Comm_free_keyval, &key);
}

static void environment(void)
{
	char name[MPI_MAX_PROCESSOR_NAME], text[MPI_MAX_ERROR_STRING];
	int size, version, minor;
	MPI_Info info;
	double before = MPI_Wtime();
	CALL(Get_processor_name, name, &size);
	CALL(Get_version, &version, &minor);
	CALL(Error_string, MPI_ERR_TRUNCATE, text, &size);
	CALL(Comm_set_errhandler, world, MPI_ERRORS_RETURN);
	CALL(Info_create, &info);
	CALL(Info_set, info, "key", "value");
	CALL(Info_free, &info);
	CALL(Pcontrol, 0);
	if (MPI_Wtime() < before || MPI_Wtick() <= 0)
		puts("the clock is wrong");
}

static void tool(void)
{
	int level, variables;
	CALL(T_init_thread, MPI_THREAD_SINGLE, &level);
	CALL(T_cvar_get_num, &variables);
	CALL(T_pvar_get_num, &variables);
	CALL(T_finalize);
}

int main(int argc, char **argv)
{
	char lines[NAMES * 64];
	size_t used = 0;
	CALL(Init, &argc, &argv);
	world = MPI_COMM_WORLD;
	CALL(Comm_rank, world, &me);
	partner = 1 - me;
	point_to_point();
	partitioned();
	collectives();
	neighbours();
	one_sided();
	files();
	types();
	communicators();
	environment();
	tool();
	CALL(Finalize);
	for (int i = 0; counted[i].name; i++)
		used += (size_t)snprintf(
			lines + used, sizeof lines - used, "%d %s %d\n", me, counted[i].name, counted[i].calls);
	fwrite(lines, 1, used, stderr);
	return 0;
}
