// SPDX-License-Identifier: Apache-2.0
// How long an image was recorded: what -t leaves out, what lies between pause and resume, both, and what a log's end lacks.
#include "recorded_time.h"
#include <check.h>
#include <stdlib.h>

struct line {
	const char *kind, *reasons;
	uint64_t time;
};

static uint64_t recorded(uint64_t from, uint64_t until, const struct line *lines, size_t count)
{
	struct log_event events[8] = {{0}};
	struct log_attribute reasons[8];
	struct settings settings = {0};
	struct experiment experiment = {.events = events, .event_count = count};
	/* The founder began at 5000, this image at 5100; it ran for 1000. */
	settings.start = 5000;
	settings.record_from = from;
	settings.record_until = until;
	experiment.settings = &settings;
	experiment.start.monotonic = 5100;
	experiment.end.monotonic = 6100;
	for (size_t i = 0; i < count; i++) {
		reasons[i] = (struct log_attribute){"name", lines[i].reasons};
		events[i].kind = lines[i].kind;
		events[i].time = lines[i].time;
		events[i].attributes = &reasons[i];
		events[i].attribute_count = 1;
	}
	return recorded_time(&experiment);
}

START_TEST(stretches_add_up)
{
	ck_assert_uint_eq(recorded(0, 0, 0, 0), 1000);
	/* Times of -t are the founder's: from 300 to 800 are 200 to 700 here. Its own log lines come late. */
	const struct line window[] = {{"pause", "time", 3}, {"resume", "time", 207}, {"pause", "time", 703}};
	ck_assert_uint_eq(recorded(300, 800, window, 3), 500);
	ck_assert_uint_eq(recorded(300, 0, window, 2), 800);
	ck_assert_uint_eq(recorded(50, 3000, 0, 0), 1000);
	ck_assert_uint_eq(recorded(2000, 3000, 0, 0), 0);
	ck_assert_uint_eq(recorded(0, 60, 0, 0), 0);
	const struct line signals[] = {{"pause", "signal", 0}, {"resume", "signal", 250}, {"pause", "signal", 400},
		{"sample", "signal", 500}, {"resume", "signal", 900}};
	ck_assert_uint_eq(recorded(0, 0, signals, 5), 250);
	ck_assert_uint_eq(recorded(0, 0, signals, 3), 150);
	/* Both: 200 to 700 without what the program left out. */
	const struct line both[] = {{"pause", "API, time", 100}, {"resume", "API", 350}, {"pause", "size", 600}};
	ck_assert_uint_eq(recorded(300, 800, both, 3), 250);
	const struct line twice[] = {{"pause", "API", 100}, {"pause", "signal", 150}, {"resume", "API", 300}};
	ck_assert_uint_eq(recorded(0, 0, twice, 3), 800);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("recorded_time");
	TCase *test = tcase_create("all");
	tcase_add_test(test, stretches_add_up);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
