/* SPDX-License-Identifier: Apache-2.0 */
/* Messages put together while events are read: equal to the k-th send and the k-th receive of each channel, whatever the order in
   which processes alternate; and little is kept where little is on its way. */
#include "chance.h"
#include "mpi_channels.h"
#include "mpi_world.h"
#include "search.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 3, STEPS = 60, MOST = 4 * PROCESSES * STEPS };
#define NOBODY ((int64_t)-1)

enum what { SEND, POST, FIND, RECEIVE, CANCEL };
struct happening {
	enum what what;
	struct mpi_route route;
	uint32_t order;
};
struct told {
	int64_t source, send, destination, receive; /* orders; NOBODY: that side is missing */
};
struct list {
	struct told array[MOST];
	unsigned count;
};
static struct happening happenings[PROCESSES][4 * STEPS];
static unsigned happening_count[PROCESSES];
static uint64_t chance;

static uint32_t below(uint32_t limit)
{
	return (uint32_t)(number(&chance) * limit);
}

static void happen(unsigned process, enum what what, struct mpi_route route, uint32_t order)
{
	happenings[process][happening_count[process]++] = (struct happening){what, route, order};
}

static struct mpi_route any_route(unsigned process, bool sends)
{
	uint32_t other = below(PROCESSES);
	return (struct mpi_route){.pair = below(8) ? below(2) : NO_COMMUNICATOR,
		.source = sends ? process : other,
		.destination = sends ? other : process,
		.tag = below(2)};
}

static void complete(unsigned process, struct happening *post)
{
	struct mpi_route route = post->route;
	if (!below(8)) {
		happen(process, CANCEL, route, post->order);
		return;
	}
	route.source = route.any_source ? below(PROCESSES) : route.source;
	route.tag = route.any_tag ? below(2) : route.tag;
	route.any_source = route.any_tag = false;
	happen(process, RECEIVE, route, post->order);
}

/* One process, whose orders count on as a process's do that has one thread. */
static void live(unsigned process)
{
	struct happening posted[STEPS];
	unsigned posted_count = 0;
	uint32_t sent = 0, received = 0;
	happening_count[process] = 0;
	for (unsigned step = 0; step < STEPS; step++) {
		struct mpi_route route = any_route(process, false);
		switch (below(7)) {
		case 0:
		case 1:
			happen(process, SEND, any_route(process, true), sent++);
			break;
		case 2: /* MPI_Irecv */
			route.any_source = !below(4);
			route.any_tag = !below(4);
			posted[posted_count++] = (struct happening){POST, route, received};
			happen(process, POST, route, received++);
			break;
		case 3: /* MPI_Recv */
			happen(process, RECEIVE, route, received++);
			break;
		case 4: /* MPI_Probe, after which another receive may come first */
			happen(process, FIND, route, received);
			break;
		case 5: /* MPI_Mprobe, and MPI_Imrecv for some */
			happen(process, FIND, route, received);
			posted[posted_count++] = (struct happening){FIND, route, received};
			if (below(2)) {
				route.any_source = route.any_tag = true;
				happen(process, POST, route, received);
			}
			received++;
			break;
		default:
			if (posted_count) {
				unsigned i = below(posted_count);
				complete(process, &posted[i]);
				posted[i] = posted[--posted_count];
			}
		}
	}
}

/* Threads that do things at the same time: neighbours change places. */
static void blur(unsigned process)
{
	for (unsigned i = 1; i < happening_count[process]; i++) {
		struct happening *a = &happenings[process][i - 1], *b = a + 1, old = *a;
		if (a->order == b->order || below(4))
			continue;
		*a = *b;
		*b = old;
	}
}

static void tell(void *context, const struct mpi_message *message)
{
	struct list *list = context;
	const struct mpi_half *send = message->send, *receive = message->receive;
	ck_assert(send || receive);
	list->array[list->count++] = (struct told){send ? message->route->source : NOBODY, send ? send->order : NOBODY,
		receive ? message->route->destination : NOBODY, receive ? receive->order : NOBODY};
}

static int by_told(const void *left, const void *right)
{
	const struct told *a = left, *b = right;
	int order = COMPARE(a->source, b->source) ?: COMPARE(a->send, b->send);
	return order ?: COMPARE(a->destination, b->destination) ?: COMPARE(a->receive, b->receive);
}

