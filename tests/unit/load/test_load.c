/* SPDX-License-Identifier: Apache-2.0 */
/* Loading synthetic experiments: what is equal merges, what only looks equal stays apart, what is damaged is survived. */
#include "data.h"
#include "synthetic.h"
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[] = "/tmp/load-test.XXXXXX";

static void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	ck_assert(file && fputs(text, file) >= 0 && !fclose(file));
}

static struct data *load(const char *path)
{
	struct data *data = data_create();
	struct error error;
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	ck_assert_str_eq(error.text, "");
	return data;
}

/* The clock time of each stack. */
struct sums {
	uint64_t user[64], events, times;
};

static void add_user(void *context, const struct data_batch *batch)
{
	struct sums *sums = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		ck_assert_uint_lt(batch->stack[i], 64);
		sums->user[batch->stack[i]] += batch->field[FIELD_INDEX(CLOCK, user)][i];
		sums->times += batch->time[i];
		sums->events++;
	}
}

static struct sums clock_sums(struct data *data)
{
	struct sums sums = {{0}, 0, 0};
	data_visit(data, KIND_CLOCK, add_user, &sums);
	return sums;
}

/* The only stack with time. */
static uint32_t timed_stack(const struct sums *sums)
{
	uint32_t found = 0, count = 0;
	for (uint32_t i = 0; i < 64; i++)
		if (sums->user[i])
			found = i, count++;
	ck_assert_uint_eq(count, 1);
	return found;
}

static const struct load_object *leaf_object(const struct data *data, uint32_t stack)
{
	return &data->objects[data->addresses[data->stacks[stack].address].object];
}

/* app at `base`: main calls leaf; one tick of `user`. */
static void write_app(const char *path, uint64_t base, const char *build_id, uint64_t user)
{
	struct synthetic *s = synthetic_begin(path);
	synthetic_map_identified(s, base, 0x10000, 0x1000, 0x1000, "/bin/app", build_id, "10:20");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){base + 0x100, base + 0x200}, 2, 0);
	synthetic_clock(s, 1, 1000, stack, user, 0);
	synthetic_end(s);
}

START_TEST(equal_stacks_of_processes_merge_whatever_their_addresses)
{
	write_app("a.er", 0x550000000000, "aa01", 5);
	write_app("b.er", 0x7f0000000000, "aa01", 7);
	struct data *data = load("a.er");
	struct error error;
	ck_assert(data_load(data, "b.er", &error));
	struct sums sums = clock_sums(data);
	uint32_t stack = timed_stack(&sums);
	ck_assert_uint_eq(sums.user[stack], 12);
	ck_assert_uint_eq(data->stacks[stack].flags, STACK_EXACT);
	ck_assert_uint_eq(data->addresses[data->stacks[stack].address].offset, 0x1200);
	ck_assert_str_eq(leaf_object(data, stack)->path, "/bin/app");
	const struct stack *caller = &data->stacks[data->stacks[stack].parent];
	ck_assert_uint_eq(data->addresses[caller->address].offset, 0x1100);
	ck_assert_uint_eq(caller->flags, 0);
	const struct stack *root = &data->stacks[caller->parent];
	ck_assert_uint_eq(root->flags, STACK_ROOT);
	ck_assert_uint_eq(root->address, ROOT_START);
	ck_assert_uint_eq(root->parent, 0);
	data_destroy(data);
}
END_TEST

START_TEST(another_build_of_the_same_path_stays_apart)
{
	write_app("a.er", 0x550000000000, "aa01", 5);
	write_app("b.er", 0x550000000000, "aa02", 7);
	write_file("both.erg", "#analyzer experiment group\na.er\nb.er\n");
	struct data *data = load("both.erg");
	struct sums sums = clock_sums(data);
	unsigned timed = 0;
	for (uint32_t i = 0; i < 64; i++)
		timed += sums.user[i] != 0;
	ck_assert_uint_eq(timed, 2);
	data_destroy(data);
}
END_TEST

