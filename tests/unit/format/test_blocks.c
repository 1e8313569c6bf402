/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks between threads: handed over, shared out, never lost; and how much an event takes. */
#include "event_stream.h"
#include "scratch.h"
#include "seal.h"
#include <pthread.h>
#include <sys/resource.h>

static struct experiment_directory directory;
static struct event_file file;

/* Without an assertion that is right: each of those takes Check a microsecond. */
static void append_clock(struct event_stream *stream, uint64_t time, uint32_t stack, uint64_t user)
{
	uint64_t fields[4] = {user, 0, 0, 1};
	struct event_head head = {time, 1, stack};
	if (!event_append(stream, &head, fields))
		ck_abort_msg("an event was lost");
}

struct sums {
	uint64_t events, user, blocks;
};

static struct sums read_sums(const char *path)
{
	struct experiment *experiment = open_experiment(path);
	struct event_source *source = find_source(experiment, "clock");
	struct event_batch batch = {0};
	struct sums sums = {.blocks = source->block_count};
	for (unsigned block = 0; block < source->block_count; block++) {
		event_source_read(experiment, source, block, &batch);
		sums.events += batch.count;
		for (uint32_t i = 0; i < batch.count; i++)
			sums.user += batch.field[0][i];
	}
	ck_assert_msg(damage_total(experiment) == 0, "%s", experiment->damage.first);
	event_batch_free(&batch);
	experiment_close(experiment);
	return sums;
}

static void write_log(void)
{
	write_bytes("a.er/log.xml", "<experiment version=\"1.0\">\n", 27);
}

/* Each thread appends one event of at most 3 bytes for its number and 1+10+1+1+2+4 for itself. */
START_TEST(ten_thousand_short_threads_share_few_blocks)
{
	enum { THREADS = 10000, MOST_BYTES = 22 };
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	write_log();
	for (uint32_t thread = 1; thread <= THREADS; thread++) {
		struct event_stream stream;
		event_stream_init(&stream, &file, thread);
		append_clock(&stream, clock_nanoseconds(CLOCK_MONOTONIC), 5, thread);
		event_stream_release(&stream);
	}
	seal_given_back(&file);
	struct sums sums = read_sums("a.er");
	ck_assert_uint_eq(sums.events, THREADS);
	ck_assert_uint_eq(sums.user, (uint64_t)THREADS * (THREADS + 1) / 2);
	ck_assert_uint_le(sums.blocks, THREADS * MOST_BYTES / (4096 - 64 - event_size_max(&file)) + 1);
}
END_TEST

enum { WORKERS = 32, LIVES = 40, EVENTS_A_LIFE = 250 };

static void *worker(void *argument)
{
	uint32_t first = (uint32_t)(uintptr_t)argument * LIVES;
	for (uint32_t life = 1; life <= LIVES; life++) {
		struct event_stream stream;
		event_stream_init(&stream, &file, first + life);
		for (unsigned i = 0; i < EVENTS_A_LIFE; i++)
			append_clock(&stream, clock_nanoseconds(CLOCK_MONOTONIC), i, first + life);
		event_stream_release(&stream);
	}
	return 0;
}

START_TEST(many_threads_at_once_lose_nothing)
{
	pthread_t threads[WORKERS];
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	write_log();
	for (uintptr_t i = 0; i < WORKERS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], 0, worker, (void *)i), 0);
	for (unsigned i = 0; i < WORKERS; i++)
		pthread_join(threads[i], 0);
	struct sums sums = read_sums("a.er");
	uint64_t lives = WORKERS * LIVES;
	ck_assert_uint_eq(sums.events, lives * EVENTS_A_LIFE);
	ck_assert_uint_eq(sums.user, lives * (lives + 1) / 2 * EVENTS_A_LIFE);
}
END_TEST

/* A busy thread's blocks grow; an idle one's does not. */
START_TEST(blocks_grow_with_what_a_thread_writes)
{
	struct event_stream stream;
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	event_stream_init(&stream, &file, 1);
	struct stat status;
	append_clock(&stream, 1, 1, 1);
	stat("a.er/clock.events", &status);
	ck_assert_int_eq(status.st_size, 4096 + 4096);
	uint32_t sizes[5] = {0};
	for (unsigned i = 0; stream.block->sequence < 5; i++) {
		sizes[stream.block->sequence] = stream.block->size;
		append_clock(&stream, i, i, i);
	}
	static const uint32_t expected[] = {4096, 16384, 65536, 65536, 65536};
	ck_assert_mem_eq(sizes, expected, sizeof(expected));
}
END_TEST

