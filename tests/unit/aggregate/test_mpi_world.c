/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators of several processes are one where they are, in experiments written for the test: made in every order, by groups
   that meet, by spawning and at ports, and made of such. What the logs lack is not guessed. */
#include "mpi_run.h"

#include <stdarg.h>

/* A communicator of the rank's log, with one more number than the one before. */
static unsigned numbers;

__attribute__((format(printf, 2, 3))) static unsigned define(struct synthetic *s, const char *format, ...)
{
	char attributes[256];
	int size = snprintf(attributes, sizeof attributes, "number=%u ", ++numbers);
	va_list list;
	va_start(list, format);
	vsnprintf(attributes + size, sizeof attributes - (size_t)size, format, list);
	va_end(list);
	synthetic_log_with(s, "mpi_communicator", 2 + numbers, attributes, 0);
	return numbers;
}

static struct synthetic *begin(const char *run, unsigned rank)
{
	numbers = 1;
	return rank_begin(run, rank);
}

/* The experiment of a rank of the first job, or of a spawned one. */
static uint32_t experiment_of(const char *job, uint64_t rank)
{
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct log_event *process = mpi_event(data->experiments[e].file, "mpi");
		if (process && !strcmp(log_event_attribute(process, "job"), job) && mpi_number(process, "rank") == rank)
			return e;
	}
	ck_abort_msg("no rank %u of %s", (unsigned)rank, job);
}

static uint32_t found(const struct mpi_world *world, const char *job, uint64_t rank, unsigned number)
{
	uint32_t communicator = mpi_world_find(world, experiment_of(job, rank), number);
	ck_assert_uint_ne(communicator, NO_COMMUNICATOR);
	return communicator;
}

/* A group of ranks 0 and 1, a duplicate, a group of 1 and 2: which of them a rank is in. */
enum { FIRST, ALL, LAST, MADE };
static const bool is_in[3][MADE] = {{true, true, false}, {true, true, true}, {false, true, true}};
static const unsigned orders[6][MADE] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static unsigned order_of[3], number_of[3][MADE + 1];

static void write_in_order(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++) {
		struct synthetic *s = begin(run, rank);
		for (unsigned i = 0; i < MADE; i++) {
			unsigned which = orders[order_of[rank]][i];
			if (!is_in[rank][which])
				continue;
			number_of[rank][which] =
				which == ALL ? define(s, "parent=1 made=0x1 first=0 rank=%u size=3 leader=0", rank)
					     : define(s, "parent=1 made=0x%u rank=%u size=2 leader=%u", 70 + which,
						       which == FIRST ? rank : rank - 1, which == FIRST ? 0 : 1);
		}
		number_of[rank][MADE] = define(
			s, "parent=%u made=0x1 first=1 rank=%u size=3 leader=1", number_of[rank][ALL], (rank + 2) % 3);
		synthetic_end(s);
	}
}

START_TEST(order_does_not_matter)
{
	/* The first and the last rank are in two of the three. */
	for (unsigned o = 0; o < 4; o++) {
		order_of[0] = o % 2 ? 2 : 0;
		order_of[1] = (unsigned)_i;
		order_of[2] = o / 2;
		load(write_in_order, 1);
		struct mpi_world *world = mpi_world_read(data);
		ck_assert_uint_eq(mpi_world_count(world), 1 + MADE + 1);
		for (unsigned which = 0; which <= MADE; which++) {
			uint32_t own = found(world, "j1", 1, number_of[1][which]);
			const struct mpi_communicator *communicator = mpi_world_communicator(world, own);
			ck_assert_uint_eq(communicator->members, communicator->size);
			for (unsigned rank = 0; rank < 3; rank++)
				if (which == MADE || is_in[rank][which])
					ck_assert_uint_eq(found(world, "j1", rank, number_of[rank][which]), own);
		}
		mpi_world_free(world);
		unload();
	}
}
END_TEST

/* Communicators that are made of an intercommunicator, by their numbers in the log. */
enum { INTER, TWICE, MERGED, OTHER_MERGED, OF_MERGED, SPLIT, DESCENDANTS };
static unsigned descendants_of[3][DESCENDANTS];

/* The rank has rank `own` of `size` in its side of number `inter`, and that one `before` in the merged ones. */
static void define_descendants(struct synthetic *s, unsigned *made, unsigned inter, unsigned own, unsigned size,
	unsigned remote, unsigned first, unsigned remote_first, unsigned before)
{
	made[INTER] = inter;
	made[TWICE] = define(s, "parent=%u made=0x1 first=0 remote_first=0 rank=%u size=%u remote_size=%u", inter, own,
		size, remote);
	made[MERGED] = define(s, "parent=%u made=0x1 rank=%u size=3", made[TWICE], before + own);
	made[OTHER_MERGED] = define(s, "parent=%u made=0x2 rank=%u size=3", inter, before + own);
	made[OF_MERGED] = define(s, "parent=%u made=0x1 first=0 rank=%u size=3", made[MERGED], before + own);
	made[SPLIT] = define(s, "parent=%u made=0x3 first=%u remote_first=%u rank=%u size=%u remote_size=%u", inter,
		first, remote_first, own, size, remote);
}

