/* SPDX-License-Identifier: Apache-2.0 */
/* Delays in a run written for the test, by arithmetic: the function in which the late rank spent more time, the one
   that had made it late, code without samples; together they are all waits; filters keep those of a rank. */
#include "mpi_delays.h"
#include "mpi_run.h"
#include "number_map.h"

enum { WORLD = 1 };
enum { SEND, RECV, BARRIER };
static const struct mpi_named functions[] = {
	{"MPI_Send", "point-to-point"}, {"MPI_Recv", "point-to-point"}, {"MPI_Barrier", "collective"}};
/* The leaves of stacks, and what tells them apart. */
enum { MAIN = 0x1000, F = 0x2000, G = 0x3000, IN_MPI = 0x8000 };

static struct rank {
	struct synthetic *file;
	uint32_t main, f, g, mpi[3];
} ranks[3];

static void begin_rank(const char *run, unsigned number)
{
	struct rank *rank = &ranks[number];
	rank->file = rank_begin(run, number);
	synthetic_mpi(rank->file, functions, sizeof functions / sizeof *functions);
	rank->main = synthetic_node(rank->file, MAIN, synthetic_node(rank->file, 0, 0, 0), 0);
	rank->f = synthetic_node(rank->file, F, rank->main, NODE_EXACT);
	rank->g = synthetic_node(rank->file, G, rank->main, NODE_EXACT);
	for (unsigned f = 0; f < 3; f++)
		rank->mpi[f] = synthetic_node(rank->file, IN_MPI + f, rank->main, NODE_EXACT);
}

static void call(
	unsigned rank, unsigned function, uint64_t begin, uint64_t end, uint64_t role, uint64_t peer, uint64_t order)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(MPI, function)] = function,
		[FIELD_INDEX(MPI, duration)] = end - begin,
		[FIELD_INDEX(MPI, calls)] = 1,
		[FIELD_INDEX(MPI, role)] = role,
		[FIELD_INDEX(MPI, peer)] = peer,
		[FIELD_INDEX(MPI, communicator)] = WORLD,
		[FIELD_INDEX(MPI, order)] = order,
	};
	synthetic_event(ranks[rank].file, KIND_MPI, 1, begin, ranks[rank].mpi[function], fields);
}

static void barrier(const uint64_t *begins, uint64_t end, uint64_t order)
{
	for (unsigned rank = 0; rank < 3; rank++)
		call(rank, BARRIER, begins[rank], end, ROLE(collective), 0, order);
}

static void sample(unsigned rank, uint64_t time, uint32_t stack, uint64_t weight)
{
	synthetic_clock(ranks[rank].file, 1, time, stack, weight, 0);
}

static void write_run(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++)
		begin_rank(run, rank);
	/* All do f; rank 1 does g before, which the others wait for, 600 and 500. */
	barrier((uint64_t[]){900, 900, 900}, 1000, 0);
	sample(0, 1250, ranks[0].f, 300);
	sample(1, 1500, ranks[1].g, 600);
	sample(1, 1800, ranks[1].f, 300);
	sample(2, 1350, ranks[2].f, 400);
	barrier((uint64_t[]){1300, 1900, 1400}, 1910, 1);
	/* Rank 0 waits 600 for rank 1, which had waited 550 for rank 2, in f. */
	call(1, RECV, 1950, 2500, ROLE(receive), 2, 0);
	call(0, RECV, 1960, 2570, ROLE(receive), 1, 0);
	sample(2, 2400, ranks[2].f, 590);
	call(2, SEND, 2500, 2505, ROLE(send), 1, 0);
	sample(1, 2540, ranks[1].f, 60);
	call(1, SEND, 2560, 2565, ROLE(send), 0, 0);
	/* No sample tells why rank 1 is late. */
	barrier((uint64_t[]){2600, 2600, 2600}, 2610, 2);
	barrier((uint64_t[]){3000, 3200, 3000}, 3210, 3);
	for (unsigned rank = 0; rank < 3; rank++)
		synthetic_end(ranks[rank].file);
}

static uint32_t identity_of(void *context, uint32_t stack)
{
	const struct data *of = context;
	return (uint32_t)of->addresses[of->stacks[stack].address].offset;
}

/* The barriers are of one group, whose waits are 1500: rank 1 is 1200 longer in g, and 400 in main, for both others together. */
static const struct expected {
	uint64_t rank;
	uint32_t stack, wait_stack;
	uint64_t direct, chain;
} expected[] = {
	{1, G, IN_MPI + BARRIER, 1125, 0},
	{1, F, IN_MPI + RECV, 50, 0},
	{2, F, IN_MPI + RECV, 550, 550},
	{1, MAIN, IN_MPI + BARRIER, 375, 0},
};
enum { EXPECTED = sizeof expected / sizeof *expected, ALL_WAITS = 600 + 500 + 600 + 550 + 200 + 200 };

/* With the filter that keeps one rank; 3: without one. */
static void check_delays(unsigned only)
{
	char text[32];
	struct error error;
	uint64_t sum = 0;
	snprintf(text, sizeof text, only < 3 ? "MRANK==%u" : "1", only);
	struct expression_setting setting = {.data = data};
	struct expression *expression = expression_parse(text, 0, 0, &error);
	ck_assert_msg(expression != 0, "%s", error.text);
	expression_prepare(expression, &setting);
	struct event_filter filter = {.expression = expression};
	struct mpi_identity identity = {data, identity_of};
	struct mpi_delays delays = mpi_delays_find(data, &filter, 0, &identity);
	ck_assert_uint_eq(delays.waits.count, 6);
	ck_assert_uint_eq(delays.count, EXPECTED);
	for (uint32_t i = 0; i < delays.count; i++) {
		const struct mpi_delay *delay = &delays.all[i];
		uint64_t rank = rank_of(delay->experiment);
		uint32_t stack = identity_of(data, delay->stack), wait_stack = identity_of(data, delay->wait_stack);
		unsigned e = 0;
		while (e < EXPECTED && (expected[e].rank != rank || expected[e].stack != stack ||
					       expected[e].wait_stack != wait_stack))
			e++;
		ck_assert_msg(e < EXPECTED, "rank %u, stack %x, wait %x", (unsigned)rank, stack, wait_stack);
		ck_assert_uint_eq(delay->direct, expected[e].direct);
		ck_assert_uint_eq(delay->chain, expected[e].chain);
		ck_assert_uint_eq(delay->kept_direct, only == 3 || only == rank ? delay->direct : 0);
		ck_assert_uint_eq(delay->kept_chain, only == 3 || only == rank ? delay->chain : 0);
		ck_assert_uint_eq(delay->key, delay->stack);
		sum += delay->direct + delay->chain;
	}
	ck_assert_uint_eq(sum, ALL_WAITS);
	mpi_delays_free(&delays);
	expression_free(expression);
}

START_TEST(costs_are_those_of_what_took_longer)
{
	load(write_run, 1);
	check_delays((unsigned)_i);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_delays");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, costs_are_those_of_what_took_longer, 0, 4);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
