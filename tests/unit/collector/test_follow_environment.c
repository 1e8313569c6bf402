/* SPDX-License-Identifier: Apache-2.0 */
/* The environment that an exec'd image gets, and what it sees of it: composed and taken out again, it is the target's own. */
#include "environment.h"
#include "environment_block.h"
#include <check.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct composition ours = {.founder = "/tmp/test.1.er",
	.lineage = "_f1_x2",
	.library = "/opt/lib/libcollector.so",
	.recorded = {12345678901, 7}};

static size_t length_of(char *const *environment)
{
	size_t length = 0;
	while (environment && environment[length])
		length++;
	return length;
}

/* Composed in exactly the memory that was asked for, with a guard behind it, then laid out as the kernel does: pointers, the
   null pointer, the auxiliary vector; strings that may be written to. */
static char **hand_over(char *const *environment, Elf64_auxv_t *vector, size_t entries)
{
	size_t size = environment_compose_size(environment, &ours);
	unsigned char *memory = malloc(size + 8);
	memset(memory + size, 0xA5, 8);
	char **composed = environment_compose(environment, &ours, memory);
	for (int i = 0; i < 8; i++)
		ck_assert_int_eq(memory[size + i], 0xA5);
	size_t count = length_of(composed);
	char **block = calloc(count + 1 + 2 * entries, sizeof *block);
	for (size_t i = 0; i < count; i++)
		block[i] = strdup(composed[i]);
	memcpy(block + count + 1, vector, entries * sizeof *vector);
	free(memory);
	return block;
}

/* The words that the image sees behind its environment, entries to be ignored left out. */
static size_t seen_vector(char **environment, Elf64_auxv_t *vector)
{
	const Elf64_auxv_t *at = (const void *)(environment + length_of(environment) + 1);
	size_t count = 0;
	do
		if (at->a_type != AT_IGNORE)
			vector[count++] = *at;
	while (at++->a_type != AT_NULL);
	return count;
}

static void check_round_trip(char *const *target, char *const *expected)
{
	Elf64_auxv_t vector[] = {{AT_PAGESZ, {4096}}, {AT_PHNUM, {11}}, {AT_NULL, {0}}}, seen[16];
	char **block = hand_over(target, vector, 3);
	struct environment_values values = environment_take(block);
	ck_assert_str_eq(values.founder, ours.founder);
	ck_assert_str_eq(values.lineage, ours.lineage);
	ck_assert_str_eq(values.recorded, "12345678901,7,0");
	ck_assert_uint_eq(length_of(block), length_of(expected));
	for (size_t i = 0; expected && expected[i]; i++)
		ck_assert_str_eq(block[i], expected[i]);
	ck_assert_uint_eq(seen_vector(block, seen), 3);
	ck_assert_mem_eq(seen, vector, sizeof vector);
}

START_TEST(the_targets_own_comes_back)
{
	char *plain[] = {"A=1", "PATH=/bin", "B=", 0};
	char *preload[] = {"A=1", "LD_PRELOAD=/x/liba.so libb.so:libc.so", "B=2", 0};
	char *alike[] = {"LD_PRELOADED=1", "ER_TOOLS_FOUNDERS=2", 0};
	char *none[] = {0};
	check_round_trip(plain, plain);
	check_round_trip(preload, preload);
	check_round_trip(alike, alike);
	check_round_trip(none, none);
	check_round_trip(0, none);
}
END_TEST

START_TEST(stale_entries_do_not_go_over)
{
	char *kept[] = {"A=1", "ER_TOOLS_FOUNDER=/old.er", "ER_TOOLS_LINEAGE=", "ER_TOOLS_RECORDED=1,1",
		"LD_PRELOAD=/opt/lib/libcollector.so", "ER_TOOLS_PADDING=", "B=2", 0};
	char *with_own[] = {"LD_PRELOAD=/opt/lib/libcollector.so:libm.so", "B=2", 0};
	char *empty[] = {"LD_PRELOAD=", "B=2", 0};
	char *clean[] = {"A=1", "B=2", 0}, *own[] = {"LD_PRELOAD=libm.so", "B=2", 0}, *rest[] = {"B=2", 0};
	check_round_trip(kept, clean);
	check_round_trip(with_own, own);
	check_round_trip(empty, rest);
}
END_TEST

START_TEST(ours_comes_first_in_preload)
{
	char *target[] = {"LD_PRELOAD=libm.so", 0};
	void *memory = malloc(environment_compose_size(target, &ours));
	char **composed = environment_compose(target, &ours, memory);
	ck_assert_str_eq(composed[0], "LD_PRELOAD=/opt/lib/libcollector.so:libm.so");
	free(memory);
}
END_TEST

START_TEST(without_us_nothing_changes)
{
	char preload[] = "LD_PRELOAD=libm.so";
	char *environment[] = {"A=1", preload, "B=2", 0};
	struct environment_values values = environment_take(environment);
	ck_assert_ptr_null(values.founder);
	ck_assert_uint_eq(length_of(environment), 3);
	ck_assert_str_eq(environment[1], "LD_PRELOAD=libm.so");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("follow_environment");
	TCase *cases = tcase_create("environment");
	tcase_add_test(cases, the_targets_own_comes_back);
	tcase_add_test(cases, stale_entries_do_not_go_over);
	tcase_add_test(cases, ours_comes_first_in_preload);
	tcase_add_test(cases, without_us_nothing_changes);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
