/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of runs written for the test: it goes from rank to rank at each wait, once for each run; what is on it, by
   process; ranks whose clocks make them wait for each other do not lead in a circle. */
#include "mpi_critical_sums.h"
#include "mpi_run.h"
#include "number_map.h"
#include "resolver.h"

enum { WORLD = 1 };
enum { SEND, RECV, INIT, FINALIZE };
static const struct mpi_named functions[] = {{"MPI_Send", "point-to-point"}, {"MPI_Recv", "point-to-point"},
	{"MPI_Init", "environment"}, {"MPI_Finalize", "environment"}};

static struct synthetic *ranks[3];

static void call(
	unsigned rank, unsigned function, uint64_t begin, uint64_t end, uint64_t role, uint64_t peer, uint64_t order)
{
	function_event(ranks[rank], function, begin, end - begin, role, WORLD, peer, 5, 8, order);
}

static void wait_for(unsigned rank, uint64_t begin, uint64_t end)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(SYNC, duration)] = end - begin};
	synthetic_event(ranks[rank], KIND_SYNC, 1, end, 0, fields);
}

static void begin(const char *run)
{
	synthetic_end(synthetic_begin(run));
	for (unsigned rank = 0; rank < 3; rank++) {
		ranks[rank] = rank_begin(run, rank);
		synthetic_mpi(ranks[rank], functions, sizeof functions / sizeof *functions);
	}
}

static void end(void)
{
	for (unsigned rank = 0; rank < 3; rank++)
		synthetic_end(ranks[rank]);
}

/* A relay: rank 0 computes until 3000, rank 1 until 5000, rank 2 until the end. */
static void write_relay(const char *run)
{
	begin(run);
	call(0, INIT, 1000, 1010, ROLE(none), 0, 0);
	synthetic_clock(ranks[0], 1, 2000, 0, 100, 0);
	call(0, SEND, 3000, 3010, ROLE(send), 1, 0);
	synthetic_clock(ranks[0], 1, 4000, 0, 1000, 0);
	call(0, FINALIZE, 6000, 7000, ROLE(none), 0, 0);
	call(1, INIT, 900, 1020, ROLE(none), 0, 0);
	call(1, RECV, 1500, 3020, ROLE(receive), 0, 0);
	synthetic_clock(ranks[1], 1, 4000, 0, 200, 20);
	synthetic_clock(ranks[1], 2, 4000, 0, 5000, 0); /* another thread */
	wait_for(1, 2900, 3000);
	wait_for(1, 2900, 3500);
	wait_for(1, 3500, 4900);
	call(1, SEND, 5000, 5010, ROLE(send), 2, 0);
	wait_for(1, 4900, 5100);
	call(1, FINALIZE, 6500, 7010, ROLE(none), 0, 0);
	call(2, INIT, 1000, 1010, ROLE(none), 0, 0);
	call(2, RECV, 2000, 5020, ROLE(receive), 1, 0);
	synthetic_clock(ranks[2], 1, 6000, 0, 300, 0);
	call(2, FINALIZE, 6900, 7005, ROLE(none), 0, 0);
	end();
}

/* Ranks 0 and 1 wait for each other until the same moment. */
static void write_circle(const char *run)
{
	begin(run);
	for (unsigned rank = 0; rank < 2; rank++) {
		call(rank, RECV, 100, 300, ROLE(receive), 1 - rank, 0);
		call(rank, SEND, 300, 310, ROLE(send), 1 - rank, 0);
	}
	end();
}

START_TEST(the_path_goes_where_ranks_wait_for)
{
	static const uint64_t expected[3][2] = {{1000, 3000}, {3000, 5000}, {5000, 7005}};
	unsigned runs = (unsigned)_i + 1;
	load(write_relay, runs);
	struct mpi_critical *path = mpi_critical_find(data);
	ck_assert_uint_eq(path->count, 3 * runs);
	for (uint32_t i = 0; i < path->count; i++) {
		uint64_t rank = rank_of((uint32_t)(path->stretches[i].thread >> 32));
		uint64_t thread = path->stretches[i].thread;
		ck_assert_uint_eq(path->stretches[i].begin, expected[rank][0]);
		ck_assert_uint_eq(path->stretches[i].end, expected[rank][1]);
		ck_assert(!mpi_critical_has(path, thread, expected[rank][0]));
		ck_assert(mpi_critical_has(path, thread, expected[rank][0] + 1));
		ck_assert(mpi_critical_has(path, thread, expected[rank][1]));
		ck_assert(!mpi_critical_has(path, thread, expected[rank][1] + 1));
		ck_assert_uint_eq(mpi_critical_overlap(path, thread, 0, 10000), expected[rank][1] - expected[rank][0]);
		ck_assert_uint_eq(mpi_critical_overlap(path, thread, expected[rank][1] - 5, 10000), 5);
	}
	mpi_critical_free(path);
	unload();
}
END_TEST

