/* SPDX-License-Identifier: Apache-2.0 */
/* Events as bytes, by hand from FORMAT.md, and any event there and back. */
#include "event_stream.h"
#include "scratch.h"
#include "seal.h"
#include "synthetic.h"

static void fixed_time(struct time_triple *now)
{
	*now = (struct time_triple){1000, 2000, 3000};
}

static void append(struct event_stream *stream, uint64_t time, uint32_t cpu, uint32_t stack, uint64_t a, uint64_t b,
	uint64_t c, uint64_t d)
{
	struct event_head head = {time, cpu, stack};
	ck_assert(event_append(stream, &head, (uint64_t[]){a, b, c, d}));
}

START_TEST(the_bytes_are_those_of_the_specification)
{
	static struct experiment_directory directory;
	static struct event_file file;
	struct event_stream stream, other;
	create_events(&file, &directory, "a.er", KIND_CLOCK, fixed_time);
	event_stream_init(&stream, &file, 7);
	append(&stream, 1005, 3, 7, 1, 300, 0, 2); /* 5 later, CPU 3, stack +7 */
	append(&stream, 1133, 3, 7, 0, 0, 0, 0);   /* 128 later, all else as before */
	append(&stream, 1132, 3, 0, 0, 0, 0, 0);   /* 1 earlier, no stack */
	append(&stream, 1132, 0, 6, 0, 0, 0, 0);   /* CPU 0, stack -1 */
	event_stream_release(&stream);
	event_stream_init(&other, &file, 200);
	append(&other, 1001, 0, 1, 0, 0, 0, UINT64_MAX); /* relative to the block's start again */
	event_stream_release(&other);
	seal_given_back(&file);
	static const unsigned char expected[] = {
		0x19, 5, 3, 14, 1, 0xac, 2, 0, 2,                          /* tag 1|8|16 */
		0x01, 0x80, 1, 0, 0, 0, 0,                                 /* tag 1 */
		0x61, 1, 0, 0, 0, 0,                                       /* tag 1|32|64 */
		0x19, 0, 0, 1, 0, 0, 0, 0,                                 /* tag 1|8|16 */
		0x02, 0xc8, 1,                                             /* thread 200 */
		0x11, 1, 2, 0, 0, 0,                                       /* tag 1|16 */
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 /* 2^64-1 */
	};
	size_t size;
	unsigned char *bytes = read_bytes("a.er/clock.events", &size);
	ck_assert_uint_eq(size, 8192);
	static const unsigned char header[] = {
		'1', 'E', 'R', 'T', 'O', 'O', 'L', 'S', 4, 3, 2, 1, 1, 0, 0, 0, 0, 0x10, 0, 0};
	ck_assert_mem_eq(bytes, header, sizeof(header));
	static const unsigned char block[] = {'E', 'B', 'L', 'K', 0, 0x10, 0, 0, sizeof(expected), 0, 0, 0, 1, 0, 0, 0,
		0, 0, 0, 0, 7, 0, 0, 0, 0xe8, 3, 0, 0, 0, 0, 0, 0, 0xd0, 7, 0, 0, 0, 0, 0, 0, 0xb8, 0xb, 0, 0, 0, 0, 0,
		0};
	ck_assert_mem_eq(bytes + 4096, block, sizeof(block));
	ck_assert_mem_eq(bytes + 4096 + 64, expected, sizeof(expected));
	free(bytes);
}
END_TEST

#define RANDOM_EVENTS  20000
#define RANDOM_THREADS 5

struct known_event {
	uint64_t time, fields[FIELDS_MAX];
	uint32_t thread, cpu, stack;
};

/* Numbers of every length, the greatest included. */
static uint64_t any_number(uint64_t *state, unsigned bits)
{
	uint64_t number = random_next(state);
	return number >> (64 - bits + random_next(state) % bits);
}

START_TEST(any_event_is_read_as_it_was_written)
{
	static struct known_event known[RANDOM_EVENTS];
	static bool seen[RANDOM_EVENTS];
	uint64_t state = 42;
	struct synthetic *s = synthetic_begin("b.er");
	unsigned count = kind_row(KIND_THREAD)->field_count;
	ck_assert_uint_le(count, FIELDS_MAX);
	for (unsigned i = 0; i < RANDOM_EVENTS; i++) {
		struct known_event *event = &known[i];
		*event = (struct known_event){.time = any_number(&state, 62),
			.thread = 1 + (uint32_t)(random_next(&state) % RANDOM_THREADS),
			.cpu = (uint32_t)any_number(&state, i % 3 ? 2 : 32),
			.stack = (uint32_t)any_number(&state, i % 2 ? 4 : 32)};
		event->fields[0] = i; /* which one it is: blocks are not in the order of time */
		for (unsigned k = 1; k < count; k++)
			event->fields[k] = any_number(&state, 64);
		synthetic_cpu(s, event->cpu);
		synthetic_event(s, KIND_THREAD, event->thread, event->time, event->stack, event->fields);
		if (i % 1000 == 999)
			synthetic_thread_end(s, event->thread);
	}
	synthetic_end(s);
	struct experiment *experiment = open_experiment("b.er");
	struct event_source *source = find_source(experiment, "thread");
	ck_assert_int_eq(source->kind, KIND_THREAD);
	struct event_batch batch = {0};
	unsigned total = 0;
	for (unsigned block = 0; block < source->block_count; block++) {
		event_source_read(experiment, source, block, &batch);
		for (uint32_t i = 0; i < batch.count; i++, total++) {
			ck_assert_uint_lt(batch.field[0][i], RANDOM_EVENTS);
			const struct known_event *event = &known[batch.field[0][i]];
			ck_assert(!seen[batch.field[0][i]]);
			seen[batch.field[0][i]] = true;
			ck_assert_uint_eq(batch.time[i], event->time);
			ck_assert_uint_eq(batch.thread[i], event->thread);
			ck_assert_uint_eq(batch.cpu[i], event->cpu);
			ck_assert_uint_eq(batch.stack[i], event->stack);
			for (unsigned k = 1; k < count; k++)
				ck_assert_uint_eq(batch.field[k][i], event->fields[k]);
		}
	}
	ck_assert_uint_eq(total, RANDOM_EVENTS);
	ck_assert_uint_eq(damage_total(experiment), 0);
	event_batch_free(&batch);
	experiment_close(experiment);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {the_bytes_are_those_of_the_specification, any_event_is_read_as_it_was_written};
	return RUN_TESTS("event bytes", tests);
}
