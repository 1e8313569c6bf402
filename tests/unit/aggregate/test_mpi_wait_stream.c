/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of a run whose events fill many blocks: calls are let go while events are read, and each wait comes once, also where a
   message shows that all has to be read again. */
#include "mpi_run.h"
#include "mpi_waits.h"

enum { WORLD = 1, SEND = 0, RECV, STEPS = 20000, FIRST = 10000, LENGTH = 1000, END = FIRST + STEPS * LENGTH };
static const struct mpi_named functions[] = {{"MPI_Send", "point-to-point"}, {"MPI_Recv", "point-to-point"}};

struct message {
	unsigned rank, thread;
	uint64_t begin, end, peer, tag, order;
};
static struct synthetic *ranks[3];

static void add(const struct message *call, unsigned function, uint64_t role)
{
	const uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(MPI, function)] = function,
		[FIELD_INDEX(MPI, duration)] = call->end - call->begin,
		[FIELD_INDEX(MPI, calls)] = 1,
		[FIELD_INDEX(MPI, role)] = role,
		[FIELD_INDEX(MPI, peer)] = call->peer,
		[FIELD_INDEX(MPI, tag)] = call->tag,
		[FIELD_INDEX(MPI, communicator)] = WORLD,
		[FIELD_INDEX(MPI, order)] = call->order,
	};
	synthetic_event(ranks[call->rank], KIND_MPI, call->thread, call->begin, 0, fields);
}

static void send(struct message call)
{
	add(&call, SEND, ROLE(send));
}

static void receive(struct message call)
{
	add(&call, RECV, ROLE(receive));
}

/* Rank 1 waits 100 ns for rank 0 in each step. In every other one the message that it receives next from rank 2 is there before
   that is over. */
static void write_steps(void)
{
	for (uint64_t k = 0; k < STEPS; k++) {
		uint64_t time = FIRST + k * LENGTH, other = time + (k % 2 ? 200 : 50);
		send((struct message){0, 1, time + 100, time + 110, 1, 1, k});
		receive((struct message){1, 1, time, time + 210, 0, 1, 2 * k});
		/* Another thread gets the first message of all, which rank 1's calls therefore never waited beside. */
		if (k == STEPS / 2)
			receive((struct message){1, 3, time + 1, time + 5, 2, 9, 3 * STEPS});
		receive((struct message){1, 1, time + 300, time + 310, 2, 2, 2 * k + 1});
		send((struct message){2, 1, other, other + 5, 1, 2, k + 1});
	}
}

/* Which of the tests is written: the second one's receive of rank 1's other thread, in a call as long as the run, gets the second
   of two messages by the clock, the first by order. */
static bool out_of_order;

static void write_run(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++) {
		ranks[rank] = rank_begin(run, rank);
		synthetic_mpi(ranks[rank], functions, sizeof functions / sizeof *functions);
	}
	send((struct message){2, 1, 1000, 1010, 1, 9, 0});
	if (out_of_order) {
		send((struct message){0, 1, 2000, 2010, 1, 3, 3 * STEPS + 1});
		receive((struct message){1, 2, 3000, END + 6000, 0, 3, 3 * STEPS + 1});
	}
	write_steps();
	if (out_of_order) {
		send((struct message){0, 2, END + 5000, END + 5010, 1, 3, 3 * STEPS});
		receive((struct message){1, 2, END + 7000, END + 7010, 0, 3, 3 * STEPS + 2});
	}
	for (unsigned rank = 0; rank < 3; rank++)
		synthetic_end(ranks[rank]);
}

static void check_step(const struct mpi_wait *wait, uint64_t k)
{
	uint64_t time = FIRST + k * LENGTH;
	ck_assert_uint_eq(rank_of(wait->experiment), 1);
	ck_assert_uint_eq(wait->begin, time);
	ck_assert_uint_eq(wait->call_end, time + 210);
	ck_assert_uint_eq(wait->end, time + 100);
	ck_assert_uint_eq(wait->time, 100);
	ck_assert_uint_eq(wait->late_begin, time + 100);
	ck_assert_uint_eq(rank_of(wait->late_experiment), 0);
	ck_assert_uint_eq(wait->state, k % 2 ? MPI_WAIT_late_sender : MPI_WAIT_wrong_order);
}

START_TEST(each_wait_comes_once)
{
	out_of_order = _i == 1;
	load(write_run, 1);
	struct mpi_waits waits = mpi_waits_read(data, 0, 0);
	ck_assert_uint_eq(waits.count, STEPS + out_of_order);
	for (uint64_t k = 0; k < STEPS; k++)
		check_step(&waits.all[k], k);
	if (out_of_order) {
		const struct mpi_wait *wait = &waits.all[STEPS];
		ck_assert_uint_eq(wait->begin, 3000);
		ck_assert_uint_eq(wait->time, END + 5000 - 3000);
		ck_assert_uint_eq(wait->state, MPI_WAIT_wrong_order);
		ck_assert_ptr_eq(mpi_waits_of_call(&waits, wait->experiment, wait->thread, 3000, END + 6000), wait);
		ck_assert_ptr_null(mpi_waits_of_call(&waits, wait->experiment, wait->thread, 3000, END));
	}
	free(waits.all);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_wait_stream");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, each_wait_comes_once, 0, 2);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
