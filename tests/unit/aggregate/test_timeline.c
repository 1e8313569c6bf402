/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of a written run: what each thread did, in the order of time; calls do not overlap; what a filter keeps. */
#include "mpi_run.h"
#include "timeline.h"

enum { WORLD = 1 };
enum { ISEND, RANK, WAIT, ALLREDUCE, BCAST, IRECV, IBARRIER, PUT, READ, SEND };
static const struct mpi_named functions[] = {{"MPI_Isend", "point-to-point"}, {"MPI_Comm_rank", "communicator"},
	{"MPI_Wait", "completion"}, {"MPI_Allreduce", "collective"}, {"MPI_Bcast", "collective"},
	{"MPI_Irecv", "point-to-point"}, {"MPI_Ibarrier", "collective"}, {"MPI_Put", "one-sided"},
	{"MPI_File_read", "file"}, {"MPI_Send", "point-to-point"}};

static struct synthetic *s;

static void call(
	unsigned function, uint64_t begin, uint64_t end, uint64_t role, uint64_t peer, uint64_t bytes, uint64_t order)
{
	function_event(s, function, begin, end - begin, role, WORLD, peer, 5, bytes, order);
}

static void write_run(const char *run)
{
	synthetic_end(synthetic_begin(run));
	s = rank_begin(run, 0);
	synthetic_mpi(s, functions, sizeof functions / sizeof *functions);
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x100}, 1, 0);
	call(ISEND, 1000, 1010, ROLE(send), 1, 64, 0);
	call(RANK, 1020, 1025, ROLE(none), 0, 0, 0);
	synthetic_clock(s, 1, 1022, stack, 10, 0);
	call(WAIT, 1030, 1100, ROLE(sent), 1, 0, 0);
	call(ALLREDUCE, 1100, 1200, ROLE(collective), 0, 0, 0);
	call(BCAST, 1195, 1300, ROLE(collective), 2, 0, 1);
	call(ISEND, 1400, 1410, ROLE(send), 1, 32, 1); /* nothing completes it */
	synthetic_clock(s, 2, 500, stack, 10, 0);
	uint64_t rest[FIELDS_MAX] = {
		[FIELD_INDEX(CLOCK, user)] = 1, [FIELD_INDEX(CLOCK, mode)] = STATE_VALUE(CLOCK, mode, remainder)};
	synthetic_event(s, KIND_CLOCK, 2, 600, stack, rest);
	uint64_t overflow[FIELDS_MAX] = {[FIELD_INDEX(OVERFLOW, counter)] = 3};
	synthetic_event(s, KIND_OVERFLOW, 2, 550, stack, overflow);
	synthetic_end(s);

	s = rank_begin(run, 1);
	synthetic_mpi(s, functions, sizeof functions / sizeof *functions);
	call(IRECV, 900, 905, ROLE(post), 0, 0, 0);
	call(WAIT, 910, 1105, ROLE(receive), 0, 64, 0);
	call(IBARRIER, 1300, 1302, ROLE(collective), 0, 0, 0);
	call(IRECV, 1305, 1307, ROLE(post), 0, 0, 1);
	call(WAIT, 1310, 1330, ROLE(completed), 0, 0, 0);
	call(WAIT, 1340, 1340, ROLE(cancelled), 0, 0, 1); /* of the call before it */
	synthetic_end(s);

	s = rank_begin(run, 2);
	synthetic_mpi(s, functions, sizeof functions / sizeof *functions);
	call(SEND, 100, 110, ROLE(send), 0, 8, 0);
	call(SEND, 120, 120, ROLE(sent), 0, 0, 0); /* a send that was over before, by a damaged file */
	call(PUT, 200, 210, ROLE(remote), 1, 16, (uint64_t)7 << 32);
	call(READ, 300, 310, ROLE(file), 0, 32, (uint64_t)5 << 32 | 1);
	call(WAIT, 400, 410, ROLE(receive), 1, 4, 9); /* posted by nobody */
	synthetic_end(s);
}

struct expected {
	uint32_t experiment, thread;
	uint64_t time;
	enum timeline_type type;
};

/* Enter, what is done at the begin, what at the end, leave. */
#define CALL_1(e, begin, end, at, type)                                                                                \
	{e, 1, begin, TIMELINE_ENTER}, {e, 1, at, type},                                                               \
	{                                                                                                              \
		e, 1, end, TIMELINE_LEAVE                                                                              \
	}