static uint32_t append_until_block(struct event_stream *stream, uint32_t sequence)
{
	uint32_t appended = 0;
	for (; !stream->block || stream->block->sequence < sequence; appended++)
		append_clock(stream, 100 + appended, 1, 1);
	return appended;
}

static uint64_t file_size(void)
{
	struct stat status;
	ck_assert_int_eq(stat("a.er/clock.events", &status), 0);
	return (uint64_t)status.st_size;
}

/* A busy thread's large blocks come by four: what it leaves of them, others go on with; nothing is damaged when it is killed
   before it has used them all. */
START_TEST(large_blocks_come_by_four)
{
	enum { FIRST_THREE = 4096 + 16384 + 65536, FIRST_OF_FOUR = 3, OTHERS = 4 };
	struct event_stream stream, other;
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	write_log();
	event_stream_init(&stream, &file, 1);
	uint32_t events = append_until_block(&stream, FIRST_OF_FOUR - 1);
	ck_assert_uint_eq(file_size(), 4096 + FIRST_THREE);
	events += append_until_block(&stream, FIRST_OF_FOUR + 1);
	ck_assert_uint_eq(file_size(), 4096 + FIRST_THREE + 4 * 65536);
	ck_assert_uint_eq(stream.following, 2);
	struct sums sums = read_sums("a.er");
	ck_assert_uint_eq(sums.events, events);
	ck_assert_uint_eq(sums.blocks, FIRST_OF_FOUR + 4);
	event_stream_release(&stream);
	for (uint32_t thread = 2; thread < 2 + OTHERS; thread++) {
		event_stream_init(&other, &file, thread);
		events += append_until_block(&other, FIRST_OF_FOUR + 1);
		ck_assert_uint_ge(other.block->sequence, FIRST_OF_FOUR + 1);
		if (thread < 1 + OTHERS)
			event_stream_release(&other);
	}
	ck_assert_uint_eq(file_size(), 4096 + FIRST_THREE + 4 * 65536);
	event_stream_release(&other);
	seal_given_back(&file);
	sums = read_sums("a.er");
	ck_assert_uint_eq(sums.events, events);
	ck_assert_uint_eq(sums.blocks, FIRST_OF_FOUR + 4);
}
END_TEST

/* Where there is no room for four, one is used; then the file is full. */
START_TEST(the_last_room_is_used)
{
	enum { FIRST_THREE = 4096 + 16384 + 65536, ROOM = 4096 + FIRST_THREE + 65536 + 4096 };
	struct event_stream stream;
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	write_log();
	struct rlimit before, tight;
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	tight = (struct rlimit){ROOM, before.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &tight), 0);
	event_stream_init(&stream, &file, 1);
	uint32_t events = 0;
	struct event_head head = {.time = 100, .stack = 1};
	while (event_append(&stream, &head, (uint64_t[]){1, 0, 0, 1}))
		events++;
	ck_assert_uint_eq(file_size(), ROOM - 4096);
	ck_assert(!event_append(&stream, &head, (uint64_t[]){1, 0, 0, 1}));
	event_stream_release(&stream);
	seal_given_back(&file);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	struct sums sums = read_sums("a.er");
	ck_assert_uint_eq(sums.blocks, 4);
	ck_assert_uint_eq(sums.events, events);
}
END_TEST

/* 2.3 GHz ticks with the jitter of real ones, user time near the interval and now and then some system time, one of 5000
   stacks whose nodes are spread over ten times as many. */
START_TEST(an_average_clock_event_takes_at_most_sixteen_bytes)
{
	static const uint64_t intervals[] = {997000, 10007000};
	for (unsigned k = 0; k < 2; k++) {
		enum { EVENTS = 200000, STACKS = 5000, SPREAD = 10 };
		uint64_t state = 1, now = 1u << 30, used = 0;
		char name[] = "a.er";
		name[0] = (char)('a' + k);
		struct event_stream stream;
		create_events(&file, &directory, name, KIND_CLOCK, clock_triple);
		event_stream_init(&stream, &file, 1);
		stream.last_time = now;
		for (unsigned i = 0; i < EVENTS; i++) {
			uint64_t noise = random_next(&state);
			uint64_t cpu_time = intervals[k] + noise % 50000;
			uint64_t fields[4] = {cpu_time, 0, 0, 1};
			if (noise >> 60 == 0) {
				fields[0] = cpu_time / 3;
				fields[1] = cpu_time - fields[0];
				fields[3] = 2;
			}
			now += cpu_time * 23 / 10;
			struct event_head head = {
				now, noise >> 32 & 63 ? 1 : 0, 1 + (uint32_t)(noise >> 8) % STACKS * SPREAD};
			uint32_t sequence = stream.block ? stream.block->sequence : UINT32_MAX;
			uint32_t before = stream.block ? stream.block->used : 0;
			ck_assert(event_append(&stream, &head, fields));
			used += stream.block->used - (stream.block->sequence == sequence ? before : 0);
		}
		printf("interval %lu ns: %.2f bytes an event\n", (unsigned long)intervals[k], (double)used / EVENTS);
		ck_assert_uint_le(used, 16 * EVENTS);
	}
}
END_TEST