static bool same_channel(const struct mpi_route *a, const struct mpi_route *b)
{
	return a->pair == b->pair && a->source == b->source && a->destination == b->destination && a->tag == b->tag;
}

/* The number among those of its channel, by order. */
static unsigned rank_in_channel(unsigned process, const struct happening *one)
{
	unsigned rank = 0;
	for (unsigned i = 0; i < happening_count[process]; i++) {
		const struct happening *other = &happenings[process][i];
		rank += other->what == one->what && same_channel(&other->route, &one->route) &&
			other->order < one->order;
	}
	return rank;
}

static const struct happening *partner_of(unsigned process, const struct happening *one)
{
	unsigned there = one->what == SEND ? one->route.destination : one->route.source;
	unsigned rank = rank_in_channel(process, one);
	if (one->route.pair == NO_COMMUNICATOR)
		return 0;
	for (unsigned i = 0; i < happening_count[there]; i++) {
		const struct happening *other = &happenings[there][i];
		if (other->what == (one->what == SEND ? RECEIVE : SEND) && same_channel(&other->route, &one->route) &&
			rank_in_channel(there, other) == rank)
			return other;
	}
	return 0;
}

static void expect(struct list *list)
{
	list->count = 0;
	for (unsigned p = 0; p < PROCESSES; p++)
		for (unsigned i = 0; i < happening_count[p]; i++) {
			const struct happening *one = &happenings[p][i], *other;
			if (one->what == SEND) {
				other = partner_of(p, one);
				list->array[list->count++] =
					(struct told){p, one->order, other ? (int64_t)one->route.destination : NOBODY,
						other ? other->order : NOBODY};
			} else if (one->what == RECEIVE && !partner_of(p, one)) {
				list->array[list->count++] = (struct told){NOBODY, NOBODY, p, one->order};
			}
		}
	qsort(list->array, list->count, sizeof *list->array, by_told);
}

static void hand_on(struct mpi_channels *channels, unsigned process, const struct happening *one)
{
	const struct mpi_half half = {.order = one->order};
	switch (one->what) {
	case SEND:
		mpi_channels_send(channels, &one->route, &half);
		break;
	case POST:
		mpi_channels_post(channels, &one->route, &half);
		break;
	case FIND:
		mpi_channels_find(channels, &one->route, &half);
		break;
	case RECEIVE:
		mpi_channels_receive(channels, &one->route, &half);
		break;
	case CANCEL:
		mpi_channels_cancel(channels, process, one->order);
		break;
	}
}

/* False: something came too late. */
static bool read_all(bool hold, struct list *list)
{
	unsigned next[PROCESSES] = {0}, left = 0;
	list->count = 0;
	struct mpi_channels *channels = mpi_channels_begin(hold, tell, list);
	for (unsigned p = 0; p < PROCESSES; p++)
		left += happening_count[p];
	while (left) {
		unsigned p = below(PROCESSES);
		if (next[p] == happening_count[p])
			continue;
		hand_on(channels, p, &happenings[p][next[p]++]);
		left--;
	}
	bool late = mpi_channels_is_late(channels);
	mpi_channels_end(channels);
	qsort(list->array, list->count, sizeof *list->array, by_told);
	return !late;
}

static void check(const struct list *expected, const struct list *found)
{
	ck_assert_uint_eq(found->count, expected->count);
	for (unsigned i = 0; i < found->count; i++)
		ck_assert_int_eq(by_told(&expected->array[i], &found->array[i]), 0);
}

START_TEST(each_send_finds_its_receive)
{
	static struct list expected, found;
	chance = (uint64_t)_i;
	for (unsigned p = 0; p < PROCESSES; p++)
		live(p);
	expect(&expected);
	ck_assert(read_all(false, &found));
	check(&expected, &found);
	ck_assert(read_all(true, &found));
	check(&expected, &found);
}
END_TEST

START_TEST(threads_that_alternate_are_told_right_or_late)
{
	static struct list expected, found;
	unsigned right = 0, late = 0;
	for (chance = 0; right + late < 200; chance = right + late) {
		for (unsigned p = 0; p < PROCESSES; p++) {
			live(p);
			blur(p);
		}
		expect(&expected);
		bool in_time = read_all(false, &found);
		*(in_time ? &right : &late) += 1;
		if (in_time)
			check(&expected, &found);
		ck_assert(read_all(true, &found));
		check(&expected, &found);
	}
	ck_assert_msg(late > 10 && right > 10, "%u in time, %u late", right, late);
}
END_TEST