START_TEST(an_address_belongs_to_what_was_mapped_there_then)
{
	struct synthetic *s = synthetic_begin("t.er");
	synthetic_map_object(s, 0x10000, 0x1000, 0, 0, "/lib/one.so");
	uint32_t before = synthetic_stack(s, (uint64_t[]){0x10010}, 1, 0);
	synthetic_clock(s, 1, 1000, before, 1, 0);
	synthetic_unmap(s, 0x10000);
	synthetic_map_object(s, 0x10000, 0x1000, 0, 0x5000, "/lib/two.so");
	uint32_t after = synthetic_stack(s, (uint64_t[]){0x10010}, 1, 0);
	synthetic_clock(s, 1, 2000, after, 2, 0);
	synthetic_unmap(s, 0x10000);
	synthetic_clock(s, 1, 3000, synthetic_stack(s, (uint64_t[]){0x10010}, 1, 0), 4, 0);
	synthetic_end(s);
	struct data *data = load("t.er");
	struct sums sums = clock_sums(data);
	unsigned apart = 0;
	for (uint32_t i = 0; i < 64; i++) {
		if (sums.user[i] == 1)
			ck_assert_str_eq(leaf_object(data, i)->path, "/lib/one.so");
		if (sums.user[i] == 2) {
			ck_assert_str_eq(leaf_object(data, i)->path, "/lib/two.so");
			ck_assert_uint_eq(data->addresses[data->stacks[i].address].offset, 0x5010);
		}
		if (sums.user[i] == 4)
			ck_assert_str_eq(leaf_object(data, i)->path, "<Unknown>");
		apart += sums.user[i] != 0;
	}
	ck_assert_uint_eq(sums.events, 3);
	ck_assert_uint_eq(apart, 3);
	data_destroy(data);
}
END_TEST

START_TEST(a_return_address_after_the_end_belongs_to_the_object_of_the_call)
{
	struct synthetic *s = synthetic_begin("t.er");
	synthetic_map_object(s, 0x10000, 0x1000, 0, 0, "/lib/calls_abort_last.so");
	synthetic_map_object(s, 0x11000, 0x1000, 0, 0, "/lib/next.so");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x11000, 0x11000}, 2, 0);
	synthetic_clock(s, 1, 1000, stack, 1, 0);
	synthetic_end(s);
	struct data *data = load("t.er");
	struct sums sums = clock_sums(data);
	uint32_t leaf = timed_stack(&sums), caller = data->stacks[leaf].parent;
	ck_assert_str_eq(leaf_object(data, leaf)->path, "/lib/next.so");
	ck_assert_str_eq(leaf_object(data, caller)->path, "/lib/calls_abort_last.so");
	ck_assert_uint_eq(data->addresses[data->stacks[caller].address].offset, 0x1000);
	data_destroy(data);
}
END_TEST

