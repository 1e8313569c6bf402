/* SPDX-License-Identifier: Apache-2.0 */
/* Every wait state, with the call that was waited for, in a run written for the test: by formula, one wait a call, none longer
   than its call, filters, operations that are not what they should be. */
#include "mpi_expected.h"

enum { WORLD = 1 };
enum {
	SEND,
	RECV,
	ISEND,
	IRECV,
	WAIT,
	WAITALL,
	WAITSOME,
	SENDRECV,
	BARRIER,
	IBARRIER,
	ALLREDUCE,
	BCAST,
	REDUCE,
	SCAN,
	OTHER,
	PROBE,
	MPROBE,
	MRECV,
	TEST,
	DUP,
	FENCE,
	WRITE_ALL,
	FINALIZE,
	INQUIRY
};
#define OF_WINDOW(number) ((uint64_t)(number) << 32)
static const struct mpi_named functions[] = {{"MPI_Send", "point-to-point"}, {"MPI_Recv", "point-to-point"},
	{"MPI_Isend", "point-to-point"}, {"MPI_Irecv", "point-to-point"}, {"MPI_Wait", "completion"},
	{"MPI_Waitall", "completion"}, {"MPI_Waitsome", "completion"}, {"MPI_Sendrecv", "point-to-point"},
	{"MPI_Barrier", "collective"}, {"MPI_Ibarrier", "collective"}, {"MPI_Allreduce_c", "collective"},
	{"MPI_Bcast", "collective"}, {"MPI_Reduce", "collective"}, {"MPI_Scan", "collective"},
	{"MPI_Neighbor_alltoall", "collective"}, {"MPI_Probe", "point-to-point"}, {"MPI_Mprobe", "point-to-point"},
	{"MPI_Mrecv", "point-to-point"}, {"MPI_Test", "completion"}, {"MPI_Comm_dup", "communicator"},
	{"MPI_Win_fence", "one-sided"}, {"MPI_File_write_all", "file"}, {"MPI_Finalize", "environment"},
	{"MPI_Comm_rank", "communicator"}};

static struct synthetic *ranks[3];

static void call(unsigned rank, unsigned function, uint64_t begin, uint64_t end, uint64_t role, uint64_t peer,
	uint64_t tag, uint64_t order)
{
	function_event(ranks[rank], function, begin, end - begin, role, WORLD, peer, tag, 8, order);
}

/* One more message of the rank's last call. */
static void also(unsigned rank, uint64_t begin, uint64_t role, uint64_t peer, uint64_t tag, uint64_t order)
{
	event(ranks[rank], begin, 0, role, WORLD, peer, tag, 8, order);
}

static void write_messages(void)
{
	/* Tag 1: a send that is late for a receive; tag 2: a receive that is late for a send. */
	call(1, RECV, 1000, 1310, ROLE(receive), 0, 1, 0);
	call(0, SEND, 1300, 1320, ROLE(send), 1, 1, 0);
	call(0, SEND, 2000, 2260, ROLE(send), 1, 2, 1);
	call(1, RECV, 2250, 2270, ROLE(receive), 0, 2, 1);
	/* Tag 3: posted before, but waited for only from 3100 on. Tag 4: sent before the receive: nobody waits. */
	call(1, IRECV, 3000, 3010, ROLE(post), 0, 3, 2);
	call(1, WAIT, 3100, 3230, ROLE(receive), 0, 3, 2);
	call(0, SEND, 3200, 3210, ROLE(send), 1, 3, 2);
	call(0, SEND, 3300, 3310, ROLE(send), 1, 4, 3);
	call(1, RECV, 3400, 3410, ROLE(receive), 0, 4, 3);
	/* Tag 5: the send's completion waits for the receive. */
	call(0, ISEND, 4000, 4010, ROLE(send), 1, 5, 4);
	call(0, WAIT, 4050, 4220, ROLE(sent), 0, 0, 4);
	call(1, RECV, 4200, 4230, ROLE(receive), 0, 5, 4);
	/* Tag 6: by the clocks the send began after its receive ended: no wait is longer than its call. */
	call(1, RECV, 5000, 5100, ROLE(receive), 0, 6, 5);
	call(0, SEND, 5400, 5410, ROLE(send), 1, 6, 5);
	/* Both at once, the partner late with both. */
	call(0, SENDRECV, 6000, 6410, ROLE(receive), 1, 7, 0);
	also(0, 6000, ROLE(send), 1, 7, 6);
	call(1, SENDRECV, 6400, 6420, ROLE(receive), 0, 7, 6);
	also(1, 6400, ROLE(send), 0, 7, 0);
}

