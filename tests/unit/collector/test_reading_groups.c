// SPDX-License-Identifier: Apache-2.0
// Perf events that clock ticks read count what the thread does; what cannot be read is not known, and is not 0.
#include "descriptors.h"
#include "reading_groups.h"
#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 100 };
enum { USER_FAULTS, OWN, MINOR, MAJOR, COUNTERS };

static const struct overflow_counter wanted[COUNTERS] = {
	[USER_FAULTS] = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .modes = MODE_USER},
	[OWN] = {.type = TYPE_ACCOUNT, .config = ACCOUNT_SWITCHES},
	[MINOR] = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS_MIN, .modes = MODE_USER},
	[MAJOR] = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ, .modes = MODE_USER},
};
enum { EVENTS = 1 << USER_FAULTS | 1 << MINOR | 1 << MAJOR };

static void touch_pages(void)
{
	char *area = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(area, MAP_FAILED);
	for (int i = 0; i < PAGES; i++)
		((volatile char *)area)[i * PAGE] = 1;
	munmap(area, PAGES * PAGE);
}

START_TEST(one_group_counts)
{
	struct reading_groups groups;
	struct reading before = {.known = 0}, after = {.known = 0};
	ck_assert(reading_groups_open(&groups, (struct wanted_counters){wanted, COUNTERS}));
	ck_assert_uint_eq(groups.count, 1);
	ck_assert_uint_eq(groups.group[0].size, 3);
	reading_groups_read(&groups, &before);
	touch_pages();
	reading_groups_read(&groups, &after);
	ck_assert_uint_eq(after.known, EVENTS);
	ck_assert_uint_eq(after.continuous, EVENTS);
	ck_assert_uint_ge(after.value[USER_FAULTS] - before.value[USER_FAULTS], PAGES);
	ck_assert_uint_le(after.value[USER_FAULTS] - before.value[USER_FAULTS], PAGES + 10);
	ck_assert_uint_ge(after.value[MINOR] - before.value[MINOR], PAGES);
	ck_assert_uint_le(after.value[MAJOR] - before.value[MAJOR], 10);
	reading_groups_close(&groups);
	after.known = 0;
	reading_groups_read(&groups, &after);
	ck_assert_uint_eq(after.known, 0);
}
END_TEST

START_TEST(a_lost_descriptor_is_not_zero)
{
	struct reading_groups groups;
	struct reading reading = {.known = 0};
	ck_assert(reading_groups_open(&groups, (struct wanted_counters){wanted, COUNTERS}));
	int event = groups.descriptor[USER_FAULTS], other = open("/dev/null", O_RDONLY);
	groups.descriptor[USER_FAULTS] = -1;
	reading_groups_read(&groups, &reading);
	ck_assert_uint_eq(reading.known, 0);
	groups.descriptor[USER_FAULTS] = other;
	reading_groups_read(&groups, &reading);
	ck_assert_uint_eq(reading.known, 0);
	close(other);
	groups.descriptor[USER_FAULTS] = event;
	reading_groups_close(&groups);
}
END_TEST

START_TEST(others_count_beside_one_that_is_refused)
{
	struct overflow_counter some[COUNTERS];
	struct reading_groups groups;
	struct reading reading = {.known = 0};
	for (unsigned i = 0; i < COUNTERS; i++)
		some[i] = wanted[i];
	some[USER_FAULTS].config = UINT64_MAX;
	ck_assert(!reading_groups_open(&groups, (struct wanted_counters){some, COUNTERS}));
	reading_groups_read(&groups, &reading);
	ck_assert_uint_eq(reading.known, 1 << MINOR | 1 << MAJOR);
	reading_groups_close(&groups);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reading groups");
	TCase *tests = tcase_create("groups");
	tcase_add_checked_fixture(tests, descriptors_start, 0);
	tcase_add_test(tests, one_group_counts);
	tcase_add_test(tests, a_lost_descriptor_is_not_zero);
	tcase_add_test(tests, others_count_beside_one_that_is_refused);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
