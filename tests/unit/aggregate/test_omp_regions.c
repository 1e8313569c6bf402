// SPDX-License-Identifier: Apache-2.0
// Parallel regions of OpenMP: their calls, members, times, work, waiting and imbalance. Times are in microseconds.
#include "omp_regions.h"
#include "omp_synthetic.h"

#include <check.h>
#include <stdlib.h>

enum { BEGIN = STATE_VALUE(OPENMP, what, region_begin), END = STATE_VALUE(OPENMP, what, region_end) };
enum { WORKS = STATE_VALUE(OPENMP, what, member_begin), RESTS = STATE_VALUE(OPENMP, what, member_end) };

static void event(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t what, uint64_t region)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = what, [FIELD_INDEX(OPENMP, region)] = region};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, 0, fields);
}

static void region(
	struct synthetic *s, uint32_t thread, uint64_t time, uint64_t region, uint64_t parent, uint32_t stack)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = BEGIN,
		[FIELD_INDEX(OPENMP, region)] = region,
		[FIELD_INDEX(OPENMP, parent)] = parent};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, stack, fields);
}

static void check(
	const struct omp_sums *sums, uint64_t calls, uint64_t members, uint64_t time, uint64_t work, uint64_t wait)
{
	ck_assert_uint_eq(sums->calls, calls);
	ck_assert_uint_eq(sums->members, members);
	ck_assert_uint_eq(sums->time, time * UNIT);
	ck_assert_uint_eq(sums->work, work * UNIT);
	ck_assert_uint_eq(sums->wait, wait * UNIT);
}

static void check_members(const struct omp_sums *sums, double largest, double mean)
{
	ck_assert_double_eq_tol(sums->largest, largest * UNIT, .5);
	ck_assert_double_eq_tol(sums->mean, mean * UNIT, .5);
}

static struct data *data;
static struct resolver *resolver;

static struct omp_regions *read_regions(const char *path, const struct event_filter *filter)
{
	struct error error;
	data = data_create();
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	resolver = resolver_create(data);
	return omp_regions_read(data, filter, resolver);
}

static void forget(struct omp_regions *regions)
{
	omp_regions_free(regions);
	resolver_destroy(resolver);
	data_destroy(data);
}

/* Two calls of one region: 4 and 2 at work of 4.2, and 1 and 3 of 3. */
static void two_calls(struct synthetic *s)
{
	region(s, 1, 1000, 1, 0, site(s, ONE, 0x10));
	event(s, 1, 1000, WORKS, 1);
	event(s, 2, 1500, WORKS, 1);
	event(s, 2, 3500, RESTS, 1);
	event(s, 1, 5000, RESTS, 1);
	event(s, 1, 5200, END, 1);
	region(s, 1, 6000, 2, 0, site(s, ONE, 0x20));
	event(s, 1, 6000, WORKS, 2);
	event(s, 2, 6000, WORKS, 2);
	event(s, 1, 7000, RESTS, 2);
	event(s, 2, 9000, RESTS, 2);
	event(s, 1, 9000, END, 2);
}

START_TEST(calls_add_up_by_function)
{
	struct synthetic *s = begin("calls.er");
	two_calls(s);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("calls.er", 0);
	ck_assert_uint_eq(regions->site_count, 1);
	check(&regions->sites[0].sums, 2, 4, 4200 + 3000, 6000 + 4000, 200 + 1700 + 2000);
	check_members(&regions->sites[0].sums, 4000 + 3000, 3000 + 2000);
	check(&regions->total, 2, 4, 7200, 10000, 3900);
	ck_assert_uint_eq(regions->unfinished, 0);
	ck_assert(regions->recorded);
	forget(regions);
}
END_TEST

START_TEST(inner_regions_are_no_work_of_the_outer)
{
	struct synthetic *s = begin("nested.er");
	region(s, 1, 10000, 3, 0, site(s, OTHER, 0x10));
	event(s, 1, 10000, WORKS, 3);
	region(s, 1, 12000, 4, 3, site(s, ONE, 0x10));
	event(s, 1, 12000, WORKS, 4);
	event(s, 3, 12000, WORKS, 4);
	event(s, 3, 14000, RESTS, 4);
	event(s, 1, 16000, RESTS, 4);
	event(s, 1, 16000, END, 4);
	event(s, 1, 20000, RESTS, 3);
	event(s, 1, 20000, END, 3);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("nested.er", 0);
	ck_assert_uint_eq(regions->site_count, 2);
	/* The inner one has more work and waiting. */
	check(&regions->sites[0].sums, 1, 2, 4000, 6000, 2000);
	check_members(&regions->sites[0].sums, 4000, 3000);
	check(&regions->sites[1].sums, 1, 1, 10000, 6000, 0);
	check_members(&regions->sites[1].sums, 10000, 10000);
	check(&regions->total, 2, 3, 10000, 12000, 2000);
	check_members(&regions->total, 10000, 10000);
	forget(regions);
}
END_TEST

