/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of a written run: what each thread did, in the order of time; calls do not overlap; what a filter keeps. */
#include "mpi_run.h"
#include "timeline.h"

enum { WORLD = 1 };
enum { ISEND, RANK, WAIT, ALLREDUCE, BCAST, IRECV, IBARRIER };
static const struct mpi_named functions[] = {{"MPI_Isend", "point-to-point"}, {"MPI_Comm_rank", "communicator"},
	{"MPI_Wait", "completion"}, {"MPI_Allreduce", "collective"}, {"MPI_Bcast", "collective"},
	{"MPI_Irecv", "point-to-point"}, {"MPI_Ibarrier", "collective"}};

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
	call(WAIT, 1310, 1330, ROLE(completed), 0, 0, 0);
	synthetic_end(s);
	synthetic_end(rank_begin(run, 2));
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
	CALL_1(2, 1310, 1330, 1330, TIMELINE_PART_END),
};
static const struct expected sent[] = {
	CALL_1(1, 1000, 1010, 1000, TIMELINE_SEND_BEGIN),
	CALL_1(1, 1030, 1100, 1100, TIMELINE_SEND_END),
	CALL_1(1, 1400, 1410, 1400, TIMELINE_SEND_BEGIN),
};

static void check(const struct timeline *timeline, const struct expected *expected, uint32_t count)
{
	ck_assert_uint_eq(timeline->record_count, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct timeline_record *record = &timeline->records[i];
		const struct timeline_location *location = &timeline->locations[record->location];
		ck_assert_uint_eq(location->experiment, expected[i].experiment);
		ck_assert_uint_eq(location->thread, expected[i].thread);
		ck_assert_uint_eq(record->time, expected[i].time);
		ck_assert_uint_eq(record->type, expected[i].type);
		ck_assert_uint_ge(i, location->first);
		ck_assert_uint_lt(i, location->first + location->count);
	}
}

START_TEST(threads_have_their_events_in_order)
{
	load(write_run, 1);
	struct timeline *timeline = timeline_read(data, 0);
	check(timeline, all, sizeof all / sizeof *all);
	ck_assert_uint_eq(timeline->location_count, 3);
	ck_assert_uint_eq(timeline->records[timeline->locations[1].first].counter, 0);
	ck_assert_uint_eq(timeline->records[timeline->locations[1].first + 1].counter, 3 + 1);
	timeline_free(timeline);
	unload();
}
END_TEST

START_TEST(what_a_filter_keeps_is_whole)
{
	struct error error;
	load(write_run, 1);
	struct resolver *resolver = resolver_create(data);
	struct expression_setting setting = {.data = data, .resolver = resolver};
	struct expression *expression = expression_parse("sent>0", 0, 0, &error);
	ck_assert_msg(expression != 0, "%s", error.text);
	expression_prepare(expression, &setting);
	struct event_filter filter = {.expression = expression};
	struct timeline *timeline = timeline_read(data, &filter);
	check(timeline, sent, sizeof sent / sizeof *sent);
	timeline_free(timeline);
	expression_free(expression);
	resolver_destroy(resolver);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timeline");
	TCase *test = tcase_create("written");
	tcase_add_test(test, threads_have_their_events_in_order);
	tcase_add_test(test, what_a_filter_keeps_is_whole);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