#define CALL_2(e, begin, end, one, other)                                                                              \
	{e, 1, begin, TIMELINE_ENTER}, {e, 1, begin, one}, {e, 1, end, other},                                         \
	{                                                                                                              \
		e, 1, end, TIMELINE_LEAVE                                                                              \
	}

static const struct expected all[] = {
	CALL_1(1, 1000, 1010, 1000, TIMELINE_SEND_BEGIN),
	{1, 1, 1020, TIMELINE_ENTER},
	{1, 1, 1022, TIMELINE_SAMPLE},
	{1, 1, 1025, TIMELINE_LEAVE},
	CALL_1(1, 1030, 1100, 1100, TIMELINE_SEND_END),
	CALL_2(1, 1100, 1195, TIMELINE_COLLECTIVE_BEGIN, TIMELINE_COLLECTIVE_END), /* until the next begins */
	CALL_2(1, 1195, 1300, TIMELINE_COLLECTIVE_BEGIN, TIMELINE_COLLECTIVE_END),
	CALL_1(1, 1400, 1410, 1400, TIMELINE_SEND_BEGIN),
	{1, 2, 500, TIMELINE_SAMPLE},
	{1, 2, 550, TIMELINE_SAMPLE},
	CALL_1(2, 900, 905, 900, TIMELINE_RECEIVE_BEGIN),
	CALL_1(2, 910, 1105, 1105, TIMELINE_RECEIVE_END),
	CALL_1(2, 1300, 1302, 1300, TIMELINE_PART_BEGIN),
	CALL_1(2, 1305, 1307, 1305, TIMELINE_RECEIVE_BEGIN),
	{2, 1, 1310, TIMELINE_ENTER},
	{2, 1, 1330, TIMELINE_PART_END},
	{2, 1, 1330, TIMELINE_RECEIVE_CANCELLED},
	{2, 1, 1330, TIMELINE_LEAVE},
	CALL_1(3, 100, 110, 100, TIMELINE_SEND),
	CALL_1(3, 200, 210, 200, TIMELINE_REMOTE),
	CALL_2(3, 300, 310, TIMELINE_FILE_BEGIN, TIMELINE_FILE_END),
	CALL_1(3, 400, 410, 410, TIMELINE_RECEIVE),
};
static const struct expected sent[] = {
	CALL_1(1, 1000, 1010, 1000, TIMELINE_SEND_BEGIN),
	CALL_1(1, 1030, 1100, 1100, TIMELINE_SEND_END),
	CALL_1(1, 1400, 1410, 1400, TIMELINE_SEND_BEGIN),
	CALL_1(3, 100, 110, 100, TIMELINE_SEND),
};
static const struct expected received[] = {
	CALL_1(2, 900, 905, 900, TIMELINE_RECEIVE_BEGIN),
	CALL_1(2, 910, 1105, 1105, TIMELINE_RECEIVE_END),
	CALL_1(3, 400, 410, 410, TIMELINE_RECEIVE),
};

enum { MOST = 128 };
struct collected {
	struct timeline_record records[MOST];
	uint32_t count;
};

static void collect(void *context, const struct timeline_record *record)
{
	struct collected *collected = context;
	ck_assert_uint_lt(collected->count, MOST);
	collected->records[collected->count++] = *record;
}

/* All records, by location, and as they came. */
static struct collected records_of(const struct timeline *timeline)
{
	struct collected all_of_them = {.count = 0}, sorted = {.count = 0};
	for (uint32_t e = 0; e < data->experiment_count; e++)
		timeline_visit(timeline, e, collect, &all_of_them);
	for (uint32_t l = 0; l < timeline->location_count; l++)
		for (uint32_t i = 0; i < all_of_them.count; i++)
			if (all_of_them.records[i].location == l)
				collect(&sorted, &all_of_them.records[i]);
	ck_assert_uint_eq(sorted.count, all_of_them.count);
	return sorted;
}

static void check(const struct timeline *timeline, const struct expected *expected, uint32_t count)
{
	struct collected collected = records_of(timeline);
	ck_assert(timeline->some);
	for (uint32_t i = 0; i < count && i < collected.count; i++) {
		const struct timeline_record *record = &collected.records[i];
		const struct timeline_location *location = &timeline->locations[record->location];
		ck_assert_msg(location->experiment == expected[i].experiment &&
				      location->thread == expected[i].thread && record->time == expected[i].time &&
				      record->type == expected[i].type,
			"record %u: %u.%u %lu %d", i, location->experiment, location->thread,
			(unsigned long)record->time, record->type);
	}
	ck_assert_uint_eq(collected.count, count);
}