START_TEST(what_is_on_the_path)
{
	static const struct mpi_path_sum expected[3] = {
		{.stretches = 1, .path = 2000, .mpi = 10, .cpu = 100, .all_cpu = 1100},
		{.stretches = 1, .path = 2000, .mpi = 20, .cpu = 220, .all_cpu = 5220},
		{.stretches = 1, .path = 2005, .mpi = 20 + 105, .cpu = 300, .all_cpu = 300}};
	struct error error;
	load(write_relay, 1);
	struct resolver *resolver = resolver_create(data);
	struct expression_setting setting = {.data = data, .resolver = resolver};
	struct expression *leaf = expression_parse("LEAF", 0, 0, &error);
	struct expression *critical = expression_parse("MCRITICAL", 0, 0, &error);
	ck_assert_msg(leaf && critical, "%s", error.text);
	expression_prepare(leaf, &setting);
	expression_prepare(critical, &setting);
	struct mpi_critical *path = mpi_critical_find(data);
	struct mpi_path_sums *sums = mpi_critical_sum(data, 0, path, leaf);
	ck_assert_uint_eq(sums->ranks, 3);
	ck_assert_uint_eq(sums->process_count, 3);
	for (unsigned i = 0; i < 3; i++) {
		const struct mpi_path_sum *sum = &sums->processes[i], *right = &expected[rank_of(sum->key)];
		ck_assert_uint_eq(sum->stretches, right->stretches);
		ck_assert_uint_eq(sum->path, right->path);
		ck_assert_uint_eq(sum->mpi, right->mpi);
		ck_assert_uint_eq(sum->cpu, right->cpu);
		ck_assert_uint_eq(sum->all_cpu, right->all_cpu);
	}
	ck_assert_uint_eq(sums->function_count, 1); /* no stacks */
	ck_assert_uint_eq(sums->functions[0].cpu, 100 + 220 + 300);
	mpi_critical_sums_free(sums);
	struct event_filter filter = {.expression = critical};
	sums = mpi_critical_sum(data, &filter, path, leaf);
	ck_assert_uint_eq(sums->functions[0].all_cpu, 100 + 220 + 300); /* the filter keeps what is on the path */
	ck_assert_uint_eq(sums->functions[0].mpi, 10 + 20 + 20 + 105);
	mpi_critical_sums_free(sums);
	mpi_critical_free(path);
	expression_free(leaf);
	expression_free(critical);
	resolver_destroy(resolver);
	unload();
}
END_TEST

static void add_wait(void *context, const struct data_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++)
		*(uint64_t *)context += batch->field[FIELD_INDEX(SYNC, duration)][i];
}

/* A wait that ended while rank 1 was on the path is on it, whenever it began. */
START_TEST(a_wait_is_where_it_ended)
{
	struct error error;
	uint64_t waited = 0;
	load(write_relay, 1);
	struct expression_setting setting = {.data = data};
	struct event_filter filter = {.expression = expression_parse("MCRITICAL", 0, 0, &error)};
	ck_assert_msg(filter.expression != 0, "%s", error.text);
	expression_prepare(filter.expression, &setting);
	event_filter_visit(data, KIND_SYNC, &filter, add_wait, &waited);
	ck_assert_uint_eq(waited, 600 + 1400);
	expression_free(filter.expression);
	unload();
}
END_TEST

static void add_mpi(void *context, const struct data_batch *batch)
{
	uint64_t *sums = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t duration = batch->field[FIELD_INDEX(MPI, duration)][i];
		sums[0] += duration;
		sums[1] += batch->field[FIELD_INDEX(MPI, calls)][i];
		sums[2] += batch->field[FIELD_INDEX(MPI, role)][i] == ROLE(send);
		/* The part of rank 1's receive, from 1500 to 3020, that is kept. */
		if (mpi_rank_of(batch->experiment->file) == 1 && (duration == 20 || duration == 1500))
			sums[3] = batch->time[i];
	}
}

/* Calls that are on the path in part have that time on it and the rest off it, and count where they end. */
START_TEST(calls_are_divided)
{
	static const struct {
		const char *filter;
		uint64_t sums[4];
	} cases[] = {{"MCRITICAL", {10 + 20 + 20 + 105, 4, 0, 3000}},
		{"!MCRITICAL", {10 + 1000 + 120 + 1500 + 10 + 510 + 10 + 3000, 6, 2, 1500}},
		{"MCRITICAL && MRANK==1", {20, 1, 0, 3000}}, {"MCRITICAL || MRANK==1", {10 + 2160 + 20 + 105, 7, 1, 0}},
		{"MCRITICAL >= 0", {6315, 10, 2, 0}}, {"MCRITICAL > 1", {0, 0, 0, 0}}};
	struct error error;
	uint64_t sums[4] = {0};
	load(write_relay, 1);
	struct expression_setting setting = {.data = data};
	struct event_filter filter = {.expression = expression_parse(cases[_i].filter, 0, 0, &error)};
	ck_assert_msg(filter.expression != 0, "%s", error.text);
	expression_prepare(filter.expression, &setting);
	event_filter_visit(data, KIND_MPI, &filter, add_mpi, sums);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(sums[i], cases[_i].sums[i]);
	expression_free(filter.expression);
	unload();
}
END_TEST

/* Nobody made rank 1 wait before rank 0 did: the path comes from the first call on, as every other. */
START_TEST(a_circle_ends)
{
	load(write_circle, 1);
	struct mpi_critical *path = mpi_critical_find(data);
	ck_assert_uint_eq(path->count, 2);
	ck_assert_uint_eq(path->stretches[0].thread, path->stretches[1].thread);
	ck_assert_uint_eq(path->stretches[0].begin, 100);
	ck_assert_uint_eq(path->stretches[0].end, 300);
	ck_assert_uint_eq(path->stretches[1].begin, 300);
	ck_assert_uint_eq(path->stretches[1].end, 310);
	mpi_critical_free(path);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_critical");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, the_path_goes_where_ranks_wait_for, 0, 2);
	tcase_add_test(all, what_is_on_the_path);
	tcase_add_test(all, a_wait_is_where_it_ended);
	tcase_add_loop_test(all, calls_are_divided, 0, 6);
	tcase_add_test(all, a_circle_ends);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
