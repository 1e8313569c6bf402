// SPDX-License-Identifier: Apache-2.0
// The account of what was allocated before a size limit: what comes out of it, once each.
#include "heap.h"
#include "held.h"
#include <check.h>

#define BASE  0x7f0000000000ull
#define PAGE  4096ull
#define BLOCK HEAP(malloc)

START_TEST(blocks)
{
	ck_assert(!held_take(BLOCK, BASE, 0));
	held_add(BLOCK, BASE, 24);
	held_add(BLOCK, BASE + 8, 24);
	ck_assert(held_take(BLOCK, BASE, 0));
	ck_assert(!held_take(BLOCK, BASE, 0));
	ck_assert(held_take(BLOCK, BASE + 8, 0));
	ck_assert(!held_take(BLOCK, BASE + 16, 0));
}
END_TEST

// Many, far apart: each is found, and nothing else.
START_TEST(far_apart)
{
	for (uint64_t i = 0; i < 5000; i++)
		held_add(BLOCK, BASE + i * 0x12340, 1);
	for (uint64_t i = 0; i < 5000; i++) {
		ck_assert(!held_take(BLOCK, BASE + i * 0x12340 + 0x20, 1));
		ck_assert(held_take(BLOCK, BASE + i * 0x12340, 1));
	}
	for (uint64_t i = 0; i < 5000; i++)
		ck_assert(!held_take(BLOCK, BASE + i * 0x12340, 1));
}
END_TEST

// Pages go one by one, whatever the calls that mapped and unmap them.
START_TEST(mappings)
{
	const uint64_t base = BASE + (1ull << 40);
	held_add(HEAP(mmap), base, 300 * PAGE);
	ck_assert(held_take(HEAP(unmap), base + 10 * PAGE, 100 * PAGE));
	ck_assert(!held_take(HEAP(unmap), base + 20 * PAGE, 50 * PAGE));
	ck_assert(held_take(HEAP(unmap), base + 20 * PAGE, 91 * PAGE));
	ck_assert(held_take(HEAP(unmap), base, PAGE));
	ck_assert(!held_take(HEAP(unmap), base, PAGE));
	// A part of a page leaves the rest of it.
	ck_assert(held_take(HEAP(unmap), base + PAGE, PAGE / 2));
	ck_assert(held_take(HEAP(unmap), base + PAGE + PAGE / 2, PAGE / 2));
	ck_assert(held_take(HEAP(unmap), base + PAGE, PAGE));
	ck_assert(!held_take(HEAP(unmap), base + PAGE, PAGE));
	ck_assert(held_take(HEAP(unmap), base, 300 * PAGE));
	ck_assert(!held_take(HEAP(unmap), base, 300 * PAGE));
}
END_TEST

// A reservation of more than 64 GB is not kept page by page: after it all may have been held.
START_TEST(reservations)
{
	ck_assert(!held_take(HEAP(unmap), 5 * PAGE, PAGE));
	held_add(HEAP(mmap), BASE, 65ull << 30);
	ck_assert(held_take(HEAP(unmap), 5 * PAGE, PAGE));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap_held");
	TCase *cases = tcase_create("heap_held");
	tcase_add_test(cases, blocks);
	tcase_add_test(cases, far_apart);
	tcase_add_test(cases, mappings);
	tcase_add_test(cases, reservations);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
