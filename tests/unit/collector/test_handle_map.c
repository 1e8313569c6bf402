// SPDX-License-Identifier: Apache-2.0
// The map of MPI's handles against a plain list: several entries of one handle and owner come out in their order, whatever is taken
// out between; and many of one handle cost no more than many handles, another owner's neither.
#include "handle_map.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

enum { HANDLES = 7, OWNERS = 3, STEPS = 20000, KEPT = 3000, MANY = 300000 };

struct entry {
	uint64_t handle, number;
	uint32_t owner;
};

static struct handle_map map = {.entry_size = sizeof(struct entry)};
static struct entry list[KEPT]; // what the map is to have, oldest first
static unsigned kept;

static void add(uint64_t handle, uint32_t owner, uint64_t number)
{
	struct entry *entry = handle_map_add(&map, handle, owner);
	ck_assert_ptr_nonnull(entry);
	if (entry->handle || entry->number)
		ck_abort_msg("a new entry is not zero");
	*entry = (struct entry){handle, number, owner};
	list[kept++] = *entry;
}

// How many the owner has; `oldest`: the number of the first, if it has any.
static unsigned check_owner(uint64_t handle, uint32_t owner, uint64_t *oldest)
{
	const struct entry *entry = handle_map_find(&map, handle, owner), *before = 0;
	unsigned count = 0;
	for (unsigned i = 0; i < kept; i++) {
		if (list[i].handle != handle || list[i].owner != owner)
			continue;
		if (!entry || entry->handle != handle || entry->owner != owner || entry->number != list[i].number)
			ck_abort_msg("handle %lu, owner %u: not entry %lu", handle, owner, list[i].number);
		if (before && (!handle_map_is_before(before, entry) || handle_map_is_before(entry, before)))
			ck_abort_msg("handle %lu, owner %u: %lu is not after the one before it", handle, owner,
				entry->number);
		if (!count++)
			*oldest = entry->number;
		before = entry;
		entry = handle_map_next(&map, entry);
	}
	ck_assert_ptr_null(entry);
	return count;
}

static void check_handle(uint64_t handle)
{
	unsigned owners = 0, firsts = 0;
	for (uint32_t owner = 0; owner < OWNERS; owner++) {
		uint64_t oldest = 0;
		owners += check_owner(handle, owner, &oldest) > 0;
		for (const struct entry *first = handle_map_find_first(&map, handle); first;
			first = handle_map_next_first(&map, first))
			firsts += first->handle == handle && first->owner == owner && first->number == oldest;
	}
	ck_assert_uint_eq(owners, firsts);
	for (const void *first = handle_map_find_first(&map, handle); first; first = handle_map_next_first(&map, first))
		firsts--;
	ck_assert_uint_eq(firsts, 0);
}

static void take_out(unsigned index)
{
	struct entry *entry = handle_map_find(&map, list[index].handle, list[index].owner);
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
			add(1 + (uint64_t)(rand() % HANDLES) * 0x1000, (uint32_t)rand() % OWNERS, i);
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
		*(struct entry *)handle_map_add(&map, 42, i % 2) = (struct entry){42, i, i % 2};
	for (uint32_t owner = 0; owner < 2; owner++)
		for (uint64_t i = 2 - owner; i <= MANY; i += 2) {
			struct entry *entry = handle_map_find(&map, 42, owner);
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
