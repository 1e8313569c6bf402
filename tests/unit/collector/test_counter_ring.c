// SPDX-License-Identifier: Apache-2.0
// The kernel's records of a counter, written here as perf_event_open(2) describes them, and what is read of them.
#include "overflow.h"
#include "perf_event.h"
#include "ring.h"
#include <check.h>
#include <string.h>

enum { DATA = 32768 };
static struct {
	struct perf_event_mmap_page control;
	char rest[PERF_PAGE - sizeof(struct perf_event_mmap_page)];
	char data[DATA];
} ring;
static struct ring_contents contents;

static void empty_ring(uint64_t at)
{
	memset(&ring, 0, sizeof ring);
	ring.control.data_size = DATA;
	ring.control.data_head = ring.control.data_tail = at;
}

static void put(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		ring.data[(ring.control.data_head + i) % DATA] = ((const char *)bytes)[i];
	ring.control.data_head += size;
}

static void put_record(uint32_t type, uint16_t misc, const uint64_t *words, size_t count)
{
	const struct perf_event_header header = {type, misc, (uint16_t)(sizeof header + count * sizeof *words)};
	put(&header, sizeof header);
	put(words, count * sizeof *words);
}

START_TEST(plain_samples)
{
	const struct overflow_counter wanted = {.delivery = DELIVERY_SIGNAL};
	ck_assert_uint_eq(ring_sample_type(&wanted), PERF_SAMPLE_IP);
	empty_ring(0);
	ck_assert(!ring_has_records(&ring));
	put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP, (uint64_t[]){0x401000}, 1);
	put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, (uint64_t[]){0xffffffff81000000}, 1);
	ck_assert(ring_has_records(&ring));
	ring_contents_clear(&contents);
	ck_assert(!contents.sampled);
	ck_assert(ring_take_one(&ring, ring_sample_type(&wanted), &contents));
	ck_assert(contents.sampled && contents.exact && !contents.kernel);
	ck_assert_uint_eq(contents.pc, 0x401000);
	ck_assert(ring_take_one(&ring, ring_sample_type(&wanted), &contents));
	ck_assert(contents.kernel && !contents.exact);
	ck_assert_uint_eq(contents.pc, 0xffffffff81000000);
	ck_assert(!ring_take_one(&ring, ring_sample_type(&wanted), &contents));
	ck_assert_uint_eq(ring.control.data_tail, 32);
}
END_TEST

// The words of a sample are in the kernel's order, also where the ring's end is within them.
START_TEST(all_words)
{
	const struct overflow_counter wanted = {.kernel_stack = 1, .memory = 1};
	const uint64_t words[] = {0x401000, 0xdeadbee8, // pc, address
		5, (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020, (uint64_t)PERF_CONTEXT_USER,
		0x401000,    // the chain: markers are no frames; what excludes user frames is asked of the kernel
		17, 0x1234}; // latency, source
	for (uint64_t at = DATA - 104; at <= DATA; at += 8) {
		empty_ring(at);
		put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words, sizeof words / sizeof *words);
		ring_take(&ring, ring_sample_type(&wanted), &contents);
		ck_assert(contents.sampled);
		ck_assert_uint_eq(contents.pc, 0x401000);
		ck_assert_uint_eq(contents.address, 0xdeadbee8);
		ck_assert_uint_eq(contents.kernel_depth, 3);
		ck_assert_uint_eq(contents.kernel_frames[0], 0xffffffff81000010);
		ck_assert_uint_eq(contents.kernel_frames[1], 0xffffffff81000020);
		ck_assert_uint_eq(contents.latency, 17);
		ck_assert_uint_eq(contents.source, 0x1234);
	}
}
END_TEST

START_TEST(losses)
{
	empty_ring(64);
	put_record(PERF_RECORD_LOST, 0, (uint64_t[]){9, 1000}, 2);
	put_record(PERF_RECORD_THROTTLE, 0, (uint64_t[]){1, 2, 3}, 3);
	put_record(PERF_RECORD_UNTHROTTLE, 0, (uint64_t[]){1, 2, 3}, 3);
	put_record(PERF_RECORD_LOST, 0, (uint64_t[]){9, 7}, 2);
	put_record(PERF_RECORD_THROTTLE, 0, (uint64_t[]){1, 2, 3}, 3);
	ring_take(&ring, PERF_SAMPLE_IP, &contents);
	ck_assert(!contents.sampled);
	ck_assert_uint_eq(contents.lost, 1007);
	ck_assert_uint_eq(contents.throttled, 2);
	ck_assert(!ring_has_records(&ring));
}
END_TEST