/* Run-times with an interface for tools tell the call alone: the address after it. */
START_TEST(regions_of_one_function_by_their_calls)
{
	struct synthetic *s = begin("told.er");
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t call[] = {ONE + 0x10, ONE + 0x100 + i / 2 * 0x40};
		region(s, 1, 10 * i, i + 1, 0, synthetic_stack(s, call, 2, SYNTHETIC_RETURN_ADDRESS));
		event(s, 1, 10 * i, WORKS, i + 1);
		event(s, 1, 10 * i + 5, RESTS, i + 1);
		event(s, 1, 10 * i + 5, END, i + 1);
	}
	synthetic_end(s);
	struct omp_regions *regions = read_regions("told.er", 0);
	ck_assert_uint_eq(regions->site_count, 2);
	check(&regions->sites[0].sums, 2, 2, 10, 10, 0);
	check(&regions->sites[1].sums, 1, 1, 5, 5, 0);
	ck_assert(!regions->sites[0].site.outlined);
	forget(regions);
}
END_TEST

static void task(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t region, uint64_t duration)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = STATE_VALUE(OPENMP, what, task),
		[FIELD_INDEX(OPENMP, region)] = region,
		[FIELD_INDEX(OPENMP, duration)] = duration * UNIT};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, 0, fields);
}

/* One in a member's time is in its work already. One after that is taken from the wait, and the region that it begins from the
   work. Thread 3 is in no region. */
START_TEST(tasks_in_the_barrier_are_work)
{
	struct synthetic *s = begin("tasks.er");
	region(s, 1, 1000, 1, 0, site(s, ONE, 0x10));
	event(s, 1, 1000, WORKS, 1);
	event(s, 2, 1000, WORKS, 1);
	event(s, 1, 1100, RESTS, 1);
	task(s, 2, 1150, 1, 100);
	event(s, 2, 1200, RESTS, 1);
	region(s, 1, 1200, 2, 1, site(s, OTHER, 0x10));
	event(s, 1, 1200, WORKS, 2);
	event(s, 1, 1500, RESTS, 2);
	event(s, 1, 1500, END, 2);
	task(s, 1, 2000, 1, 800);
	event(s, 1, 2000, END, 1);
	task(s, 3, 2500, 77, 50);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("tasks.er", 0);
	ck_assert_uint_eq(regions->site_count, 2);
	check(&regions->sites[0].sums, 1, 2, 1000, 100 + 200 + 800 - 300, 900 + 800 - 800);
	check_members(&regions->sites[0].sums, 900, 550);
	check(&regions->sites[1].sums, 1, 1, 300, 300, 0);
	forget(regions);
}
END_TEST

static void ends(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t region, uint64_t waited)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = RESTS,
		[FIELD_INDEX(OPENMP, region)] = region,
		[FIELD_INDEX(OPENMP, waited)] = waited * UNIT};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, 0, fields);
}

static void waiting_task(
	struct synthetic *s, uint32_t thread, uint64_t time, uint64_t region, uint64_t duration, uint64_t waited)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = STATE_VALUE(OPENMP, what, task),
		[FIELD_INDEX(OPENMP, region)] = region,
		[FIELD_INDEX(OPENMP, duration)] = duration * UNIT,
		[FIELD_INDEX(OPENMP, waited)] = waited * UNIT};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, 0, fields);
}

/* Member 1 waits for 100 of its 500, and for 50 in a task; member 2 for 60 of its 200, and in a task after that for 30 of 150. */
START_TEST(waits_inside_are_no_work)
{
	struct synthetic *s = begin("waits.er");
	region(s, 1, 1000, 1, 0, site(s, ONE, 0x10));
	event(s, 1, 1000, WORKS, 1);
	event(s, 2, 1000, WORKS, 1);
	ends(s, 2, 1200, 1, 60);
	waiting_task(s, 1, 1300, 1, 80, 50);
	waiting_task(s, 2, 1400, 1, 150, 30);
	ends(s, 1, 1500, 1, 100);
	event(s, 1, 1500, END, 1);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("waits.er", 0);
	check(&regions->total, 1, 2, 500, (500 - 150) + (200 - 60) + (150 - 30), 150 + 60 + 30 + 300 - 150);
	check_members(&regions->total, 350, (350 + 260) / 2.);
	forget(regions);
}
END_TEST

