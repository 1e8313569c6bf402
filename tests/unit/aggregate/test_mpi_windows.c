/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for others at windows, for locks, and for messages in the wrong order, in a run written for the test: by formula. */
#include "mpi_expected.h"

enum { WORLD = 1, ALL = UINT32_MAX };
enum { POST, START, COMPLETE, WAIT, TEST, LOCK, LOCK_ALL, FLUSH, UNLOCK, UNLOCK_ALL, SEND, RECV };
static const struct mpi_named functions[] = {{"MPI_Win_post", "one-sided"}, {"MPI_Win_start", "one-sided"},
	{"MPI_Win_complete", "one-sided"}, {"MPI_Win_wait", "one-sided"}, {"MPI_Win_test", "one-sided"},
	{"MPI_Win_lock", "one-sided"}, {"MPI_Win_lock_all", "one-sided"}, {"MPI_Win_flush", "one-sided"},
	{"MPI_Win_unlock", "one-sided"}, {"MPI_Win_unlock_all", "one-sided"}, {"MPI_Send", "point-to-point"},
	{"MPI_Recv", "point-to-point"}};
/* Words that say "posted" and "complete". */
#define POSTED(window, number)    ((uint64_t)(window)*2 << 32 | (number))
#define COMPLETED(window, number) (((uint64_t)(window)*2 + 1) << 32 | (number))
#define OF_WINDOW(window)         ((uint64_t)(window) << 32)

static struct synthetic *ranks[3];

static void call(unsigned rank, unsigned function, uint64_t begin, uint64_t end, uint64_t role, uint64_t peer,
	uint64_t tag, uint64_t order)
{
	function_event(ranks[rank], function, begin, end - begin, role, WORLD, peer, tag, 8, order);
}

static void word(
	unsigned rank, unsigned function, uint64_t begin, uint64_t end, uint64_t role, uint64_t peer, uint64_t order)
{
	call(rank, function, begin, end, role, peer, 0, order);
}

/* One more word of the rank's last call. */
static void also(unsigned rank, unsigned function, uint64_t begin, uint64_t role, uint64_t peer, uint64_t order)
{
	call(rank, function, begin, begin, role, peer, 0, order);
}

/* Rank 0 accesses ranks 1 and 2. The first post comes while it starts, the second while it completes. */
static void write_late_posts(void)
{
	word(0, START, 1000, 1150, ROLE(await), 1, POSTED(1, 0));
	also(0, START, 1000, ROLE(await), 2, POSTED(1, 1));
	word(1, POST, 1100, 1110, ROLE(signal), 0, POSTED(1, 0));
	word(1, WAIT, 1120, 1310, ROLE(await), 0, COMPLETED(1, 0));
	word(0, COMPLETE, 1160, 1300, ROLE(await), 1, POSTED(1, 0));
	also(0, COMPLETE, 1160, ROLE(await), 2, POSTED(1, 1));
	also(0, COMPLETE, 1160, ROLE(signal), 1, COMPLETED(1, 0));
	also(0, COMPLETE, 1160, ROLE(signal), 2, COMPLETED(1, 1));
	word(2, POST, 1200, 1210, ROLE(signal), 0, POSTED(1, 0));
	word(2, WAIT, 1230, 1310, ROLE(await), 0, COMPLETED(1, 0)); /* it completed before */
}

/* Rank 0 is accessed by ranks 1 and 2, of which the last decides. */
static void write_early_wait(void)
{
	word(0, POST, 1400, 1405, ROLE(signal), 1, POSTED(1, 2));
	also(0, POST, 1400, ROLE(signal), 2, POSTED(1, 3));
	for (unsigned rank = 1; rank < 3; rank++) {
		uint64_t begin = rank == 1 ? 1500 : 1600;
		word(rank, START, 1420, 1421, ROLE(await), 0, POSTED(1, 1));
		word(rank, COMPLETE, begin, begin + 10, ROLE(await), 0, POSTED(1, 1));
		also(rank, COMPLETE, begin, ROLE(signal), 0, COMPLETED(1, 1));
	}
	word(0, WAIT, 1450, 1650, ROLE(await), 1, COMPLETED(1, 2));
	also(0, WAIT, 1450, ROLE(await), 2, COMPLETED(1, 3));
}

/* Words are of a window: the second window's post comes first. */
static void write_two_windows(void)
{
	word(0, START, 1690, 1780, ROLE(await), 1, POSTED(1, 4));
	word(1, POST, 1700, 1705, ROLE(signal), 0, POSTED(2, 2));
	word(1, POST, 1750, 1755, ROLE(signal), 0, POSTED(1, 3));
	word(0, START, 1790, 1795, ROLE(await), 1, POSTED(2, 5));
}