static void check_descendants(const struct mpi_world *world, const char *const jobs[3], const unsigned ranks[3])
{
	for (unsigned which = 0; which < DESCENDANTS; which++) {
		uint32_t sides[3];
		for (unsigned i = 0; i < 3; i++)
			sides[i] = found(world, jobs[i], ranks[i], descendants_of[i][which]);
		const struct mpi_communicator *side = mpi_world_communicator(world, sides[0]);
		ck_assert_uint_eq(sides[0], sides[1]);
		ck_assert_uint_eq(side->members, side->size);
		ck_assert_uint_eq(
			side->remote_size, which == MERGED || which == OTHER_MERGED || which == OF_MERGED ? 0 : 1);
		if (!side->remote_size) {
			ck_assert_uint_eq(sides[2], sides[0]);
			ck_assert_uint_eq(side->members, 3);
			continue;
		}
		ck_assert_uint_ne(sides[2], sides[0]);
		ck_assert_uint_eq(side->peers, sides[2]);
		ck_assert_uint_eq(mpi_world_communicator(world, sides[2])->peers, sides[0]);
		ck_assert_uint_eq(mpi_world_communicator(world, sides[2])->pair, side->pair);
		ck_assert_str_eq(mpi_world_communicator(world, sides[2])->identity, side->identity);
	}
}

/* Ranks 0 and 1, of which 0 is the leader, meet rank 2 twice; rank 2 has made more before. */
static bool leader_is_loaded;
static unsigned again[3];

static void write_meeting(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++) {
		struct synthetic *s = begin(run, rank);
		bool alone = rank == 2;
		unsigned half = define(s, "parent=1 made=0x1 first=%u rank=%u size=%u", alone ? 2 : 0, alone ? 0 : rank,
			alone ? 1 : 2);
		if (alone)
			define(s, "parent=%u made=0x1 first=0 rank=0 size=1", half);
		const char *meets = alone                       ? "meeting=0x55 peer=1 peer_rank=0 "
				    : !rank && leader_is_loaded ? "meeting=0x55 peer=1 peer_rank=2 "
								: "";
		unsigned sizes[2] = {alone ? 1 : 2, alone ? 2 : 1}, own = alone ? 0 : rank;
		unsigned inter = define(s, "parent=%u made=0x%u %srank=%u size=%u remote_size=%u", half, alone ? 2 : 1,
			meets, own, sizes[0], sizes[1]);
		define_descendants(s, descendants_of[rank], inter, own, sizes[0], sizes[1], alone ? 0 : 1,
			alone ? 1 : 0, alone ? 2 : 0);
		again[rank] = define(s, "parent=%u made=0x%u %srank=%u size=%u remote_size=%u", half, alone ? 3 : 2,
			meets, own, sizes[0], sizes[1]);
		synthetic_end(s);
	}
}

static const char *const one_job[] = {"j1", "j1", "j1"};
static const unsigned in_order[] = {0, 1, 2};

START_TEST(groups_meet_by_their_leaders)
{
	leader_is_loaded = true;
	load(write_meeting, 2);
	struct mpi_world *world = mpi_world_read(data);
	check_descendants(world, one_job, in_order);
	uint32_t own = found(world, "j1", 0, again[0]), other = found(world, "j1", 2, again[2]);
	ck_assert_uint_eq(found(world, "j1", 1, again[1]), own);
	ck_assert_uint_eq(mpi_world_communicator(world, own)->peers, other);
	ck_assert_uint_eq(mpi_world_communicator(world, other)->peers, own);
	mpi_world_free(world);
	unload();
}
END_TEST

START_TEST(without_the_leader_sides_stay_alone)
{
	leader_is_loaded = false;
	load(write_meeting, 1);
	struct mpi_world *world = mpi_world_read(data);
	for (unsigned which = 0; which < DESCENDANTS; which++) {
		uint32_t own = found(world, "j1", 0, descendants_of[0][which]);
		ck_assert_uint_eq(found(world, "j1", 1, descendants_of[1][which]), own);
		ck_assert_uint_ne(found(world, "j1", 2, descendants_of[2][which]), own);
		if (mpi_world_communicator(world, own)->remote_size)
			ck_assert_uint_eq(mpi_world_communicator(world, own)->peers, NO_COMMUNICATOR);
	}
	mpi_world_free(world);
	unload();
}
END_TEST

static struct synthetic *begin_spawned(const char *run)
{
	char path[64];
	snprintf(path, sizeof path, "%s/M_r0_s2.er", run);
	struct synthetic *s = synthetic_begin(path);
	synthetic_log_with(s, "mpi", 1, "rank=0 size=1 job=j2", "library");
	synthetic_log_with(
		s, "mpi_communicator", 2, "number=1 identity=0x9 rank=0 size=1 leader=0 made_by=MPI_Init", 0);
	numbers = 1;
	return s;
}

