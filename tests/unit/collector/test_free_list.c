// SPDX-License-Identifier: Apache-2.0
// Memory that several threads take from one list and give back: each item has one owner at a time, and none gets lost.
#include "free_list.h"
#include <check.h>
#include <pthread.h>
#include <stdbool.h>

enum { ITEMS = 3, THREADS = 4, TURNS = 200000 };

static struct item {
	void *next;
	int owners; /* atomic */
} items[ITEMS];
static struct free_list list;
static int shared_items; /* atomic: items that had two owners at once */

static void *take_and_give(void *nothing)
{
	for (unsigned i = 0; i < TURNS; i++) {
		struct item *item = free_list_take(&list);
		if (!item)
			continue;
		if (__atomic_add_fetch(&item->owners, 1, __ATOMIC_RELAXED) != 1)
			__atomic_add_fetch(&shared_items, 1, __ATOMIC_RELAXED);
		__atomic_sub_fetch(&item->owners, 1, __ATOMIC_RELAXED);
		free_list_give(&list, item);
	}
	return nothing;
}

static void check_all_are_there(void)
{
	bool seen[ITEMS] = {false};
	for (unsigned i = 0; i < ITEMS; i++) {
		struct item *item = free_list_take(&list);
		ck_assert_ptr_nonnull(item);
		ck_assert(item >= items && item < items + ITEMS);
		ck_assert(!seen[item - items]);
		seen[item - items] = true;
	}
	ck_assert_ptr_null(free_list_take(&list));
}

START_TEST(the_last_given_is_taken_first)
{
	list = (struct free_list){0};
	ck_assert_ptr_null(free_list_take(&list));
	free_list_give(&list, &items[0]);
	free_list_give(&list, &items[1]);
	ck_assert_ptr_eq(free_list_take(&list), &items[1]);
	ck_assert_ptr_eq(free_list_take(&list), &items[0]);
	ck_assert_ptr_null(free_list_take(&list));
}
END_TEST

START_TEST(an_item_has_one_owner)
{
	list = (struct free_list){0};
	for (unsigned i = 0; i < ITEMS; i++)
		free_list_give(&list, &items[i]);
	pthread_t threads[THREADS];
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], 0, take_and_give, 0), 0);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], 0), 0);
	ck_assert_int_eq(shared_items, 0);
	check_all_are_there();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("free_list");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, the_last_given_is_taken_first);
	tcase_add_test(tests, an_item_has_one_owner);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
