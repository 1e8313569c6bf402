/* SPDX-License-Identifier: Apache-2.0 */
/* Pings between rank 0 and one process of each other clock, on a communicator of the two that exists only meanwhile, so that
   the target's messages and ours never meet. The answer is rank 0's time; of several pings the fastest counts, since half of its
   duration bounds the error (Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989). */
#include "clock_offsets.h"
#include "clock_partners.h"
#include "collector.h"
#include "event_log.h"
#include "function_table.h"
#include "system_calls.h"
#include "text.h"
#include <time.h>

enum { PAIR = 2, TAG = 1 };
/* Until so many were about as fast as the fastest, which one alone may have been by chance; where processors are busy, until there
   was enough time for both to have run at once. */
enum { PINGS_LEAST = 20, PINGS_ALIKE = 6, PINGS_MOST = 1000, PINGS_NANOSECONDS = 200000000 };
/* A ping that took longer found the other not running. Who sleeps a little comes back when a processor is free for it. */
enum { SLOW_NANOSECONDS = 200000, REST_NANOSECONDS = 1000000 };

static struct clock_partners partners;
static uint32_t own_rank;

/* The content of a ping and of its answer: a moment on the sender's clocks. A ping of the raw time 0 is the last, and not
   answered. */
struct moment {
	uint64_t raw, monotonic;
};

struct measured {
	struct time_triple at;
	struct moment remote; /* rank 0's at the same moment */
	uint64_t error;       /* nanoseconds: at most so many more or less */
};

/* A communicator of rank 0 and another, in this order. Returns whether there is one. */
static bool make_pair(const struct mpi_abi *abi, uint32_t other, uint64_t *pair)
{
	int ranks[PAIR] = {0, (int)other};
	uint64_t world = 0, group = 0;
	if (MPI_ASK(MPI_Comm_group, (long)abi->communicator_world, (long)&world) != 0)
		return false;
	long all = (long)mpi_handle_at(abi, &world, 0);
	bool made = MPI_ASK(MPI_Group_incl, all, PAIR, (long)ranks, (long)&group) == 0;
	if (made) {
		made = MPI_ASK(MPI_Comm_create_group, (long)abi->communicator_world,
			       (long)mpi_handle_at(abi, &group, 0), TAG, (long)pair) == 0;
		MPI_ASK(MPI_Group_free, (long)&group);
	}
	MPI_ASK(MPI_Group_free, (long)&world);
	return made;
}

static bool send_moment(const struct mpi_abi *abi, long pair, int to, const struct moment *moment)
{
	return MPI_ASK(MPI_Send, (long)moment, sizeof *moment, (long)abi->type_byte, to, TAG, pair) == 0;
}

static bool receive_moment(const struct mpi_abi *abi, long pair, int from, struct moment *moment)
{
	return MPI_ASK(MPI_Recv, (long)moment, sizeof *moment, (long)abi->type_byte, from, TAG, pair,
		       (long)abi->status_ignore) == 0;
}

static void answer(const struct mpi_abi *abi, long pair)
{
	struct moment moment;
	while (receive_moment(abi, pair, 1, &moment) && moment.raw) {
		struct time_triple now;
		time_now(&now);
		moment = (struct moment){now.raw, now.monotonic};
		if (!send_moment(abi, pair, 1, &moment))
			return;
	}
}

/* Takes the measurement over if it is the best. Returns whether it is better by far. */
static bool take_better(struct measured *best, const struct time_triple *before, const struct time_triple *after,
	const struct moment *remote)
{
	uint64_t half = (after->monotonic - before->monotonic + 1) / 2, known = best->error;
	if (known && half >= known)
		return false;
	*best = (struct measured){.at = *before, .remote = *remote, .error = half};
	/* The answer is dated to the middle of the ping, on the assumption that both ways take equally long; the error says by
	   how much that may be wrong. */
	best->at.raw += (after->raw - before->raw) / 2;
	best->at.monotonic += half;
	best->at.realtime += half;
	return !known || half < known - known / 8;
}

/* False: there was no answer. */
static bool ask(const struct mpi_abi *abi, long pair, struct measured *best)
{
	struct time_triple before, after = {0, 0, 0};
	uint64_t begin = 0;
	unsigned alike = 0;
	*best = (struct measured){.error = 0};
	for (unsigned i = 0; i < PINGS_MOST; i++) {
		bool found = alike >= PINGS_ALIKE && best->error < SLOW_NANOSECONDS / 2;
		if (i >= PINGS_LEAST && (found || after.monotonic - begin > PINGS_NANOSECONDS))
			break;
		time_now(&before);
		begin = begin ? begin : before.monotonic;
		struct moment moment = {before.raw, before.monotonic};
		if (!send_moment(abi, pair, 0, &moment) || !receive_moment(abi, pair, 0, &moment))
			return false;
		time_now(&after);
		if (take_better(best, &before, &after, &moment))
			alike = 0;
		else if ((after.monotonic - before.monotonic) / 2 < best->error + best->error / 4)
			alike++;
		if (after.monotonic - before.monotonic > SLOW_NANOSECONDS) {
			struct timespec rest = {.tv_nsec = REST_NANOSECONDS};
			system_call(SYS_nanosleep, &rest, 0);
		}
	}
	/* The raw time 0 ends the other's loop. */
	return send_moment(abi, pair, 0, &(struct moment){0, 0});
}

static void log_measured(const struct measured *measured)
{
	char offset[24];
	struct text text = {.bytes = offset, .capacity = sizeof offset - 1};
	uint64_t own = measured->at.monotonic, remote = measured->remote.monotonic;
	text_string(&text, own < remote ? "-" : "");
	text_number(&text, own < remote ? remote - own : own - remote, 10, 1);
	offset[text.size] = 0;
	struct log_line *line = event_log_begin("mpi_clock");
	if (!line)
		return;
	log_triple_attributes(line, &measured->at);
	log_number_attribute(line, "rank", 0);
	log_number_attribute(line, "its_raw", measured->remote.raw);
	log_text_attribute(line, "offset", offset);
	log_number_attribute(line, "error", measured->error);
	event_log_end(line, 0);
}

static void compare(const struct mpi_abi *abi)
{
	/* One pair after the other: rank 0 has to answer at once, and it can answer only one. */
	for (uint32_t i = 0; i < partners.count; i++) {
		uint64_t pair = 0;
		struct measured measured;
		if (!make_pair(abi, own_rank ? own_rank : partners.ranks[i], &pair))
			continue;
		long handle = (long)mpi_handle_at(abi, &pair, 0);
		if (own_rank == 0)
			answer(abi, handle);
		else if (ask(abi, handle, &measured))
			log_measured(&measured);
		MPI_ASK(MPI_Comm_free, (long)&pair);
	}
}

void clock_offsets_begin(const struct mpi_abi *abi, uint32_t rank)
{
	own_rank = rank;
	clock_partners_find(rank, &partners);
	if (partners.refused)
		collector_log("cwarn", "the clocks of hosts beyond the first 1024 are compared by the time of day");
	compare(abi);
}

void clock_offsets_end(const struct mpi_abi *abi)
{
	compare(abi);
	clock_offsets_clear();
}

void clock_offsets_clear(void)
{
	partners.count = 0;
}
