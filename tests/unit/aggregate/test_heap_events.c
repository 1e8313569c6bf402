/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of each heap event on memory, by arithmetic, for blocks and mappings, two threads and a release that is taken back. */
#include "heap_events.h"
#include "synthetic.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch[] = "/tmp/heap-events-test.XXXXXX";

enum { PAGES = 0x100000 };

/* A time may have several events; they are in this order. */
static const struct {
	uint32_t thread;
	uint64_t time, address, what, size, error;
	struct heap_event expected;
} events[] = {
	/* expected: time, net, released, left, in use, leaked */
	{1, 10, 0x1000, STATE_VALUE(HEAP, what, malloc), 100, 0, {10, 100, 0, 0, 100, 0}},
	{1, 20, 0x2000, STATE_VALUE(HEAP, what, calloc), 30, 0, {20, 30, 0, 30, 130, 30}},
	{2, 30, 0x1000, STATE_VALUE(HEAP, what, free), 0, 0, {30, -100, 100, 0, 30, 30}},
	/* A failed allocation, and a release of a block that nobody knows. */
	{1, 40, 0, STATE_VALUE(HEAP, what, malloc), 1000, 12, {40, 0, 0, 0, 30, 30}},
	{1, 50, 0x9000, STATE_VALUE(HEAP, what, free), 0, 0, {50, 0, 0, 0, 30, 30}},
	/* realloc: two events at one time. */
	{2, 60, 0x3000, STATE_VALUE(HEAP, what, malloc), 5, 0, {60, 5, 0, 0, 35, 30}},
	{2, 70, 0x3000, STATE_VALUE(HEAP, what, free), 0, 0, {70, -5, 5, 0, 30, 30}},
	{2, 70, 0x4000, STATE_VALUE(HEAP, what, realloc), 50, 0, {70, 50, 0, 50, 80, 80}},
	/* A realloc that failed: its release did not happen. */
	{1, 80, 0x2000, STATE_VALUE(HEAP, what, free), 0, 0, {80, -30, 30, 0, 50, 80}},
	{1, 90, 0x2000, STATE_VALUE(HEAP, what, kept), 0, 0, {90, 30, 0, 0, 80, 80}},
	/* A mapping of three pages, of which the middle one is given back. */
	{1, 100, PAGES, STATE_VALUE(HEAP, what, mmap), 3 * 4096, 0,
		{100, 3 * 4096, 0, 2 * 4096, 80 + 3 * 4096, 80 + 2 * 4096}},
	{2, 110, PAGES + 4096, STATE_VALUE(HEAP, what, unmap), 4096, 0,
		{110, -4096, 4096, 0, 80 + 2 * 4096, 80 + 2 * 4096}},
	/* The allocator's own growth is none of the program's. */
	{2, 120, 0x7000000, STATE_VALUE(HEAP, what, growth), 65536, 0, {120, 0, 0, 0, 80 + 2 * 4096, 80 + 2 * 4096}},
};

START_TEST(each_event_has_its_effect)
{
	char command[64];
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
	struct synthetic *s = synthetic_begin("e.er");
	for (unsigned i = 0; i < sizeof events / sizeof *events; i++) {
		uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(HEAP, address)] = events[i].address,
			[FIELD_INDEX(HEAP, what)] = events[i].what,
			[FIELD_INDEX(HEAP, size)] = events[i].size,
			[FIELD_INDEX(HEAP, error)] = events[i].error};
		synthetic_event(s, KIND_HEAP, events[i].thread, events[i].time, 0, fields);
	}
	synthetic_end(s);
	struct error error;
	struct data *data = data_create();
	ck_assert_msg(data_load(data, "e.er", &error), "%s", error.text);
	struct heap_events *read = heap_events_read(data);
	const struct heap_event *last = 0;
	for (unsigned i = 0; i < sizeof events / sizeof *events; i++) {
		const struct heap_event *expected = &events[i].expected;
		last = heap_events_find(read, 0, events[i].thread, events[i].time, last);
		ck_assert_msg(last != 0, "event %u", i);
		ck_assert_msg(last->time == expected->time && last->net == expected->net &&
				      last->released == expected->released && last->left == expected->left &&
				      last->in_use == expected->in_use && last->leaked == expected->leaked,
			"event %u: net %ld, released %lu, left %lu, in use %lu, leaked %lu", i, (long)last->net,
			(unsigned long)last->released, (unsigned long)last->left, (unsigned long)last->in_use,
			(unsigned long)last->leaked);
	}
	ck_assert(!heap_events_find(read, 0, 1, 15, 0) && !heap_events_find(read, 0, 3, 10, 0) &&
		  !heap_events_find(read, 1, 1, 10, 0));
	heap_events_free(read);
	data_destroy(data);
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap_events");
	TCase *test = tcase_create("heap_events");
	tcase_add_test(test, each_event_has_its_effect);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
