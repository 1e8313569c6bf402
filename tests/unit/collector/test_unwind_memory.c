/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded reads: nothing that cannot be read is, and nothing faults. */
#include "memory.h"
#include <check.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096ul

START_TEST(low_addresses_are_refused)
{
	struct memory memory = {.span = 0};
	uint64_t value;
	unsigned char bytes[8];
	for (uint64_t address = 0; address < 2 * PAGE; address += 8) {
		ck_assert(!memory_read(&memory, address, &value));
		ck_assert(!memory_read_bytes(&memory, address, bytes, sizeof bytes));
	}
}
END_TEST

START_TEST(a_hole_is_refused_and_its_neighbours_are_read)
{
	struct memory memory = {.span = 0};
	uint64_t *pages = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), value;
	unsigned char bytes[8];
	const uint64_t start = (uint64_t)pages;
	ck_assert_ptr_ne(pages, MAP_FAILED);
	pages[PAGE / 8 - 1] = 1;
	pages[2 * PAGE / 8] = 3;
	ck_assert_int_eq(munmap(pages + PAGE / 8, PAGE), 0);
	for (int turn = 0; turn < 2; turn++) {
		ck_assert(memory_read(&memory, start + PAGE - 8, &value) && value == 1);
		ck_assert(!memory_read(&memory, start + PAGE, &value));
		ck_assert(!memory_read_bytes(&memory, start + PAGE - 4, bytes, sizeof bytes));
		ck_assert(memory_read(&memory, start + 2 * PAGE, &value) && value == 3);
		ck_assert(!memory_read(&memory, start + 2 * PAGE - 8, &value));
	}
	munmap(pages, PAGE);
	munmap(pages + 2 * PAGE / 8, PAGE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("guarded reads");
	TCase *test = tcase_create("reads");
	tcase_add_test(test, low_addresses_are_refused);
	tcase_add_test(test, a_hole_is_refused_and_its_neighbours_are_read);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
