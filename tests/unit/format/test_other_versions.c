/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments of collectors older and newer than this reader: kinds and fields that it does not know, or that are missing;
   several of one family; and one that is being written. */
#include "event_stream.h"
#include "scratch.h"
#include "synthetic.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static struct event_batch batch;

/* The sum of a field of our table over a source, by the file's own columns. */
static uint64_t sum_of(struct experiment *experiment, struct event_source *source, unsigned field)
{
	uint64_t sum = 0;
	int column = source->field_of_kind[field];
	for (unsigned block = 0; block < source->block_count; block++) {
		event_source_read(experiment, source, block, &batch);
		for (uint32_t i = 0; column >= 0 && i < batch.count; i++)
			sum += batch.field[column][i];
	}
	return sum;
}

START_TEST(a_kind_that_is_not_known_can_be_read)
{
	struct synthetic *s = synthetic_begin("a.er");
	unsigned wait = synthetic_kind(s, "wait", "Waiting Time",
		"field duration nanoseconds time waited\nfield object address the lock\nfield mood furlongs of "
		"tomorrow\n"
		"state object 5 five\nnews of tomorrow\n");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x10, 0x20}, 2, 0);
	for (uint64_t i = 1; i <= 10; i++)
		synthetic_event(s, wait, 4, i * 100, stack, (uint64_t[]){i, i * i, 1});
	synthetic_clock(s, 1, 100, stack, 77, 0);
	synthetic_end(s);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->source_count, 2);
	struct event_source *source = find_source(experiment, "wait");
	ck_assert_int_eq(source->kind, -1);
	ck_assert_str_eq(source->title, "Waiting Time");
	ck_assert_uint_eq(source->field_count, 3);
	ck_assert_str_eq(source->fields[0].name, "duration");
	ck_assert_uint_eq(source->fields[0].unit, UNIT_NANOSECONDS);
	ck_assert_str_eq(source->fields[1].title, "the lock");
	ck_assert_uint_eq(source->fields[2].unit, UNIT_UNKNOWN);
	ck_assert(event_source_read(experiment, source, 0, &batch));
	ck_assert_uint_eq(batch.count, 10);
	ck_assert_uint_eq(batch.field[1][9], 100);
	ck_assert_uint_eq(batch.thread[9], 4);
	ck_assert_uint_eq(batch.stack[9], stack);
	ck_assert_uint_eq(sum_of(experiment, find_source(experiment, "clock"), FIELD_INDEX(CLOCK, user)), 77);
	ck_assert_uint_eq(damage_total(experiment), 0);
	experiment_close(experiment);
}
END_TEST

START_TEST(fields_are_found_by_name_and_a_missing_one_is_said)
{
	struct synthetic *s = synthetic_begin("a.er");
	unsigned clock = synthetic_kind(s, "clock", "Clock Profiling of Tomorrow",
		"field mode state the mode\nfield temperature number degrees\nfield user nanoseconds user time\n");
	for (uint64_t i = 1; i <= 10; i++)
		synthetic_event(s, clock, 1, i, 0, (uint64_t[]){1, 40, i});
	synthetic_end(s);
	struct experiment *experiment = open_experiment("a.er");
	struct event_source *source = find_source(experiment, "clock");
	ck_assert_int_eq(source->kind, KIND_CLOCK);
	ck_assert_int_eq(source->field_of_kind[FIELD_INDEX(CLOCK, user)], 2);
	ck_assert_int_eq(source->field_of_kind[FIELD_INDEX(CLOCK, mode)], 0);
	ck_assert_int_eq(source->field_of_kind[FIELD_INDEX(CLOCK, system)], -1);
	ck_assert_uint_eq(sum_of(experiment, source, FIELD_INDEX(CLOCK, user)), 55);
	ck_assert_uint_eq(sum_of(experiment, source, FIELD_INDEX(CLOCK, mode)), 10);
	experiment_close(experiment);
}
END_TEST

/* A record of a type to come: its length, then bytes that look like events. */
START_TEST(records_of_later_types_are_skipped)
{
	struct synthetic *s = synthetic_begin("a.er");
	synthetic_clock(s, 1, 100, 0, 5, 0);
	synthetic_clock(s, 1, 200, 0, 6, 0);
	synthetic_kill(s);
	size_t size;
	unsigned char *bytes = read_bytes("a.er/clock.events", &size);
	struct block_header *header = (struct block_header *)(bytes + 4096);
	unsigned char *payload = bytes + 4096 + 64, record[] = {0x8b, 3, 0x21, 0x21, 0x21, 7, 0};
	memmove(payload + sizeof(record), payload, header->used);
	memcpy(payload, record, sizeof(record));
	header->used += sizeof(record);
	write_bytes("a.er/clock.events", bytes, size);
	free(bytes);
	struct experiment *experiment = open_experiment("a.er");
	struct event_source *source = find_source(experiment, "clock");
	ck_assert_uint_eq(sum_of(experiment, source, FIELD_INDEX(CLOCK, user)), 11);
	ck_assert_uint_eq(batch.time[1], 200);
	ck_assert_uint_eq(damage_total(experiment), 0);
	experiment_close(experiment);
}
END_TEST