START_TEST(code_without_object_is_in_the_perf_map_or_unknown)
{
	struct synthetic *s = synthetic_begin("t.er");
	synthetic_map_object(s, 0x5000, 0x1000, 0, 0, "/memfd:jit (deleted)");
	uint32_t announced = synthetic_stack(s, (uint64_t[]){0x5010}, 1, 0);
	uint32_t unknown = synthetic_stack(s, (uint64_t[]){0x9000}, 1, 0);
	synthetic_clock(s, 1, 1000, announced, 1, 0);
	synthetic_clock(s, 1, 2000, unknown, 2, 0);
	synthetic_end(s);
	/* The code of `gone` was used again for `now`; what is malformed is skipped. */
	write_file("t.er/" PERF_MAP_FILE, "5000 40 gone\n4ff0 30 LazyCompile:now /a.js:1\n5030 8 tail\n8000 10 "
					  "old\n8000 10 new\nzzz\n6000 0 empty\n"
					  "ffffffffffffffff 8 wraps\n7000");
	struct data *data = load("t.er");
	struct sums sums = clock_sums(data);
	for (uint32_t i = 0; i < 64; i++) {
		if (!sums.user[i])
			continue;
		struct code_address address = data->addresses[data->stacks[i].address];
		const struct load_object *object = &data->objects[address.object];
		ck_assert_int_eq(object->type, sums.user[i] == 1 ? OBJECT_DYNAMIC : OBJECT_UNKNOWN);
		ck_assert_uint_eq(address.offset, sums.user[i] == 1 ? 0x5010 : 0x9000);
		if (sums.user[i] == 2)
			continue;
		const struct dynamic_function *now = data_dynamic_function(data, address.object, 0x5010);
		ck_assert_str_eq(now->name, "LazyCompile:now /a.js:1");
		ck_assert_uint_eq(now->start, 0x4ff0);
		ck_assert(!now->alias && !now->source && !now->code && !now->lines && !now->line_count);
		ck_assert_str_eq(data_dynamic_function(data, address.object, 0x5037)->name, "tail");
		ck_assert_ptr_null(data_dynamic_function(data, address.object, 0x5038));
		ck_assert_ptr_null(data_dynamic_function(data, address.object, 0x6000));
		ck_assert_str_eq(data_dynamic_function(data, address.object, 0x8008)->name, "new");
	}
	ck_assert_uint_eq(sums.events, 2);
	data_destroy(data);
}
END_TEST

START_TEST(ends_of_walks_and_guesses_are_kept)
{
	struct synthetic *s = synthetic_begin("t.er");
	synthetic_map_object(s, 0x10000, 0x1000, 0, 0, "/bin/app");
	uint64_t pcs[] = {0x10010, 0x10020};
	synthetic_clock(s, 1, 1000, synthetic_stack(s, pcs, 2, SYNTHETIC_TRUNCATED), 1, 0);
	synthetic_clock(s, 1, 2000, synthetic_stack(s, pcs, 2, SYNTHETIC_FAILED), 2, 0);
	synthetic_clock(s, 1, 3000, synthetic_stack(s, pcs, 2, SYNTHETIC_HEURISTIC), 4, 0);
	synthetic_clock(s, 1, 4000, 0, 8, 0);
	synthetic_end(s);
	struct data *data = load("t.er");
	struct sums sums = clock_sums(data);
	ck_assert_uint_eq(sums.user[0], 8);
	for (uint32_t i = 1; i < data->stack_count; i++) {
		const struct stack *stack = &data->stacks[i];
		const struct stack *caller = &data->stacks[stack->parent], *root = &data->stacks[caller->parent];
		ck_assert_uint_lt(stack->parent, i);
		if (!sums.user[i])
			continue;
		ck_assert_uint_eq(root->flags, STACK_ROOT);
		ck_assert_uint_eq(root->address, sums.user[i] == 1   ? ROOT_TRUNCATED
						 : sums.user[i] == 2 ? ROOT_FAILED
								     : ROOT_START);
		ck_assert_uint_eq(caller->flags, sums.user[i] == 4 ? STACK_HEURISTIC : 0);
	}
	data_destroy(data);
}
END_TEST

