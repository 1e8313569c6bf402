/* SPDX-License-Identifier: Apache-2.0 */
/* Sends find their receives, in experiments written for the test: by the order of posting, over communicators and both sides of
   an intercommunicator, not those of another run; several messages of one call; what has no partner; filters. */
#include "mpi_messages.h"
#include "mpi_run.h"

#include <string.h>

enum { WORLD = 1, SPLIT, INTER };

static void write_run(const char *run)
{
	synthetic_end(synthetic_begin(run));
	struct synthetic *s = rank_begin(run, 0);
	synthetic_log_with(s, "mpi_communicator", 3, "number=2 identity=0x2 rank=1 size=2 leader=2", 0);
	synthetic_log_with(s, "mpi_communicator", 4,
		"number=3 identity=0x3 rank=0 size=1 leader=0 remote_size=2 remote_leader=1", 0);
	event(s, 1000, 10, ROLE(send), WORLD, 1, 5, 10, 0);
	event(s, 1100, 10, ROLE(send), WORLD, 1, 5, 20, 1);
	event(s, 1200, 10, ROLE(send), WORLD, 1, 5, 30, 2); /* nobody receives it */
	event(s, 1300, 40, ROLE(send), WORLD, 1, 6, 40, 3); /* MPI_Startall: three messages */
	event(s, 1300, 0, ROLE(send), WORLD, 2, 6, 41, 4);
	event(s, 1300, 0, ROLE(send), SPLIT, 0, 6, 100, 5);
	event(s, 1400, 10, ROLE(send), INTER, 1, 5, 200, 6);
	event(s, 1450, 10, ROLE(send), INTER, 7, 5, 9, 7); /* a rank that is not loaded */
	event(s, 1500, 10, ROLE(collective), WORLD, 0, 5, 77, 0);
	event(s, 1600, 10, ROLE(receive), 99, 1, 5, 8, 0); /* a communicator that the log has not */
	synthetic_end(s);

	s = rank_begin(run, 1);
	synthetic_log_with(s, "mpi_communicator", 4,
		"number=2 identity=0x3 rank=0 size=2 leader=1 remote_size=1 remote_leader=0", 0);
	event(s, 500, 10, ROLE(post), WORLD, 0, 5, 0, 0);
	event(s, 600, 10, ROLE(post), WORLD, 0, 5, 0, 1);
	event(s, 2000, 10, ROLE(receive), WORLD, 0, 5, 20, 1);  /* the second is complete before the first */
	event(s, 2100, 300, ROLE(receive), WORLD, 0, 5, 10, 0); /* MPI_Waitall: two messages */
	event(s, 2100, 0, ROLE(receive), WORLD, 0, 6, 40, 2);
	event(s, 2500, 10, ROLE(cancelled), WORLD, 0, 5, 0, 3);
	synthetic_end(s);

	s = rank_begin(run, 2);
	synthetic_log_with(s, "mpi_communicator", 3, "number=2 identity=0x2 rank=0 size=2 leader=2", 0);
	synthetic_log_with(s, "mpi_communicator", 4,
		"number=3 identity=0x3 rank=1 size=2 leader=1 remote_size=1 remote_leader=0", 0);
	event(s, 3000, 10, ROLE(receive), SPLIT, 1, 6, 100, 0);
	event(s, 3100, 10, ROLE(receive), INTER, 0, 5, 200, 1);
	event(s, 3200, 10, ROLE(receive), WORLD, 0, 6, 41, 2);
	event(s, 3300, 10, ROLE(receive), WORLD, 1, 6, 42, 3); /* nobody sent it */
	synthetic_end(s);
}

/* Receiver, bytes and times of each send of rank 0, and of the receive that it found; bytes 0: none. */
static const struct expected {
	uint64_t bytes, destination, end, received, receive_begin, receive_end;
} expected[] = {
	{10, 1, 1010, 10, 2100, 2400},
	{20, 1, 1110, 20, 2000, 2010},
	{30, 1, 1210, 0, 0, 0},
	{40, 1, 1340, 40, 2100, 2400},
	{41, 2, 1340, 41, 3200, 3210},
	{100, 2, 1340, 100, 3000, 3010},
	{200, 2, 1410, 200, 3100, 3110},
	{9, 99, 1460, 0, 0, 0},
};
enum { SENDS = sizeof expected / sizeof *expected };