static void lock(unsigned rank, uint64_t begin, uint64_t end, bool exclusive, uint64_t target, uint64_t window)
{
	call(rank, target == ALL ? LOCK_ALL : LOCK, begin, end, ROLE(lock), target, exclusive, OF_WINDOW(window));
}

static void unlock(unsigned rank, uint64_t begin, uint64_t target, uint64_t window)
{
	call(rank, target == ALL ? UNLOCK_ALL : UNLOCK, begin, begin + 5, ROLE(unlock), target, 0, OF_WINDOW(window));
}

/* Rank 1 has rank 0's window; rank 0 wants to read it and waits when it flushes; rank 2 wants it for itself, after both. */
static void write_locks(void)
{
	lock(1, 3000, 3010, true, 0, 1);
	lock(2, 3050, 3250, true, 0, 1);
	lock(0, 3100, 3105, false, 0, 1);
	call(0, FLUSH, 3110, 3205, ROLE(flush), 0, 0, OF_WINDOW(1));
	unlock(1, 3200, 0, 1);
	unlock(0, 3240, 0, 1);
	unlock(2, 3300, 0, 1);
	/* Two read at once, whatever their calls take. */
	lock(1, 3400, 3405, false, 0, 1);
	lock(2, 3410, 3505, false, 0, 1);
	unlock(1, 3500, 0, 1);
	unlock(2, 3510, 0, 1);
}

/* A lock of all targets waits for that of one, and is waited for; locks of other windows and targets are none of it. */
static void write_locks_of_all(void)
{
	lock(1, 3600, 3605, true, 2, 1);
	lock(2, 3610, 3703, false, ALL, 1);
	unlock(1, 3700, 2, 1);
	lock(1, 3710, 3802, true, 0, 1);
	lock(0, 3720, 3790, true, 0, 2);
	call(2, FLUSH, 3730, 3740, ROLE(flush), 0, 0, OF_WINDOW(1));
	unlock(0, 3795, 0, 2);
	unlock(2, 3800, ALL, 1);
	unlock(1, 3850, 0, 1);
	unlock(1, 3860, 0, 1); /* of nothing */
	lock(2, 3870, 3880, true, 1, 1);
	lock(0, 3875, 3990, true, 1, 1); /* the other one never ends */
}

/* Rank 1's message is there when rank 2 waits for rank 0's; then the other way round. */
static void write_messages(void)
{
	call(2, RECV, 4000, 4110, ROLE(receive), 0, 1, 0);
	call(1, SEND, 4050, 4055, ROLE(send), 2, 1, 0);
	call(0, SEND, 4100, 4105, ROLE(send), 2, 1, 0);
	call(2, RECV, 4120, 4125, ROLE(receive), 1, 1, 1);
	call(2, RECV, 4200, 4260, ROLE(receive), 1, 1, 2);
	call(1, SEND, 4250, 4255, ROLE(send), 2, 1, 1);
	call(0, SEND, 4255, 4258, ROLE(send), 2, 1, 1);
	call(2, RECV, 4270, 4275, ROLE(receive), 0, 1, 3);
}

static void write_run(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++) {
		ranks[rank] = rank_begin(run, rank);
		synthetic_mpi(ranks[rank], functions, sizeof functions / sizeof *functions);
	}
	write_late_posts();
	write_early_wait();
	write_two_windows();
	write_locks();
	write_locks_of_all();
	write_messages();
	for (unsigned rank = 0; rank < 3; rank++)
		synthetic_end(ranks[rank]);
}

static const struct expected expected[] = {
	{0, 1000, MPI_WAIT_late_post, 100, 1, 1100},
	{0, 1160, MPI_WAIT_late_post, 40, 2, 1200},
	{1, 1120, MPI_WAIT_early_wait, 40, 0, 1160},
	{0, 1450, MPI_WAIT_early_wait, 150, 2, 1600},
	{0, 1690, MPI_WAIT_late_post, 60, 1, 1750},
	{0, 3110, MPI_WAIT_lock, 90, 1, 3200},
	{2, 3050, MPI_WAIT_lock, 190, 0, 3240},
	{2, 3610, MPI_WAIT_lock, 90, 1, 3700},
	{1, 3710, MPI_WAIT_lock, 90, 2, 3800},
	{2, 4000, MPI_WAIT_wrong_order, 100, 0, 4100},
	{2, 4200, MPI_WAIT_late_sender, 50, 1, 4250},
};

START_TEST(every_wait_is_found)
{
	load(write_run, 1);
	check_waits(expected, sizeof expected / sizeof *expected);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_windows");
	TCase *all = tcase_create("all");
	tcase_add_test(all, every_wait_is_found);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