START_TEST(descendants_follow_their_founder_on_its_clock)
{
	write_app("t.er", 0x550000000000, "aa01", 5);
	struct settings settings;
	settings_default(&settings);
	struct synthetic *s = synthetic_begin_with("t.er/_f1.er", &settings, 1e9,
		(struct time_triple){0, SYNTHETIC_MONOTONIC + 700, SYNTHETIC_REALTIME + 700});
	synthetic_map_identified(s, 0x10000, 0x10000, 0x1000, 0x1000, "/bin/app", "aa01", "10:20");
	synthetic_clock(s, 1, 50, synthetic_stack(s, (uint64_t[]){0x10100, 0x10200}, 2, 0), 6, 0);
	synthetic_end(s);
	write_app("u.er", 0x550000000000, "aa01", 1);
	write_file("both.erg", "#analyzer experiment group\nt.er\n\nu.er\n");
	struct data *data = load("both.erg");
	ck_assert_uint_eq(data->experiment_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_uint_eq(data->experiments[i].number, i + 1);
	ck_assert_uint_eq(data->experiments[1].founder, 0);
	ck_assert_str_eq(data->experiments[1].file->name, "_f1.er");
	ck_assert_uint_eq(data->experiments[1].start_offset, 700);
	ck_assert_uint_eq(data->experiments[2].founder, 2);
	struct sums sums = clock_sums(data);
	ck_assert_uint_eq(sums.user[timed_stack(&sums)], 12);
	ck_assert_uint_eq(sums.times, 1000 + (700 + 50) + 1000);
	data_destroy(data);
}
END_TEST

START_TEST(what_cannot_be_loaded_is_said)
{
	struct data *data = data_create();
	struct error error;
	ck_assert(!data_load(data, "nosuch.er", &error));
	ck_assert_str_eq(error.text, "nosuch.er: experiment not found");
	write_file("text", "hello\n");
	ck_assert(!data_load(data, "text", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "neither an experiment nor an experiment group"));
	ck_assert(!data_load(data, "/dev/null", &error));
	ck_assert(!data_load(data, ".", &error));
	ck_assert_str_ne(error.text, "");
	write_file("empty.erg", "#analyzer experiment group\n");
	ck_assert(!data_load(data, "empty.erg", &error));
	write_app("a.er", 0x550000000000, "aa01", 5);
	write_file("half.erg", "#analyzer experiment group\nmissing.er\na.er\n");
	ck_assert(data_load(data, "half.erg", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "missing.er"));
	ck_assert_uint_eq(data->experiment_count, 1);
	data_destroy(data);
}
END_TEST

/* Any byte of the stacks and of the map may be wrong: it loads or is refused, and the tree stays a tree. */
START_TEST(flipped_bytes_leave_a_tree)
{
	static const char *const files[] = {"t.er/stacks", "t.er/map.xml", "t.er/clock.events"};
	write_app("t.er", 0x550000000000, "aa01", 5);
	for (unsigned f = 0; f < 3; f++) {
		int fd = open(files[f], O_RDWR);
		ck_assert_int_ge(fd, 0);
		for (off_t at = 0; at < 4096 + 256; at += f == 1 ? 3 : 7) {
			unsigned char byte, flipped;
			if (pread(fd, &byte, 1, at) != 1)
				break;
			flipped = byte ^ (unsigned char)(1 << at % 8);
			ck_assert(pwrite(fd, &flipped, 1, at) == 1);
			struct data *data = data_create();
			struct error error;
			if (data_load(data, "t.er", &error)) {
				clock_sums(data);
				for (uint32_t i = 1; i < data->stack_count; i++) {
					ck_assert_uint_lt(data->stacks[i].parent, i);
					ck_assert(data->stacks[i].parent || data->stacks[i].flags & STACK_ROOT);
				}
			}
			data_destroy(data);
			ck_assert(pwrite(fd, &byte, 1, at) == 1);
		}
		close(fd);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("load");
	TCase *test = tcase_create("synthetic");
	tcase_set_timeout(test, 120);
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_test(test, equal_stacks_of_processes_merge_whatever_their_addresses);
	tcase_add_test(test, another_build_of_the_same_path_stays_apart);
	tcase_add_test(test, an_address_belongs_to_what_was_mapped_there_then);
	tcase_add_test(test, a_return_address_after_the_end_belongs_to_the_object_of_the_call);
	tcase_add_test(test, code_without_object_is_in_the_perf_map_or_unknown);
	tcase_add_test(test, ends_of_walks_and_guesses_are_kept);
	tcase_add_test(test, descendants_follow_their_founder_on_its_clock);
	tcase_add_test(test, what_cannot_be_loaded_is_said);
	tcase_add_test(test, flipped_bytes_leave_a_tree);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