START_TEST(an_event_file_of_another_major_version_is_left_out)
{
	struct synthetic *s = synthetic_begin("a.er");
	synthetic_clock(s, 1, 100, 0, 5, 0);
	synthetic_end(s);
	size_t size;
	unsigned char *bytes = read_bytes("a.er/clock.events", &size);
	struct file_header *header = (struct file_header *)bytes;
	header->major = 2;
	header->check = file_header_check(header, (char *)bytes + sizeof(*header));
	write_bytes("a.er/clock.events", bytes, size);
	free(bytes);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->source_count, 0);
	ck_assert_ptr_nonnull(strstr(experiment->damage.first, "version 2.0"));
	experiment_close(experiment);
}
END_TEST

/* 2.5 ticks a nanosecond: 1 ms is 2 500 000 ticks; times before the start are 0. */
START_TEST(raw_time_becomes_nanoseconds)
{
	struct settings settings;
	struct time_triple start = {1ull << 62, 5000, 6000};
	settings_default(&settings);
	settings.time_source = 1;
	struct synthetic *s = synthetic_begin_with("a.er", &settings, 2.5e9, start);
	synthetic_clock(s, 1, 1000000, 0, 1, 0);
	synthetic_clock(s, 1, 3600000000000, 0, 1, 0);
	synthetic_end(s);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert(experiment->closed);
	ck_assert_double_eq_tol(experiment->ticks_per_second, 2.5e9, 10);
	ck_assert(event_source_read(experiment, find_source(experiment, "clock"), 0, &batch));
	ck_assert_uint_le(batch.time[0], 1000001);
	ck_assert_uint_ge(batch.time[0], 999999);
	ck_assert_uint_le(batch.time[1], 3600000001000);
	ck_assert_uint_ge(batch.time[1], 3599999999000);
	ck_assert_uint_eq(experiment_nanoseconds(experiment, start.raw - 1), 0);
	ck_assert_uint_eq(experiment_nanoseconds(experiment, start.raw), 0);
	experiment_close(experiment);
}
END_TEST

START_TEST(stacks_are_shared_and_say_how_they_ended)
{
	struct synthetic *s = synthetic_begin("a.er");
	uint32_t a = synthetic_stack(s, (uint64_t[]){0x10, 0x20, 0x30}, 3, 0);
	uint32_t b = synthetic_stack(s, (uint64_t[]){0x10, 0x20, 0x40}, 3, SYNTHETIC_TRUNCATED | SYNTHETIC_HEURISTIC);
	ck_assert_uint_eq(a, synthetic_stack(s, (uint64_t[]){0x10, 0x20, 0x30}, 3, 0));
	synthetic_unmap(s, 0x5);
	uint32_t c = synthetic_stack(s, (uint64_t[]){0x10, 0x20, 0x30}, 3, 0);
	ck_assert_uint_ne(a, c);
	synthetic_end(s);
	struct experiment *experiment = open_experiment("a.er");
	const struct stack_node *node = experiment_stack_node(experiment, a);
	ck_assert_uint_eq(node->pc, 0x30);
	ck_assert_uint_eq(node->flags, NODE_EXACT);
	node = experiment_stack_node(experiment, node->parent);
	ck_assert_uint_eq(node->pc, 0x20);
	ck_assert_uint_eq(node->flags, 0);
	node = experiment_stack_node(experiment, experiment_stack_node(experiment, node->parent)->parent);
	ck_assert_uint_eq(node->flags, NODE_ROOT);
	ck_assert_uint_eq(node->pc, 1 + ROOT_START);
	node = experiment_stack_node(experiment, experiment_stack_node(experiment, b)->parent);
	ck_assert_uint_eq(node->flags, NODE_HEURISTIC);
	for (node = experiment_stack_node(experiment, c); !(node->flags & NODE_ROOT);)
		node = experiment_stack_node(experiment, node->parent);
	ck_assert_uint_eq(node->pc, 1 + ROOT_START + (1 << 8));
	ck_assert_ptr_null(experiment_stack_node(experiment, 0));
	ck_assert_ptr_null(experiment_stack_node(experiment, experiment->stacks.count));
	ck_assert_ptr_null(experiment_stack_node(experiment, UINT32_MAX));
	experiment_close(experiment);
}
END_TEST

