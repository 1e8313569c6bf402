/* SPDX-License-Identifier: Apache-2.0 */
/* One time from the clocks of two hosts, in experiments written for the test: the founder's counts 2 ticks a nanosecond, the
   other's 3, and 10 of a million too many, which its CLOCK_MONOTONIC does not know; its time of day is 5 s late. */
#include "data.h"
#include "synthetic.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define BEGIN  (1 * SECOND) /* of the other host's processes, of all times here in the founder's */
#define INIT   (1100 * (SECOND / 1000))
#define END    (9 * SECOND)
#define DRIFT  1.00001

static uint64_t raw_here(uint64_t time)
{
	return 1000 + 2 * time;
}

static uint64_t raw_there(uint64_t time)
{
	return 7000000000000ull + (uint64_t)((double)time * 3 * DRIFT + 0.5);
}

/* A moment on the clocks of the founder's host, or of the other. */
static struct time_triple triple(bool there, uint64_t time)
{
	if (there)
		return (struct time_triple){
			raw_there(time), (uint64_t)((double)time * DRIFT), SYNTHETIC_REALTIME + time + 5 * SECOND};
	return (struct time_triple){raw_here(time), SYNTHETIC_MONOTONIC + time, SYNTHETIC_REALTIME + time};
}

/* A process of either host. */
static struct synthetic *process(const char *path, bool there, uint64_t begin)
{
	struct settings settings;
	settings_default(&settings);
	settings.time_source = 1;
	return synthetic_begin_with(path, &settings, there ? 3e9 : 2e9, triple(there, begin));
}

static void log_rank(struct synthetic *s, unsigned rank)
{
	char attributes[64];
	snprintf(attributes, sizeof attributes, "rank=%u size=2 job=j1", rank);
	synthetic_log_with(s, "mpi", 1, attributes, "library");
}

/* The comparison of rank 1 with rank 0, which is on the other host; `damaged`: what it says of rank 0 is wrong. */
static void log_comparison(struct synthetic *s, bool there, uint64_t time, bool damaged)
{
	char attributes[160];
	struct time_triple own = triple(there, time);
	snprintf(attributes, sizeof attributes,
		"raw=%" PRIu64 " monotonic=%" PRIu64 " realtime=%" PRIu64 " rank=0 its_raw=%" PRIu64 " error=200",
		own.raw, own.monotonic, own.realtime, damaged ? 5 : triple(!there, time).raw);
	synthetic_log_with(s, "mpi_clock", 2, attributes, 0);
}

/* An event at a moment of the founder's. */
static void tick(struct synthetic *s, bool there, uint64_t begin, uint64_t time)
{
	double passed = (double)(time - begin) * (there ? DRIFT : 1);
	synthetic_clock(s, 1, (uint64_t)(passed + 0.5), 0, there ? 2 : 1, 0);
}

static void end(struct synthetic *s, const char *path, bool there)
{
	char command[128];
	synthetic_end(s);
	snprintf(command, sizeof command, "sed -i 's/ boot=\"[^\"]*\"/ boot=\"%s\"/' %s/log.xml", there ? "b" : "a",
		path);
	ck_assert_int_eq(system(command), 0);
}

enum comparisons { NONE, ONE, TWO, SECOND_DAMAGED };

/* Rank 0 is on the founder's host, rank 1 and a child of it on the other; or, with `zero_there`, the other way round. */
static void write_run(enum comparisons comparisons, bool zero_there)
{
	struct synthetic *s = process("t.er", false, 0);
	end(s, "t.er", false);
	for (unsigned rank = 0; rank < 2; rank++) {
		bool there = (rank == 1) != zero_there;
		char path[16], child[16];
		snprintf(path, sizeof path, "t.er/M_r%u.er", rank);
		snprintf(child, sizeof child, "t.er/M_r%u_f1.er", rank);
		s = process(path, there, BEGIN);
		log_rank(s, rank);
		if (rank == 1 && comparisons >= ONE)
			log_comparison(s, there, INIT, false);
		if (rank == 1 && comparisons >= TWO)
			log_comparison(s, there, END, comparisons == SECOND_DAMAGED);
		tick(s, there, BEGIN, END);
		end(s, path, there);
		s = process(child, there, 2 * BEGIN);
		tick(s, there, 2 * BEGIN, END);
		end(s, child, there);
	}
}

struct seen {
	double here[2], there[2]; /* of rank and child, nanoseconds */
	unsigned here_count, there_count;
};

static void look(void *context, const struct data_batch *batch)
{
	struct seen *seen = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		bool there = batch->field[FIELD_INDEX(CLOCK, user)][i] == 2;
		unsigned *count = there ? &seen->there_count : &seen->here_count;
		ck_assert_uint_lt(*count, 2);
		(there ? seen->there : seen->here)[(*count)++] = (double)batch->time[i];
	}
}

static const struct {
	enum comparisons comparisons;
	bool zero_there;
	double expected; /* time of the event there */
	enum clock_basis basis;
} cases[] = {
	{TWO, false, END, CLOCK_COMPARED},
	{TWO, true, END, CLOCK_COMPARED},
	/* From the one comparison on, its seconds count as the founder's. */
	{ONE, false, INIT + (END - INIT) * DRIFT, CLOCK_COMPARED},
	{SECOND_DAMAGED, false, INIT + (END - INIT) * DRIFT, CLOCK_COMPARED},
	{NONE, false, 0, CLOCK_TIME_OF_DAY},
};

START_TEST(another_hosts_times_are_the_founders)
{
	write_run(cases[_i].comparisons, cases[_i].zero_there);
	struct data *data = data_create();
	struct error error;
	struct seen seen = {.here_count = 0};
	ck_assert_msg(data_load(data, "t.er", &error), "%s", error.text);
	ck_assert_uint_eq(data->experiment_count, 5);
	data_visit(data, KIND_CLOCK, look, &seen);
	ck_assert_uint_eq(seen.here_count, 2);
	ck_assert_uint_eq(seen.there_count, 2);
	for (unsigned i = 0; i < 2; i++) {
		double begin = i ? 2.0 * BEGIN : BEGIN;
		double by_day = begin + 5.0 * SECOND + (END - begin) * DRIFT;
		double expected = cases[_i].basis == CLOCK_COMPARED ? cases[_i].expected : by_day;
		ck_assert_double_eq_tol(seen.here[i], END, 2);
		ck_assert_double_eq_tol(seen.there[i], expected, 3);
	}
	for (uint32_t e = 1; e < 5; e++) {
		bool there = (e > 2) != cases[_i].zero_there;
		ck_assert_uint_eq(data->experiments[e].clock, there ? cases[_i].basis : CLOCK_SHARED);
		ck_assert_uint_eq(
			data->experiments[e].clock_error, there && cases[_i].basis == CLOCK_COMPARED ? 200 : 0);
	}
	data_destroy(data);
}
END_TEST

static char scratch[] = "/tmp/clocks-test.XXXXXX";

static void enter_scratch(void)
{
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
}

int main(void)
{
	Suite *suite = suite_create("clocks");
	TCase *test = tcase_create("two hosts");
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_loop_test(test, another_hosts_times_are_the_founders, 0, (int)(sizeof cases / sizeof *cases));
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