static void count(void *context, const struct mpi_message *message)
{
	*(unsigned *)context += message->send && message->receive;
}

/* A receive that stays open to the end keeps back what it may come before, and nothing else. */
START_TEST(little_is_kept)
{
	enum { MESSAGES = 10000 };
	const struct mpi_route route = {.pair = 0, .source = 0, .destination = 1, .tag = 0};
	struct mpi_route stop = route;
	unsigned messages = 0;
	stop.any_source = true;
	stop.tag = _i ? 0 : 1;
	struct mpi_channels *channels = mpi_channels_begin(false, count, &messages);
	mpi_channels_post(channels, &stop, &(struct mpi_half){.order = 0});
	for (uint32_t i = 0; i < MESSAGES; i++) {
		mpi_channels_send(channels, &route, &(struct mpi_half){.order = i});
		mpi_channels_post(channels, &route, &(struct mpi_half){.order = i + 1});
		mpi_channels_receive(channels, &route, &(struct mpi_half){.order = i + 1});
	}
	ck_assert_uint_eq(messages, _i ? 0 : MESSAGES);
	ck_assert_uint_eq(mpi_channels_most(channels), _i ? 2 * MESSAGES : 2);
	mpi_channels_cancel(channels, 1, 0);
	ck_assert_uint_eq(messages, MESSAGES);
	ck_assert(!mpi_channels_is_late(channels));
	mpi_channels_end(channels);
	ck_assert_uint_eq(messages, MESSAGES);
}
END_TEST

/* More tags than there may be channels, each used once: they are let go, and one that comes again with an old order is late. */
START_TEST(tags_are_forgotten)
{
	enum { TAGS = 300000 };
	struct mpi_route route = {.pair = 0, .source = 0, .destination = 1, .tag = 0};
	unsigned messages = 0;
	struct mpi_channels *channels = mpi_channels_begin(false, count, &messages);
	for (route.tag = 0; route.tag < TAGS; route.tag++) {
		mpi_channels_send(channels, &route, &(struct mpi_half){.order = route.tag});
		mpi_channels_receive(channels, &route, &(struct mpi_half){.order = route.tag});
	}
	ck_assert_uint_eq(messages, TAGS);
	ck_assert_uint_eq(mpi_channels_most(channels), 2);
	route.tag = TAGS - 1;
	mpi_channels_send(channels, &route, &(struct mpi_half){.order = TAGS});
	mpi_channels_receive(channels, &route, &(struct mpi_half){.order = TAGS});
	ck_assert(!mpi_channels_is_late(channels));
	route.tag = 0;
	if (_i)
		mpi_channels_send(channels, &route, &(struct mpi_half){.order = 1});
	else
		mpi_channels_receive(channels, &route, &(struct mpi_half){.order = 1});
	ck_assert(mpi_channels_is_late(channels));
	mpi_channels_end(channels);
}
END_TEST

static void in_order(void *context, const struct mpi_message *message)
{
	ck_assert_uint_eq(message->send->order, *(unsigned *)context);
	ck_assert_uint_eq(message->receive->order, *(unsigned *)context);
	++*(unsigned *)context;
}

/* Two threads that send at the same time on one channel: to hold many such takes no time that grows with their square. */
START_TEST(many_that_alternate_are_held)
{
	enum { MESSAGES = 150000 };
	const struct mpi_route route = {.pair = 0, .source = 0, .destination = 1, .tag = 0};
	unsigned messages = 0;
	struct mpi_channels *channels = mpi_channels_begin(true, in_order, &messages);
	for (uint32_t i = 0; i < MESSAGES; i++) {
		mpi_channels_send(channels, &route, &(struct mpi_half){.order = i ^ 1});
		mpi_channels_receive(channels, &route, &(struct mpi_half){.order = i ^ 1});
	}
	mpi_channels_end(channels);
	ck_assert_uint_eq(messages, MESSAGES);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_channels");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, each_send_finds_its_receive, 0, 100);
	tcase_add_test(all, threads_that_alternate_are_told_right_or_late);
	tcase_add_loop_test(all, little_is_kept, 0, 2);
	tcase_add_loop_test(all, tags_are_forgotten, 0, 2);
	tcase_add_test(all, many_that_alternate_are_held);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