START_TEST(sends_find_their_receives)
{
	unsigned runs = (unsigned)_i + 1, found = 0;
	load(write_run, runs);
	struct mpi_trace *trace = mpi_trace_read(data, 0, 0);
	mpi_messages_match(trace);
	ck_assert_uint_eq(trace->send_count, SENDS * runs);
	ck_assert_uint_eq(trace->receive_count, 8 * runs);
	for (uint32_t i = 0; i < trace->send_count; i++) {
		const struct mpi_side *send = &trace->sends[i];
		const struct mpi_trace_call *sending = &trace->calls[send->start];
		ck_assert(send->kept);
		for (unsigned e = 0; e < SENDS; e++) {
			if (expected[e].bytes != send->bytes)
				continue;
			found++;
			ck_assert_uint_eq(rank_of(sending->experiment), 0);
			ck_assert_uint_eq(rank_of(send->peer), expected[e].destination);
			ck_assert_uint_eq(sending->end, expected[e].end);
			ck_assert_msg((send->partner != NO_MESSAGE) == (expected[e].received != 0), "%u", e);
			if (send->partner == NO_MESSAGE)
				continue;
			const struct mpi_side *receive = &trace->receives[send->partner];
			const struct mpi_trace_call *receiving = &trace->calls[receive->completion];
			ck_assert_uint_eq(receive->partner, i);
			ck_assert_uint_eq(receive->bytes, expected[e].received);
			ck_assert_uint_eq(receiving->begin, expected[e].receive_begin);
			ck_assert_uint_eq(receiving->end, expected[e].receive_end);
			ck_assert_uint_eq(receiving->experiment, send->peer);
			ck_assert_uint_eq(receive->peer, sending->experiment);
		}
	}
	ck_assert_uint_eq(found, SENDS * runs);
	unsigned alone = 0;
	for (uint32_t i = 0; i < trace->receive_count; i++)
		alone += trace->receives[i].partner == NO_MESSAGE;
	ck_assert_uint_eq(alone, 2 * runs); /* the 42 bytes, the 8 of an unknown communicator */
	mpi_trace_free(trace);
	unload();
}
END_TEST

static struct mpi_trace *filtered;

static void read_filtered(const struct event_filter *filter)
{
	filtered = mpi_trace_read(data, filter, 0);
	mpi_messages_match(filtered);
}

static struct mpi_trace *trace_where(const char *text)
{
	with_filter(text, read_filtered);
	return filtered;
}

/* Bytes of the sends, or receives, that a filter keeps. */
static uint64_t kept_by(const char *text, bool sends)
{
	struct mpi_trace *trace = trace_where(text);
	const struct mpi_side *sides = sends ? trace->sends : trace->receives;
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < (sends ? trace->send_count : trace->receive_count); i++)
		bytes += sides[i].kept ? sides[i].bytes : 0;
	mpi_trace_free(trace);
	return bytes;
}

START_TEST(a_filter_keeps_sides)
{
	load(write_run, 1);
	struct mpi_trace *trace = trace_where("tag==6");
	uint64_t sent = 0, received = 0, matched = 0;
	for (uint32_t i = 0; i < trace->send_count; i++) {
		sent += trace->sends[i].kept ? trace->sends[i].bytes : 0;
		matched += trace->sends[i].partner != NO_MESSAGE;
	}
	for (uint32_t i = 0; i < trace->receive_count; i++)
		received += trace->receives[i].kept ? trace->receives[i].bytes : 0;
	ck_assert_uint_eq(sent, 40 + 41 + 100);
	ck_assert_uint_eq(received, 40 + 41 + 100 + 42);
	ck_assert_uint_eq(matched, 6); /* partners are found among all */
	ck_assert_uint_eq(kept_by("MRANK==1", true), 0);
	ck_assert_uint_eq(kept_by("MRANK==1", false), 10 + 20 + 40);
	ck_assert_uint_eq(kept_by("MPEER==1", true), 10 + 20 + 30 + 40);
	ck_assert_uint_eq(kept_by("MPEER==2", true), 41 + 100 + 200); /* over three communicators */
	ck_assert_uint_eq(kept_by("MPEER==0", false), 10 + 20 + 40 + 100 + 200 + 41);
	ck_assert_uint_eq(kept_by("MPEER==-1", true), 9);
	ck_assert_uint_eq(kept_by("CNAME(\"MPI_COMM_.*\")", true), 10 + 20 + 30 + 40 + 41);
	ck_assert_uint_eq(kept_by("CNAME(\".*0x2\") IN MCOMM", true), 100);
	ck_assert_uint_eq(kept_by("MCOMM==0", false), 8); /* the log has not its communicator */
	mpi_trace_free(trace);
	unload();
}
END_TEST

START_TEST(communicators_are_one_where_they_are)
{
	load(write_run, 2);
	struct mpi_world *world = mpi_world_read(data);
	ck_assert_uint_eq(mpi_world_count(world), 4 * 2); /* world, split, and both sides of one */
	for (uint32_t c = 0; c < mpi_world_count(world); c++) {
		const struct mpi_communicator *own = mpi_world_communicator(world, c);
		bool inter = own->remote_size != 0;
		ck_assert_uint_eq(own->members, own->size);
		ck_assert_int_eq(own->peers != c, inter);
		ck_assert_uint_ne(own->peers, NO_COMMUNICATOR);
		ck_assert_uint_eq(mpi_world_communicator(world, own->peers)->pair, own->pair);
		ck_assert_str_eq(own->name, strcmp(own->identity, "0x1") ? "" : "MPI_COMM_WORLD");
		ck_assert_uint_eq(mpi_world_member(world, c, own->size), NO_EXPERIMENT);
		uint32_t first = mpi_world_member(world, c, 0);
		ck_assert_uint_eq(rank_of(first), own->leader);
	}
	mpi_world_free(world);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_messages");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, sends_find_their_receives, 0, 2);
	tcase_add_test(all, a_filter_keeps_sides);
	tcase_add_test(all, communicators_are_one_where_they_are);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