static void write_completions(void)
{
	/* The last of three receives decides; in MPI_Waitsome the first does. */
	for (unsigned turn = 0; turn < 2; turn++) {
		uint64_t start = 10000 + turn * 1000;
		call(2, IRECV, start, start + 10, ROLE(post), 0, 8, 2 * turn);
		call(2, IRECV, start + 20, start + 30, ROLE(post), 1, 8, 2 * turn + 1);
		call(2, turn ? WAITSOME : WAITALL, start + 100, start + 350, ROLE(receive), 0, 8, 2 * turn);
		also(2, start + 100, ROLE(receive), 1, 8, 2 * turn + 1);
		call(0, SEND, start + 200, start + 210, ROLE(send), 2, 8, 7 + turn);
		call(1, SEND, start + 300, start + 310, ROLE(send), 2, 8, 1 + turn);
	}
}

/* Each rank in the operation, from its own begin to `end`. */
static void operation(unsigned function, const uint64_t *begins, uint64_t end, uint64_t root, uint64_t order)
{
	for (unsigned rank = 0; rank < 3; rank++)
		call(rank, function, begins[rank], end, ROLE(collective), root, 0, order);
}

static void write_operations(void)
{
	operation(BARRIER, (uint64_t[]){20000, 20100, 20200}, 20210, 0, 0);
	operation(ALLREDUCE, (uint64_t[]){21300, 21100, 21200}, 21310, 0, 1);
	operation(BCAST, (uint64_t[]){22000, 22100, 22050}, 22110, 1, 2);
	operation(REDUCE, (uint64_t[]){23100, 23000, 23200}, 23210, 1, 3);
	operation(SCAN, (uint64_t[]){24100, 24000, 24050}, 24110, 0, 4);
	operation(OTHER, (uint64_t[]){25000, 25100, 25200}, 25210, 0, 5);
	/* Not one operation: of two kinds. */
	call(0, BARRIER, 26000, 26100, ROLE(collective), 0, 0, 6);
	call(1, ALLREDUCE, 26050, 26100, ROLE(collective), 0, 0, 6);
	call(2, BARRIER, 26080, 26100, ROLE(collective), 0, 0, 6);
	/* Begun by all, completed later: rank 0 waited already when rank 2 came, rank 1 did not yet. */
	for (unsigned rank = 0; rank < 3; rank++) {
		uint64_t begin = rank == 2 ? 27300 : 27000, wait = rank == 0 ? 27050 : 27320;
		call(rank, IBARRIER, begin, begin + 10, ROLE(collective), 0, 0, 7);
		call(rank, WAIT, wait, 27330, ROLE(completed), 0, 0, 7);
	}
}

static void write_probes(void)
{
	call(1, PROBE, 28000, 28150, ROLE(probe), 0, 9, 7);
	call(0, SEND, 28100, 28110, ROLE(send), 1, 9, 9);
	call(1, RECV, 28200, 28210, ROLE(receive), 0, 9, 7);
	/* A message that was taken before the second one is received after it. */
	call(1, MPROBE, 28300, 28350, ROLE(probe), 0, 10, 8);
	call(0, SEND, 28320, 28325, ROLE(send), 1, 10, 10);
	call(1, RECV, 28380, 28430, ROLE(receive), 0, 10, 9);
	call(0, SEND, 28400, 28405, ROLE(send), 1, 10, 11);
	call(1, MRECV, 28450, 28460, ROLE(receive), 0, 10, 8);
}

/* Five calls in one event, of 100 ns of which 60 were in them. */
static void ask(unsigned rank, uint64_t begin)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(MPI, function)] = TEST,
		[FIELD_INDEX(MPI, duration)] = 60,
		[FIELD_INDEX(MPI, between)] = 40,
		[FIELD_INDEX(MPI, calls)] = 5,
	};
	synthetic_event(ranks[rank], KIND_MPI, 1, begin, 0, fields);
}

static void write_polls(void)
{
	call(1, IRECV, 28500, 28510, ROLE(post), 0, 11, 10);
	ask(1, 28550);
	call(1, TEST, 28660, 28670, ROLE(receive), 0, 11, 10);
	call(0, SEND, 28600, 28610, ROLE(send), 1, 11, 12);
	/* Another call was made after those that asked in vain: they may have asked for something else. */
	call(1, IRECV, 28700, 28710, ROLE(post), 0, 12, 11);
	ask(1, 28720);
	call(1, INQUIRY, 28830, 28835, ROLE(none), 0, 0, 0);
	call(1, TEST, 28840, 28850, ROLE(receive), 0, 12, 11);
	call(0, SEND, 28800, 28810, ROLE(send), 1, 12, 13);
}

