// SPDX-License-Identifier: Apache-2.0
// From which duration on waits are recorded, in units of raw time: from the setting by arithmetic, or from what a lock costs here.
#include "collector.h"
#include "sync.h"
#include <check.h>

static uint64_t threshold_of(uint64_t sync, uint64_t nanoseconds)
{
	collector.settings.time_source = 0; // raw time is nanoseconds
	collector.settings.sync = sync;
	collector.settings.sync_threshold = nanoseconds;
	return sync_threshold();
}

START_TEST(by_number)
{
	ck_assert_uint_eq(threshold_of(SETTING_VALUE(sync, all), 0), 0);
	ck_assert_uint_eq(threshold_of(SETTING_VALUE(sync, all), 1), 1);
	ck_assert_uint_eq(threshold_of(SETTING_VALUE(sync, all), 2500000), 2500000);
}
END_TEST

// More than nothing, and far less than any wait for another thread.
START_TEST(calibrated)
{
	uint64_t found = threshold_of(SETTING_VALUE(sync, calibrate), 0);
	ck_assert_uint_ge(found, 1);
	ck_assert_uint_le(found, 1000000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sync_threshold");
	TCase *cases = tcase_create("sync_threshold");
	tcase_add_test(cases, by_number);
	tcase_add_test(cases, calibrated);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