/* A thread that holds a lock of the target must not wait for the kernel. */
START_TEST(after_it_was_prepared_an_event_needs_no_block)
{
	struct event_stream stream;
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	write_log();
	event_stream_init(&stream, &file, 1);
	event_stream_prepare(&stream);
	struct block_header *prepared = stream.block;
	ck_assert_ptr_nonnull(prepared);
	file.full = 1;
	append_clock(&stream, clock_nanoseconds(CLOCK_MONOTONIC), 5, 7);
	event_stream_prepare(&stream);
	ck_assert_ptr_eq(stream.block, prepared);
	event_stream_release(&stream);
	seal_given_back(&file);
	ck_assert_uint_eq(read_sums("a.er").user, 7);
}
END_TEST

static int block_is_held[POOL_MAX]; /* atomic: by how many threads */
static struct block_header pool_blocks[POOL_MAX];
static struct block_pool pool;

static void *take_and_give(void *nothing)
{
	for (unsigned i = 0; i < 100000; i++) {
		struct block_header *block = block_pool_take(&pool);
		if (!block)
			continue;
		if (__atomic_add_fetch(&block_is_held[block - pool_blocks], 1, __ATOMIC_RELAXED) != 1)
			ck_abort_msg("two threads hold block %td", block - pool_blocks);
		__atomic_sub_fetch(&block_is_held[block - pool_blocks], 1, __ATOMIC_RELAXED);
		if (!block_pool_give(&pool, block))
			ck_abort_msg("no room for block %td", block - pool_blocks);
	}
	return nothing;
}

START_TEST(the_pool_keeps_each_block_for_one)
{
	enum { FEW = 3, THREADS = 4 };
	pthread_t threads[THREADS];
	for (unsigned i = 0; i < POOL_MAX; i++)
		ck_assert(block_pool_give(&pool, &pool_blocks[i]));
	ck_assert(!block_pool_give(&pool, &pool_blocks[0]));
	for (unsigned i = 0; i < POOL_MAX; i++)
		ck_assert_int_eq(++block_is_held[block_pool_take(&pool) - pool_blocks], 1);
	ck_assert_ptr_null(block_pool_take(&pool));
	memset(block_is_held, 0, sizeof block_is_held);
	for (unsigned i = 0; i < FEW; i++)
		ck_assert(block_pool_give(&pool, &pool_blocks[i]));
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], 0, take_and_give, 0), 0);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], 0), 0);
	for (unsigned i = 0; i < FEW; i++)
		ck_assert_int_eq(++block_is_held[block_pool_take(&pool) - pool_blocks], 1);
	ck_assert_ptr_null(block_pool_take(&pool));
	ck_assert(block_pool_give(&pool, &pool_blocks[0]));
	block_pool_clear(&pool);
	ck_assert_ptr_null(block_pool_take(&pool));
}
END_TEST

/* No verdict: machines differ. Run with CK_VERBOSITY=verbose to see it. */
START_TEST(the_time_it_takes_to_write_and_read_is_measured)
{
	enum { EVENTS = 2000000 };
	struct event_stream stream;
	uint64_t state = 1, now = clock_nanoseconds(CLOCK_MONOTONIC);
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	write_log();
	event_stream_init(&stream, &file, 1);
	uint64_t start = clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
	for (unsigned i = 0; i < EVENTS; i++) {
		uint64_t noise = random_next(&state);
		append_clock(&stream, now += 23000000 + noise % 1000000, 1 + (uint32_t)(noise >> 8) % 50000, 10007000);
	}
	uint64_t written = clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	event_stream_release(&stream);
	seal_given_back(&file);
	start = clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
	ck_assert_uint_eq(read_sums("a.er").events, EVENTS);
	uint64_t read = clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	printf("append %.1f ns, read %.1f ns of CPU time an event\n", (double)written / EVENTS, (double)read / EVENTS);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {ten_thousand_short_threads_share_few_blocks, many_threads_at_once_lose_nothing,
		blocks_grow_with_what_a_thread_writes, large_blocks_come_by_four, the_last_room_is_used,
		after_it_was_prepared_an_event_needs_no_block, the_pool_keeps_each_block_for_one,
		an_average_clock_event_takes_at_most_sixteen_bytes, the_time_it_takes_to_write_and_read_is_measured};
	return RUN_TESTS("blocks", tests);
}