/* Rank 1 of two is the root. */
static void write_spawning(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 2; rank++) {
		struct synthetic *s = begin(run, rank);
		unsigned inter = define(
			s, "parent=1 made=0x1 %srank=%u size=2 remote_size=1", rank ? "meeting=0x1234 " : "", rank);
		define_descendants(s, descendants_of[rank], inter, rank, 2, 1, 1, 0, 0);
		synthetic_end(s);
	}
	struct synthetic *s = begin_spawned(run);
	unsigned inter = define(s, "parent=1 made=0x9a6e meeting=0x1234 rank=0 size=1 remote_size=2");
	define_descendants(s, descendants_of[2], inter, 0, 1, 2, 0, 1, 2);
	synthetic_end(s);
}

START_TEST(spawned_processes_know_who_spawned_them)
{
	load(write_spawning, (unsigned)_i + 1);
	struct mpi_world *world = mpi_world_read(data);
	check_descendants(world, (const char *const[]){"j1", "j1", "j2"}, (const unsigned[]){0, 1, 0});
	ck_assert_uint_eq(mpi_world_count(world), 11 * ((unsigned)_i + 1)); /* two worlds, three merged, six sides */
	mpi_world_free(world);
	unload();
}
END_TEST

/* Rank 0 accepts twice; rank 1, whose clock the log has in another order, connects first. */
static void write_ports(const char *run)
{
	synthetic_end(synthetic_begin(run));
	struct synthetic *s = begin(run, 0);
	define(s, "parent=1 made=0x1 first=0 port=here rank=0 size=1 remote_size=1 made_by=MPI_Comm_accept");
	define(s, "parent=1 made=0x2 first=0 port=there rank=0 size=1 remote_size=1 made_by=MPI_Comm_accept");
	define(s, "parent=1 made=0x3 first=0 port=here rank=0 size=1 remote_size=1 made_by=MPI_Comm_accept");
	synthetic_end(s);
	s = begin(run, 2);
	numbers = 9; /* later */
	define(s, "parent=1 made=0x1 first=2 port=here rank=0 size=1 remote_size=1 made_by=MPI_Comm_connect");
	synthetic_end(s);
	s = begin(run, 1);
	define(s, "parent=1 made=0x1 first=1 port=here rank=0 size=1 remote_size=1 made_by=MPI_Comm_connect");
	define(s, "parent=1 made=0x2 first=1 port=nowhere rank=0 size=1 remote_size=1 made_by=MPI_Comm_connect");
	synthetic_end(s);
}

START_TEST(those_at_a_port_meet_in_order)
{
	load(write_ports, 1);
	struct mpi_world *world = mpi_world_read(data);
	const struct mpi_communicator *first = mpi_world_communicator(world, found(world, "j1", 0, 2));
	ck_assert_uint_eq(first->peers, found(world, "j1", 1, 2));
	ck_assert_uint_eq(mpi_world_communicator(world, found(world, "j1", 0, 4))->peers, found(world, "j1", 2, 10));
	ck_assert_uint_eq(mpi_world_communicator(world, found(world, "j1", 0, 3))->peers, NO_COMMUNICATOR);
	ck_assert_uint_eq(mpi_world_communicator(world, found(world, "j1", 1, 3))->peers, NO_COMMUNICATOR);
	mpi_world_free(world);
	unload();
}
END_TEST

static void write_nonsense(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 2; rank++) {
		struct synthetic *s = begin(run, rank);
		define(s, "parent=2 made=0x1 rank=%u size=2", rank); /* itself */
		define(s, "parent=4 made=0x1 rank=%u size=2", rank); /* one that comes after */
		define(s, "parent=3 made=0x1 rank=%u size=2", rank); /* of it */
		define(s, "parent=99 made=0x1 rank=%u size=2", rank);
		define(s, "parent=1 rank=%u size=2", rank); /* not what tells it from others */
		define(s, "parent=1 made=0x1 meeting=0x5 peer=77 peer_rank=1 rank=0 size=1 remote_size=1");
		define(s, "parent=1 made=0x7 meeting=0x6 rank=%u size=2", rank); /* it is none of two sides */
		define(s, "number=99999999999999999999 rank=%u size=2", rank);
		synthetic_end(s);
	}
}

START_TEST(nonsense_is_not_known)
{
	load(write_nonsense, 1);
	struct mpi_world *world = mpi_world_read(data);
	for (unsigned number = 2; number <= 6; number++) {
		ck_assert_uint_ne(found(world, "j1", 0, number), found(world, "j1", 1, number));
		ck_assert_str_eq(mpi_world_communicator(world, found(world, "j1", 0, number))->identity, "");
	}
	ck_assert_uint_eq(mpi_world_communicator(world, found(world, "j1", 0, 7))->peers, NO_COMMUNICATOR);
	ck_assert_uint_eq(found(world, "j1", 0, 8), found(world, "j1", 1, 8));
	mpi_world_free(world);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_world");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, order_does_not_matter, 0, 6);
	tcase_add_test(all, groups_meet_by_their_leaders);
	tcase_add_test(all, without_the_leader_sides_stay_alone);
	tcase_add_loop_test(all, spawned_processes_know_who_spawned_them, 0, 2);
	tcase_add_test(all, those_at_a_port_meet_in_order);
	tcase_add_test(all, nonsense_is_not_known);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