static void write_calls_of_all(void)
{
	operation(DUP, (uint64_t[]){29000, 29050, 29100}, 29110, 0, 8);
	operation(FENCE, (uint64_t[]){29200, 29300, 29250}, 29310, 0, OF_WINDOW(1));
	for (unsigned rank = 0; rank < 3; rank++) {
		uint64_t begin = rank == 1 ? 29450 : 29400;
		call(rank, WRITE_ALL, begin, 29470, ROLE(file), 0, 0, 0);
		function_event(ranks[rank], WRITE_ALL, begin, 0, ROLE(collective), WORLD, 0, 0, 0, OF_WINDOW(2));
	}
	operation(FINALIZE, (uint64_t[]){29500, 29600, 29650}, 29700, 0, 9);
}

static void write_run(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++) {
		ranks[rank] = rank_begin(run, rank);
		synthetic_mpi(ranks[rank], functions, sizeof functions / sizeof *functions);
	}
	write_messages();
	write_completions();
	write_operations();
	write_probes();
	write_polls();
	write_calls_of_all();
	for (unsigned rank = 0; rank < 3; rank++)
		synthetic_end(ranks[rank]);
}

static const struct expected expected[] = {
	{1, 1000, MPI_WAIT_late_sender, 300, 0, 1300},
	{0, 2000, MPI_WAIT_late_receiver, 250, 1, 2250},
	{1, 3100, MPI_WAIT_late_sender, 100, 0, 3200},
	{0, 4050, MPI_WAIT_late_receiver, 150, 1, 4200},
	{1, 5000, MPI_WAIT_late_sender, 100, 0, 5400},
	{0, 6000, MPI_WAIT_late_sender, 400, 1, 6400},
	{2, 10100, MPI_WAIT_late_sender, 200, 1, 10300},
	{2, 11100, MPI_WAIT_late_sender, 100, 0, 11200},
	{0, 20000, MPI_WAIT_barrier, 200, 2, 20200},
	{1, 20100, MPI_WAIT_barrier, 100, 2, 20200},
	{1, 21100, MPI_WAIT_n_to_n, 200, 0, 21300},
	{2, 21200, MPI_WAIT_n_to_n, 100, 0, 21300},
	{0, 22000, MPI_WAIT_late_broadcast, 100, 1, 22100},
	{2, 22050, MPI_WAIT_late_broadcast, 50, 1, 22100},
	{1, 23000, MPI_WAIT_early_reduce, 200, 2, 23200},
	{1, 24000, MPI_WAIT_early_scan, 100, 0, 24100},
	{2, 24050, MPI_WAIT_early_scan, 50, 0, 24100},
	{0, 27050, MPI_WAIT_barrier, 250, 2, 27300},
	{1, 28000, MPI_WAIT_late_sender, 100, 0, 28100},
	{1, 28300, MPI_WAIT_late_sender, 20, 0, 28320},
	{1, 28380, MPI_WAIT_wrong_order, 20, 0, 28400},
	{1, 28550, MPI_WAIT_late_sender, 30, 0, 28600}, /* 60 % of 50 */
	{0, 29000, MPI_WAIT_creation, 100, 2, 29100},
	{1, 29050, MPI_WAIT_creation, 50, 2, 29100},
	{0, 29200, MPI_WAIT_fence, 100, 1, 29300},
	{2, 29250, MPI_WAIT_fence, 50, 1, 29300},
	{0, 29400, MPI_WAIT_file, 50, 1, 29450},
	{2, 29400, MPI_WAIT_file, 50, 1, 29450},
	{0, 29500, MPI_WAIT_ends, 150, 2, 29650},
	{1, 29600, MPI_WAIT_ends, 50, 2, 29650},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

START_TEST(every_state_is_found)
{
	load(write_run, 1);
	check_waits(expected, EXPECTED);
	unload();
}
END_TEST

static void check_kept(const struct event_filter *filter)
{
	struct mpi_waits waits = mpi_waits_read(data, filter, 0);
	unsigned kept = 0;
	for (uint32_t i = 0; i < waits.count; i++) {
		uint64_t begin = waits.all[i].begin;
		if (!waits.all[i].kept)
			continue;
		kept++;
		ck_assert_uint_eq(waits.all[i].time, begin == 4050    ? 150
						     : begin == 10100 ? 200
						     : begin == 11100 ? 100
								      : 0);
	}
	ck_assert_uint_eq(kept, 3);
	ck_assert_uint_eq(waits.count, EXPECTED); /* all are found, for they say when the threads waited */
	free(waits.all);
}

START_TEST(a_filter_keeps_waits)
{
	load(write_run, 1);
	with_filter("tag==8 || tag==5", check_kept);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_waits");
	TCase *all = tcase_create("all");
	tcase_add_test(all, every_state_is_found);
	tcase_add_test(all, a_filter_keeps_waits);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