START_TEST(stacks_of_many_blocks_keep_their_ids)
{
	struct synthetic *s = synthetic_begin("a.er");
	uint32_t count = 3 * STACK_NODES_PER_BLOCK + 17, last = 0;
	for (uint32_t i = 1; i < count; i++)
		last = synthetic_stack(s, (uint64_t[]){0x1000 + i}, 1, 0);
	ck_assert_uint_eq(last, count); /* and one root */
	synthetic_end(s);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert_uint_eq(experiment->stacks.count, count + 1);
	for (uint32_t id = 2; id <= count; id++)
		if (experiment_stack_node(experiment, id)->pc != 0x1000 + id - 1)
			ck_abort_msg("node %u", id);
	experiment_close(experiment);
}
END_TEST

START_TEST(descendants_come_in_the_order_of_their_lineage)
{
	static const char *const made[] = {"_x1.er", "_f10.er", "_f2.er", "_f2_x1.er", "_f2_x1_f1.er", "_f1.er",
		"_c1.er", "archives", "_f.er", "_f3", "f4.er", "_f5x.er", "_ff1.er"};
	static const char *const expected[] = {
		"_c1.er", "_f1.er", "_x1.er", "_f2.er", "_f2_x1.er", "_f2_x1_f1.er", "_f10.er"};
	mkdir("a.er", 0755);
	for (unsigned i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		char path[64];
		snprintf(path, sizeof(path), "a.er/%s", made[i]);
		ck_assert_int_eq(mkdir(path, 0755), 0);
	}
	ck_assert_int_eq(symlink("_f1.er", "a.er/_f7.er"), 0);
	write_bytes("a.er/_f8.er", "", 0);
	size_t count;
	char **names = experiment_descendants("a.er", &count);
	ck_assert_uint_eq(count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(names[i], expected[i]);
		free(names[i]);
	}
	free(names);
	names = experiment_descendants("nowhere.er", &count);
	ck_assert_uint_eq(count, 0);
	free(names);
}
END_TEST

/* About 100 000 events a second, so that reading keeps up. */
static void write_for_ever(const char *path)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	struct synthetic *s = synthetic_begin(path);
	for (uint64_t i = 1;; i++) {
		uint32_t stack = synthetic_stack(s, (uint64_t[]){0x10, 0x1000 + i % 50000}, 2, 0);
		synthetic_clock(s, 1 + i % 3, i, stack, 1, 0);
		if (i % 100 == 0)
			usleep(1000);
		if (i % 1000 == 0)
			synthetic_thread_end(s, 1 + i / 1000 % 3);
	}
}

/* Each look at a growing experiment is a whole one: no damage, every stack there, never less than before. */
START_TEST(an_experiment_is_read_while_it_is_written)
{
	pid_t writer = fork();
	if (writer == 0)
		write_for_ever("a.er");
	while (access("a.er/clock.events", F_OK))
		usleep(1000);
	uint64_t before = 0;
	for (unsigned looks = 0; looks < 20 || before < 20000; looks++) {
		struct experiment *experiment = open_experiment("a.er");
		uint64_t events = 0;
		for (unsigned i = 0; i < experiment->source_count; i++)
			for (unsigned block = 0; block < experiment->sources[i].block_count; block++) {
				event_source_read(experiment, &experiment->sources[i], block, &batch);
				events += batch.count;
				for (uint32_t k = 0; k < batch.count; k++)
					if (!experiment_stack_node(experiment, batch.stack[k]))
						ck_abort_msg("stack %u is missing", batch.stack[k]);
			}
		const struct damage *damage = &experiment->damage;
		ck_assert_msg(damage_total(experiment) == 0, "%s", damage->first);
		ck_assert_uint_ge(events, before);
		before = events;
		experiment_close(experiment);
	}
	kill(writer, SIGKILL);
	waitpid(writer, 0, 0);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {a_kind_that_is_not_known_can_be_read,
		fields_are_found_by_name_and_a_missing_one_is_said, records_of_later_types_are_skipped,
		an_event_file_of_another_major_version_is_left_out, raw_time_becomes_nanoseconds,
		stacks_are_shared_and_say_how_they_ended, stacks_of_many_blocks_keep_their_ids,
		descendants_come_in_the_order_of_their_lineage, an_experiment_is_read_while_it_is_written};
	return RUN_TESTS("other versions", tests);
}
