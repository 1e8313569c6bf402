/* SPDX-License-Identifier: Apache-2.0 */
/* The table functions.def as C. */
#ifndef FUNCTION_TABLE_H
#define FUNCTION_TABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum mpi_operation {
	MPI_OPERATION_NONE,
	MPI_OPERATION_SEND,
	MPI_OPERATION_ISEND,
	MPI_OPERATION_SEND_INIT,
	MPI_OPERATION_RECEIVE,
	MPI_OPERATION_IRECEIVE,
	MPI_OPERATION_RECEIVE_INIT,
	MPI_OPERATION_SENDRECV,
	MPI_OPERATION_ISENDRECV,
	MPI_OPERATION_PROBE,
	MPI_OPERATION_IPROBE,
	MPI_OPERATION_MPROBE,
	MPI_OPERATION_IMPROBE,
	MPI_OPERATION_MRECEIVE,
	MPI_OPERATION_IMRECEIVE,
	MPI_OPERATION_WAIT,
	MPI_OPERATION_WAITALL,
	MPI_OPERATION_WAITANY,
	MPI_OPERATION_WAITSOME,
	MPI_OPERATION_TEST,
	MPI_OPERATION_TESTALL,
	MPI_OPERATION_TESTANY,
	MPI_OPERATION_TESTSOME,
	MPI_OPERATION_POLL, /* asks, and completes nothing */
	MPI_OPERATION_START,
	MPI_OPERATION_STARTALL,
	MPI_OPERATION_REQUEST_FREE,
	MPI_OPERATION_COLLECTIVE,
	MPI_OPERATION_ICOLLECTIVE,
	MPI_OPERATION_CREATE,       /* a communicator, by all processes of its parent */
	MPI_OPERATION_CREATE_LATER, /* the same; it is there when the request is complete */
	MPI_OPERATION_CREATE_GROUP, /* by those of a group */
	MPI_OPERATION_CREATE_FROM,  /* without a parent */
	MPI_OPERATION_MEET,         /* an intercommunicator of two groups whose leaders have a communicator */
	MPI_OPERATION_CONNECT,
	MPI_OPERATION_JOIN,
	MPI_OPERATION_SPAWN,
	MPI_OPERATION_SPAWN_MULTIPLE,
	MPI_OPERATION_FREE,
	MPI_OPERATION_SET_NAME,
	MPI_OPERATION_OPEN, /* a window or a file */
	MPI_OPERATION_CLOSE,
	MPI_OPERATION_REMOTE,
	MPI_OPERATION_WINDOW,
	MPI_OPERATION_POST,     /* an epoch of a window begins that others access */
	MPI_OPERATION_EXPOSED,  /* it ends */
	MPI_OPERATION_ACCESS,   /* an epoch begins in which windows of others are accessed */
	MPI_OPERATION_COMPLETE, /* it ends */
	MPI_OPERATION_LOCK,
	MPI_OPERATION_FLUSH,
	MPI_OPERATION_UNLOCK,
	MPI_OPERATION_TRANSFER, /* from or to a file */
	MPI_OPERATION_INIT,
	MPI_OPERATION_FINALIZE,
	MPI_OPERATION_SESSION_INIT,
	MPI_OPERATION_SESSION_FINALIZE,
	MPI_OPERATION_ABORT,
	MPI_OPERATION_COUNT
};

/* From whom to whom the pieces of a collective operation go. */
enum mpi_flow {
	FLOW_NONE,
	FLOW_TO_ONE,   /* the root */
	FLOW_FROM_ONE, /* the root */
	FLOW_TO_ALL,   /* from all */
	FLOW_SHARES,   /* from all to all, of whom each gets another share */
	FLOW_SCAN,     /* to the ranks from the own one on */
	FLOW_EXSCAN,   /* to the later ranks */
	FLOW_NEIGHBORS
};

/* Which argument is what, from 1; 0: none is. */
struct mpi_places {
	enum mpi_flow flow;                         /* no argument */
	uint8_t count, partitions, type, peer, tag; /* of what is sent; peer: destination, target or root */
	uint8_t receive_count, receive_type, source, receive_tag; /* of what is received */
	uint8_t counts, types, receive_counts, receive_types;     /* arrays, with one for each partner */
	uint8_t communicator, handle; /* handle: window, file, or the communicator that is made */
	uint8_t message, flag, index, out_count, request, status, name; /* name: or a port, or a tag that is a text */
	uint8_t together; /* no argument: 1 where all processes of a window or a file make the call */
	uint8_t group, lock, other, descriptor; /* other: the leaders' communicator, or the remote group */
};

struct mpi_function {
	const char *name, *class;
	enum mpi_operation operation;
	bool large; /* counts are 64-bit numbers (MPI_X_c) */
	struct mpi_places at;
};

enum mpi_number {
#define FUNCTION(name, ...) NUMBER_##name,
#include "functions.def"
	MPI_FUNCTIONS
};

extern const struct mpi_function mpi_functions[MPI_FUNCTIONS];

/* The next definition of MPI_X (or of PMPI_X) after ours; 0: there is none. Looked up once. */
void *mpi_real_find(enum mpi_number number, bool profiling);
extern void *mpi_reals[2][MPI_FUNCTIONS]; /* atomic, each */

static inline void *mpi_real(enum mpi_number number, bool profiling)
{
	void *real = __atomic_load_n(&mpi_reals[profiling][number], __ATOMIC_RELAXED);
	return real ? real : mpi_real_find(number, profiling);
}

/* A symbol of the MPI library that is loaded, whoever else may see it; 0: none. Takes the loader's locks. */
void *mpi_symbol(const char *name);
/* The path of that library. False: there is none of that name, as where it is linked statically. */
bool mpi_library_path(char path[PATH_MAX]);

/* A function of the library itself, for our own use, whatever tool stands between: its result, or -1 if the library has
   none. At most seven arguments. */
#define MPI_ASK(name, ...) mpi_ask(NUMBER_##name, (const long[7]){__VA_ARGS__})
static inline int mpi_ask(enum mpi_number number, const long *v)
{
	long (*real)(long, long, long, long, long, long, long) = mpi_real(number, true);
	return real ? (int)real(v[0], v[1], v[2], v[3], v[4], v[5], v[6]) : -1;
}

#endif