/* The waits of an inner region are none of the outer one's. */
START_TEST(waits_of_nested_regions)
{
	struct synthetic *s = begin("inner.er");
	region(s, 1, 1000, 1, 0, site(s, ONE, 0x10));
	event(s, 1, 1000, WORKS, 1);
	region(s, 1, 1100, 2, 1, site(s, OTHER, 0x10));
	event(s, 1, 1100, WORKS, 2);
	ends(s, 1, 1400, 2, 200);
	event(s, 1, 1400, END, 2);
	ends(s, 1, 1500, 1, 40);
	event(s, 1, 1500, END, 1);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("inner.er", 0);
	check(&regions->sites[0].sums, 1, 1, 300, 100, 200);
	check(&regions->sites[1].sums, 1, 1, 500, 200 - 40, 40);
	forget(regions);
}
END_TEST

/* So many that each thread has several blocks, which alternate in the file. */
START_TEST(many_calls)
{
	enum { CALLS = 20000 };
	struct synthetic *s = begin("many.er");
	uint32_t stack = site(s, ONE, 0x10);
	for (uint64_t i = 0; i < CALLS; i++) {
		region(s, 1, 10 * i, i + 1, 0, stack);
		event(s, 1, 10 * i, WORKS, i + 1);
		event(s, 2, 10 * i + 1, WORKS, i + 1);
		event(s, 2, 10 * i + 3, RESTS, i + 1);
		event(s, 1, 10 * i + 5, RESTS, i + 1);
		event(s, 1, 10 * i + 6, END, i + 1);
	}
	synthetic_end(s);
	struct omp_regions *regions = read_regions("many.er", 0);
	check(&regions->total, CALLS, 2 * CALLS, 6 * CALLS, 7 * CALLS, 4 * CALLS);
	check_members(&regions->total, 5 * CALLS, 3.5 * CALLS);
	forget(regions);
}
END_TEST

/* Recording ends at 50000: region 5 has not ended, and one of its members neither; of region 6 the begin was lost; region 7 is
   told to be in itself. */
START_TEST(what_is_not_whole)
{
	struct synthetic *s = begin("open.er");
	region(s, 1, 30000, 5, 0, site(s, ONE, 0x10));
	event(s, 1, 30000, WORKS, 5);
	event(s, 2, 31000, WORKS, 5);
	event(s, 2, 32000, RESTS, 5);
	event(s, 2, 33000, WORKS, 6);
	event(s, 2, 34000, RESTS, 6);
	region(s, 3, 40000, 7, 7, site(s, OTHER, 0x10));
	event(s, 3, 40000, WORKS, 7);
	event(s, 3, 41000, RESTS, 7);
	event(s, 3, 42000, END, 7);
	event(s, 3, 42000, RESTS, 1ull << 60);
	event(s, 3, 42000, 17, 7);
	synthetic_time(s, 50000 * UNIT);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("open.er", 0);
	ck_assert_uint_eq(regions->site_count, 2);
	check(&regions->sites[0].sums, 1, 2, 20000, 21000, 0);
	check_members(&regions->sites[0].sums, 20000, 10500);
	check(&regions->sites[1].sums, 1, 1, 2000, 1000, 1000);
	ck_assert_uint_eq(regions->unfinished, 1);
	forget(regions);
}
END_TEST

START_TEST(no_region_is_recorded)
{
	struct synthetic *s = begin("none.er");
	synthetic_clock(s, 1, 1000, 0, 1000, 0);
	synthetic_end(s);
	struct omp_regions *regions = read_regions("none.er", 0);
	ck_assert(!regions->recorded);
	ck_assert_uint_eq(regions->site_count, 0);
	forget(regions);
}
END_TEST

START_TEST(a_filter_keeps_members_and_regions)
{
	struct synthetic *s = begin("filter.er");
	struct error error;
	two_calls(s);
	synthetic_end(s);
	struct expression *expression = expression_parse("THRID==2", 0, 0, &error);
	ck_assert_msg(expression, "%s", error.text);
	struct event_filter filter = {.expression = expression};
	struct omp_regions *regions = read_regions("filter.er", 0);
	omp_regions_free(regions);
	expression_prepare(expression, &(struct expression_setting){.data = data, .resolver = resolver});
	regions = omp_regions_read(data, &filter, resolver);
	check(&regions->total, 2, 2, 7200, 2000 + 3000, 1700);
	check_members(&regions->total, 5000, 5000);
	forget(regions);
	expression_free(expression);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("omp_regions");
	TCase *test = tcase_create("all");
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_test(test, calls_add_up_by_function);
	tcase_add_test(test, inner_regions_are_no_work_of_the_outer);
	tcase_add_test(test, regions_of_one_function_by_their_calls);
	tcase_add_test(test, tasks_in_the_barrier_are_work);
	tcase_add_test(test, waits_inside_are_no_work);
	tcase_add_test(test, waits_of_nested_regions);
	tcase_add_test(test, many_calls);
	tcase_add_test(test, what_is_not_whole);
	tcase_add_test(test, no_region_is_recorded);
	tcase_add_test(test, a_filter_keeps_members_and_regions);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
