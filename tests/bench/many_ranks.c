/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a big synthetic experiment of an MPI job with the format's own writer.
 *
 *   many_ranks EXPERIMENT RANKS EVENTS
 *
 * In each step a rank posts a receive from the rank before it (MPI_Irecv), sends 100 bytes to the next one (MPI_Isend) and waits
 * for both (MPI_Waitall, two events); after ten steps all meet in MPI_Allreduce. Odd ranks send 1000 ns later than even ones, of
 * which each therefore waits 400 ns in each MPI_Waitall, where RANKS is even. Rank r comes to MPI_Allreduce r * 1000 / RANKS ns
 * after rank 0. Tags are the step's number modulo 1000. Prints the number of messages. */
#include "synthetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 100, TAGS = 1000, EACH = 10, STEP = 10000, IRECV = 0, ISEND, WAITALL, ALLREDUCE };
static const struct mpi_named functions[] = {{"MPI_Irecv", "point-to-point"}, {"MPI_Isend", "point-to-point"},
	{"MPI_Waitall", "completion"}, {"MPI_Allreduce", "collective"}};
static uint32_t stacks[4];

struct call {
	unsigned function;
	uint64_t time, duration; /* duration 0: one more message of the call before it */
	uint64_t role, peer, tag, sent, received, order;
};

static void add(struct synthetic *s, const struct call *call)
{
	const uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(MPI, function)] = call->function,
		[FIELD_INDEX(MPI, duration)] = call->duration,
		[FIELD_INDEX(MPI, calls)] = call->duration != 0,
		[FIELD_INDEX(MPI, role)] = call->role,
		[FIELD_INDEX(MPI, peer)] = call->peer,
		[FIELD_INDEX(MPI, tag)] = call->tag,
		[FIELD_INDEX(MPI, communicator)] = 1,
		[FIELD_INDEX(MPI, sent)] = call->sent,
		[FIELD_INDEX(MPI, received)] = call->received,
		[FIELD_INDEX(MPI, order)] = call->order};
	synthetic_event(s, KIND_MPI, 1, call->time, stacks[call->function], fields);
}

#define ROLE(name) STATE_VALUE(MPI, role, name)

/* One step of a rank, from `time` on. Returns when it ended. */
static uint64_t step(struct synthetic *s, uint64_t time, uint64_t number, unsigned rank, unsigned ranks)
{
	unsigned next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
	uint64_t tag = number % TAGS, late = rank * 1000ull / ranks, sent = time + 2000 + rank % 2 * 1000;
	add(s, &(struct call){IRECV, time, 500, ROLE(post), before, tag, 0, 0, number});
	add(s, &(struct call){ISEND, sent, 500, ROLE(send), next, tag, BYTES, 0, number});
	add(s, &(struct call){
		       WAITALL, sent + 600, time + 7000 - (sent + 600), ROLE(receive), before, tag, 0, BYTES, number});
	add(s, &(struct call){WAITALL, sent + 600, 0, ROLE(sent), 0, 0, 0, 0, number});
	if (number % EACH == EACH - 1)
		add(s, &(struct call){ALLREDUCE, time + 8000 + late, STEP - 8000 - late, ROLE(collective), UINT32_MAX,
			       0, 8, 8, number / EACH});
	return time + STEP;
}

static void write_rank(const char *experiment, unsigned rank, unsigned ranks, uint64_t steps)
{
	char path[4096], attributes[128];
	uint64_t time = 1000;
	snprintf(path, sizeof path, "%s/M_r%u.er", experiment, rank);
	struct synthetic *s = synthetic_begin(path);
	synthetic_map_object(s, 0x400000, 0x10000, 0, 0x400000, "/bin/app");
	for (unsigned f = 0; f < sizeof stacks / sizeof *stacks; f++)
		stacks[f] = synthetic_stack(s, (uint64_t[]){0x400100, 0x401000 + 0x1000 * f}, 2, 0);
	synthetic_mpi(s, functions, sizeof functions / sizeof *functions);
	snprintf(attributes, sizeof attributes, "rank=%u size=%u job=j1", rank, ranks);
	synthetic_log_with(s, "mpi", 1, attributes, "library");
	snprintf(attributes, sizeof attributes, "number=1 identity=0x1 rank=%u size=%u leader=0 made_by=MPI_Init", rank,
		ranks);
	synthetic_log_with(s, "mpi_communicator", 2, attributes, 0);
	synthetic_log_with(s, "mpi_name", 2, "number=1", "MPI_COMM_WORLD");
	for (uint64_t i = 0; i < steps; i++)
		time = step(s, time, i, rank, ranks);
	synthetic_end(s);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: many_ranks EXPERIMENT RANKS EVENTS\n");
		return 2;
	}
	unsigned ranks = (unsigned)strtoul(argv[2], 0, 10);
	uint64_t steps = strtoull(argv[3], 0, 10) * EACH / (4 * EACH + 1) / ranks;
	synthetic_end(synthetic_begin(argv[1]));
	for (unsigned rank = 0; rank < ranks; rank++)
		write_rank(argv[1], rank, ranks, steps);
	printf("%" PRIu64 "\n", steps * ranks);
	return 0;
}