// A sample that is read later: its time, CPU, registers and a copy of the stack, of which the kernel says how much is filled.
START_TEST(later)
{
	const struct overflow_counter wanted = {.delivery = DELIVERY_LATER};
	uint64_t words[4 + SAVED_COUNT + 2 + 64 / 8] = {0x401000, 123456789, 3, PERF_SAMPLE_REGS_ABI_64};
	for (unsigned i = 0; i < SAVED_COUNT; i++)
		words[4 + i] = 1000 + i;
	words[4 + SAVED_COUNT] = 64;
	memset(&words[5 + SAVED_COUNT], 'x', 64);
	words[sizeof words / sizeof *words - 1] = 40;
	for (uint64_t at = DATA - sizeof words - 8; at <= DATA; at += 8) {
		empty_ring(at);
		memset(&contents, 0, sizeof contents);
		put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words, sizeof words / sizeof *words);
		ck_assert(ring_take_one(&ring, ring_sample_type(&wanted), &contents));
		ck_assert_uint_eq(contents.at, at);
		ck_assert_uint_eq(contents.time, 123456789);
		ck_assert_uint_eq(contents.cpu, 3);
		ck_assert(contents.has_registers);
		for (unsigned i = 0; i < SAVED_COUNT; i++)
			ck_assert_uint_eq(contents.registers[perf_register_position(i)], 1000 + i);
		ck_assert_uint_eq(contents.stack_size, 40);
		ck_assert_int_eq(contents.stack[39], 'x');
		ck_assert_int_eq(contents.stack[40], 0);
	}
}
END_TEST

// A tracepoint's own data follow their size at once, and what comes after begins with a whole word.
START_TEST(tracepoints)
{
	const uint64_t type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER;
	const char data[] = "flags, the thread that was woken...";
	for (uint32_t size = 4; size <= 36; size += 8) {
		uint64_t words[8] = {123456789, size};
		memcpy((char *)&words[1] + 4, data, size);
		words[2 + size / 8] = PERF_SAMPLE_REGS_ABI_NONE;
		for (uint64_t at = DATA - sizeof words - 8; at <= DATA; at += 8) {
			empty_ring(at);
			memset(&contents, 1, sizeof contents);
			put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, words, 3 + size / 8);
			ck_assert(ring_take_one(&ring, type, &contents));
			ck_assert_uint_eq(contents.time, 123456789);
			ck_assert_uint_eq(contents.raw_size, size);
			ck_assert_mem_eq(contents.raw, data, size);
			ck_assert(!contents.has_registers);
		}
	}
	// Data that claim to be longer than their record, and longer than anybody asks for.
	empty_ring(0);
	put_record(PERF_RECORD_SAMPLE, 0, (uint64_t[]){1, 4000, 2, 3}, 4);
	ck_assert(ring_take_one(&ring, type, &contents));
	ck_assert_uint_eq(contents.raw_size, 0);
	uint64_t longer[2 + 16] = {1, 124};
	put_record(PERF_RECORD_SAMPLE, 0, longer, 18);
	ck_assert(ring_take_one(&ring, type, &contents));
	ck_assert_uint_eq(contents.raw_size, RAW_MOST);
}
END_TEST

// Nothing that the ring's memory says leads out of it: it is the target's memory, too.
START_TEST(torn)
{
	const struct perf_event_header huge = {PERF_RECORD_SAMPLE, 0, 4096}, none = {PERF_RECORD_SAMPLE, 0, 0};
	empty_ring(0);
	put(&huge, sizeof huge);
	ck_assert(!ring_take_one(&ring, PERF_SAMPLE_IP, &contents));
	ck_assert(!ring_has_records(&ring));
	put(&none, sizeof none);
	ck_assert(!ring_take_one(&ring, PERF_SAMPLE_IP, &contents));
	ck_assert(!ring_has_records(&ring));
	// A stack that is larger than its record, and one of which more is filled than there is.
	const uint64_t type = PERF_SAMPLE_IP | PERF_SAMPLE_STACK_USER;
	put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint64_t[]){0x401000, 4096, 1, 2}, 4);
	ring_take(&ring, type, &contents);
	ck_assert_uint_eq(contents.stack_size, 0);
	put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint64_t[]){0x401000, 16, 1, 2, 1 << 20}, 5);
	ring_take(&ring, type, &contents);
	ck_assert_uint_eq(contents.stack_size, 16);
	// A chain that claims more frames than there are.
	put_record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint64_t[]){0x401000, UINT64_MAX, 1, 2}, 4);
	ring_take(&ring, PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN, &contents);
	ck_assert_uint_eq(contents.kernel_depth, 2);
}
END_TEST

// A named rate is a ceiling: overflows that are closer than it says double their interval, plus 37.
START_TEST(intervals)
{
	struct overflow_counter wanted = {.ceiling = 10000000};
	struct thread_counter counter = {.wanted = &wanted, .interval = 1000};
	ck_assert_uint_eq(overflow_adapted_interval(&counter, 50000000), 1000); // the first: nothing to compare with
	ck_assert_uint_eq(overflow_adapted_interval(&counter, 59999999), 2037);
	ck_assert_uint_eq(counter.adapted, 1);
	ck_assert_uint_eq(overflow_adapted_interval(&counter, 69999999), 1000); // 10 ms after it
	counter.interval = INTERVAL_MOST;
	ck_assert_uint_eq(overflow_adapted_interval(&counter, 70000000), INTERVAL_MOST);
	ck_assert_uint_eq(counter.adapted, 1);
	wanted.ceiling = 0; // an interval that was given is kept
	counter.interval = 1000;
	ck_assert_uint_eq(overflow_adapted_interval(&counter, 70000001), 1000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("counter_ring");
	TCase *cases = tcase_create("counter_ring");
	tcase_add_test(cases, plain_samples);
	tcase_add_test(cases, all_words);
	tcase_add_test(cases, losses);
	tcase_add_test(cases, later);
	tcase_add_test(cases, tracepoints);
	tcase_add_test(cases, torn);
	tcase_add_test(cases, intervals);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