/* The first record of an experiment that has this type. */
static const struct timeline_record *record_of(const struct timeline *timeline, const struct collected *collected,
	uint32_t experiment, enum timeline_type type)
{
	for (uint32_t i = 0; i < collected->count; i++)
		if (timeline->locations[collected->records[i].location].experiment == experiment &&
			collected->records[i].type == type)
			return &collected->records[i];
	ck_abort_msg("no record of type %d", type);
	return 0;
}

START_TEST(threads_have_their_events_in_order)
{
	load(write_run, 1);
	struct timeline *timeline = timeline_read(data, 0);
	check(timeline, all, sizeof all / sizeof *all);
	ck_assert_uint_eq(timeline->location_count, 4);
	timeline_free(timeline);
	unload();
}
END_TEST

START_TEST(records_say_what_was_done)
{
	load(write_run, 1);
	struct timeline *timeline = timeline_read(data, 0);
	struct collected collected = records_of(timeline);
	uint32_t counters[2] = {9, 9}, samples = 0;
	for (uint32_t i = 0; i < collected.count; i++)
		if (collected.records[i].type == TIMELINE_SAMPLE && collected.records[i].location == 1)
			counters[samples++] = collected.records[i].counter;
	ck_assert_uint_eq(counters[0], 0);
	ck_assert_uint_eq(counters[1], 3 + 1);
#define RECORD(experiment, type) record_of(timeline, &collected, experiment, TIMELINE_##type)
	ck_assert_uint_eq(RECORD(1, SEND_BEGIN)->peer, 1);
	ck_assert_uint_eq(RECORD(1, SEND_BEGIN)->sent, 64);
	ck_assert_uint_eq(RECORD(1, SEND_BEGIN)->tag, 5);
	ck_assert_uint_eq(RECORD(1, SEND_BEGIN)->request, RECORD(1, SEND_END)->request);
	ck_assert_uint_eq(RECORD(2, RECEIVE_END)->received, 64);
	ck_assert_uint_eq(RECORD(2, RECEIVE_END)->request, RECORD(2, RECEIVE_BEGIN)->request);
	ck_assert_uint_eq(RECORD(2, PART_BEGIN)->request, RECORD(2, PART_END)->request);
	ck_assert_uint_eq(RECORD(2, PART_END)->function, IBARRIER);
	ck_assert_uint_ne(RECORD(2, PART_END)->request, RECORD(2, RECEIVE_END)->request);
	ck_assert_uint_ne(RECORD(2, RECEIVE_CANCELLED)->request, RECORD(2, RECEIVE_BEGIN)->request);
	ck_assert_uint_eq(RECORD(3, REMOTE)->opened, 7);
	ck_assert_uint_eq(RECORD(3, REMOTE)->peer, 1);
	ck_assert_uint_eq(RECORD(3, FILE_BEGIN)->opened, 5);
	ck_assert_uint_eq(RECORD(3, FILE_END)->request, RECORD(3, FILE_BEGIN)->request);
	ck_assert_uint_eq(RECORD(3, RECEIVE)->received, 4);
	timeline_free(timeline);
	unload();
}
END_TEST

static void check_sent(const struct event_filter *filter)
{
	struct timeline *timeline = timeline_read(data, filter);
	check(timeline, sent, sizeof sent / sizeof *sent);
	timeline_free(timeline);
}

static void check_received(const struct event_filter *filter)
{
	struct timeline *timeline = timeline_read(data, filter);
	check(timeline, received, sizeof received / sizeof *received);
	timeline_free(timeline);
}

static void check_nothing(const struct event_filter *filter)
{
	struct timeline *timeline = timeline_read(data, filter);
	ck_assert(!timeline->some);
	ck_assert_uint_eq(records_of(timeline).count, 0);
	timeline_free(timeline);
}

START_TEST(what_a_filter_keeps_is_whole)
{
	load(write_run, 1);
	with_filter("sent>0", check_sent);
	with_filter("received>0", check_received);
	with_filter("sent>1000", check_nothing);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timeline");
	TCase *test = tcase_create("written");
	tcase_add_test(test, threads_have_their_events_in_order);
	tcase_add_test(test, records_say_what_was_done);
	tcase_add_test(test, what_a_filter_keeps_is_whole);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
