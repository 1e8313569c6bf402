// SPDX-License-Identifier: Apache-2.0
// Waits in regions of OpenMP by construct and place: how many, in how many threads, and for how long. Times are in microseconds.
#include "omp_synthetic.h"
#include "omp_waits.h"

#include <check.h>
#include <stdlib.h>

enum {
	BARRIER = STATE_VALUE(OPENMP, construct, explicit_barrier),
	CRITICAL = STATE_VALUE(OPENMP, construct, critical),
	UNKNOWN = 200
};

static void wait(
	struct synthetic *s, uint32_t thread, uint64_t construct, uint64_t waits, uint64_t duration, uint32_t stack)
{
	static uint64_t time;
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = STATE_VALUE(OPENMP, what, wait),
		[FIELD_INDEX(OPENMP, region)] = 1,
		[FIELD_INDEX(OPENMP, construct)] = construct,
		[FIELD_INDEX(OPENMP, waits)] = waits,
		[FIELD_INDEX(OPENMP, duration)] = duration * UNIT};
	synthetic_event(s, KIND_OPENMP, thread, ++time * 100 * UNIT, stack, fields);
}

static uint32_t call(struct synthetic *s, uint64_t address)
{
	return synthetic_stack(s, (uint64_t[]){ONE + 0x10, ONE + address}, 2, SYNTHETIC_RETURN_ADDRESS);
}

static void check(const struct omp_wait_sums *sums, uint64_t waits, uint64_t threads, uint64_t time)
{
	ck_assert_uint_eq(sums->waits, waits);
	ck_assert_uint_eq(sums->threads, threads);
	ck_assert_uint_eq(sums->time, time * UNIT);
}

static struct data *data;
static struct resolver *resolver;

static struct omp_waits *read_waits(const char *path, const struct event_filter *filter)
{
	struct error error;
	data = data_create();
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	resolver = resolver_create(data);
	return omp_waits_read(data, filter, resolver);
}

static void forget(struct omp_waits *waits)
{
	omp_waits_free(waits);
	resolver_destroy(resolver);
	data_destroy(data);
}

/* Two constructs at one place of the code, one of them at another, too. */
static void some_waits(struct synthetic *s)
{
	uint32_t here = call(s, 0x100), there = call(s, 0x200);
	wait(s, 1, BARRIER, 1, 500, here);
	wait(s, 2, BARRIER, 3, 40, here);
	wait(s, 1, CRITICAL, 1000, 70, here);
	wait(s, 1, CRITICAL, 1, 30, here);
	wait(s, 3, BARRIER, 2, 20, there);
	wait(s, 3, UNKNOWN, 1, 10, site(s, OTHER, 0x10));
	synthetic_end(s);
}

START_TEST(waits_add_up_by_construct_and_place)
{
	some_waits(begin("waits.er"));
	struct omp_waits *waits = read_waits("waits.er", 0);
	ck_assert_uint_eq(waits->site_count, 4);
	ck_assert_uint_eq(waits->sites[0].construct, BARRIER);
	check(&waits->sites[0].sums, 4, 2, 540);
	ck_assert_uint_eq(waits->sites[1].construct, CRITICAL);
	check(&waits->sites[1].sums, 1001, 1, 100);
	ck_assert_uint_eq(waits->sites[2].construct, BARRIER);
	check(&waits->sites[2].sums, 2, 1, 20);
	ck_assert_uint_eq(waits->sites[3].construct, 0);
	check(&waits->sites[3].sums, 1, 1, 10);
	ck_assert(!waits->sites[0].site.outlined);
	check(&waits->total, 1008, 3, 670);
	forget(waits);
}
END_TEST

START_TEST(a_filter_keeps_those_of_its_threads)
{
	struct error error;
	some_waits(begin("filter.er"));
	struct expression *expression = expression_parse("THRID!=1", 0, 0, &error);
	ck_assert_msg(expression, "%s", error.text);
	struct event_filter filter = {.expression = expression};
	omp_waits_free(read_waits("filter.er", 0));
	expression_prepare(expression, &(struct expression_setting){.data = data, .resolver = resolver});
	struct omp_waits *waits = omp_waits_read(data, &filter, resolver);
	check(&waits->total, 6, 2, 70);
	forget(waits);
	expression_free(expression);
}
END_TEST

START_TEST(none_are_recorded)
{
	synthetic_end(begin("none.er"));
	struct omp_waits *waits = read_waits("none.er", 0);
	ck_assert_uint_eq(waits->site_count, 0);
	check(&waits->total, 0, 0, 0);
	forget(waits);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("omp_waits");
	TCase *waits = tcase_create("omp_waits");
	tcase_add_checked_fixture(waits, enter_scratch, leave_scratch);
	tcase_add_test(waits, waits_add_up_by_construct_and_place);
	tcase_add_test(waits, a_filter_keeps_those_of_its_threads);
	tcase_add_test(waits, none_are_recorded);
	suite_add_tcase(suite, waits);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
