// SPDX-License-Identifier: Apache-2.0
// The map of MPI's handles against a plain list: several entries of one handle come out in their order, whatever is taken out
// between; and many of one handle cost no more than many handles.
#include "handle_map.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

enum { HANDLES = 7, STEPS = 20000, KEPT = 3000, MANY = 300000 };

struct entry {
	uint64_t handle, number;
};

static struct handle_map map = {.entry_size = sizeof(struct entry)};
static struct entry list[KEPT]; // what the map is to have, oldest first
static unsigned kept;

static void add(uint64_t handle, uint64_t number)
{
	struct entry *entry = handle_map_add(&map, handle);
	ck_assert_ptr_nonnull(entry);
	if (entry->handle || entry->number)
		ck_abort_msg("a new entry is not zero");
	*entry = (struct entry){handle, number};
	list[kept++] = *entry;
}

static void check_handle(uint64_t handle)
{
	const struct entry *entry = handle_map_find(&map, handle);
	for (unsigned i = 0; i < kept; i++) {
		if (list[i].handle != handle)
			continue;
		if (!entry || entry->handle != handle || entry->number != list[i].number)
			ck_abort_msg("handle %lu: not entry %lu", handle, list[i].number);
		entry = handle_map_next(&map, entry);
	}
	ck_assert_ptr_null(entry);
}

static void take_out(unsigned index)
{
	struct entry *entry = handle_map_find(&map, list[index].handle);
	while (entry && entry->number != list[index].number)
		entry = handle_map_next(&map, entry);
	ck_assert_ptr_nonnull(entry);
	handle_map_remove(&map, entry);
	for (kept--; index < kept; index++)
		list[index] = list[index + 1];
}

START_TEST(entries_of_a_handle_keep_their_order)
{
	srand(5);
	for (unsigned i = 1; i <= STEPS; i++) {
		if (kept < KEPT && (rand() % 5 < 3 || !kept))
			add(1 + (uint64_t)(rand() % HANDLES) * 0x1000, i);
		else
			take_out((unsigned)rand() % kept);
		ck_assert_uint_eq(map.count, kept);
		if (i % 100 == 0)
			for (uint64_t handle = 0; handle < HANDLES; handle++)
				check_handle(1 + handle * 0x1000);
	}
	handle_map_clear(&map);
	kept = 0;
	check_handle(1);
}
END_TEST

// A walk along all of them for each would take minutes.
START_TEST(many_entries_of_one_handle_are_cheap)
{
	for (uint64_t i = 1; i <= MANY; i++)
		*(struct entry *)handle_map_add(&map, 42) = (struct entry){42, i};
	for (uint64_t i = 1; i <= MANY; i++) {
		struct entry *entry = handle_map_find(&map, 42);
		if (!entry || entry->number != i)
			ck_abort_msg("not entry %lu", i);
		handle_map_remove(&map, entry);
	}
	ck_assert_uint_eq(map.count, 0);
	handle_map_clear(&map);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("handle map");
	TCase *tests = tcase_create("handle map");
	tcase_add_test(tests, entries_of_a_handle_keep_their_order);
	tcase_add_test(tests, many_entries_of_one_handle_are_cheap);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
