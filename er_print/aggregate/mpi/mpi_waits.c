/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the events: messages, operations, words and locks offer their calls waits, as soon as each is whole. */
#include "mpi_waits.h"
#include "mpi_event_routes.h"
#include "mpi_locks.h"
#include "mpi_open_sends.h"
#include "mpi_operations.h"
#include "mpi_window_words.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct pass {
	const struct data *data;
	const struct metric_keys *keys;
	struct mpi_world *world;
	struct mpi_function_roles roles;
	struct mpi_open_calls *calls;
	struct mpi_open_sends sends;
	struct mpi_channels *messages;
	struct mpi_operations *operations;
	struct mpi_words *words;
	struct mpi_locks locks;
	uint64_t *on_their_way; /* by experiment */
	bool some;
};

static struct mpi_late late_of(const struct mpi_half *half)
{
	return (struct mpi_late){half->begin, half->thread, half->stack};
}

/* A sender is late where one call sends and receives, and its partner is late with both: mpi_wait_states.def has it first. */
static void visit_message(void *context, const struct mpi_message *message)
{
	struct pass *pass = context;
	const struct mpi_half *send = message->send, *receive = message->receive;
	struct mpi_late sender = send ? late_of(send) : (struct mpi_late){0};
	struct mpi_late receiver = receive ? late_of(receive) : (struct mpi_late){0};
	if (receive && send) {
		mpi_open_offer(pass->calls, receive->call, &sender, MPI_WAIT_late_sender, receive->kept);
		mpi_open_received(pass->calls, receive->call, send->begin);
	}
	if (receive)
		mpi_open_release(pass->calls, receive->call);
	if (!send ||
		mpi_open_sends_received(&pass->sends, message->route->source, send->order, receive ? &receiver : 0))
		return;
	/* A send that ended before had its bytes in a buffer, and waited for nobody. */
	if (receive)
		mpi_open_offer_if_held_up(pass->calls, send->call, &receiver, MPI_WAIT_late_receiver, send->kept);
	mpi_open_release(pass->calls, send->call);
}

static void visit_probe(void *context, const struct mpi_half *probe, const struct mpi_message *message)
{
	struct pass *pass = context;
	if (message && message->send) {
		struct mpi_late sender = late_of(message->send);
		mpi_open_offer(pass->calls, probe->call, &sender, MPI_WAIT_late_sender, probe->kept);
	}
	mpi_open_release(pass->calls, probe->call);
}

static struct mpi_half half_of(const struct mpi_event *event, uint32_t call)
{
	struct mpi_late own = mpi_open_event_late(event);
	return (struct mpi_half){.begin = own.begin,
		.thread = own.thread,
		.stack = own.stack,
		.call = call,
		.order = (uint32_t)FIELD(event, order),
		.kept = event->kept};
}

static struct mpi_route route_of(const struct pass *pass, const struct mpi_event *event, bool sends)
{
	uint32_t communicator = mpi_world_find(pass->world, event->experiment, FIELD(event, communicator));
	return mpi_event_route(pass->world, event->batch, event->i, event->experiment, communicator, sends);
}

static void add_send(struct pass *pass, const struct mpi_event *event)
{
	uint32_t call = mpi_open_call(pass->calls, event, false);
	struct mpi_half half = half_of(event, call);
	struct mpi_route route = route_of(pass, event, true);
	uint16_t function = mpi_open_at(pass->calls, call)->function;
	if (mpi_function_role(&pass->roles, event->experiment, function).begins)
		mpi_open_sends_add(&pass->sends, event, call);
	mpi_channels_send(pass->messages, &route, &half);
}

typedef void take_half(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half);

/* The end of a message's receive, or a probe. */
static void add_receive(struct pass *pass, const struct mpi_event *event, take_half *take)
{
	struct mpi_half half = half_of(event, mpi_open_call(pass->calls, event, true));
	struct mpi_route route = route_of(pass, event, false);
	take(pass->messages, &route, &half);
}

static void add_post(struct pass *pass, const struct mpi_event *event)
{
	struct mpi_half half = half_of(event, MPI_NO_CALL);
	struct mpi_route route = route_of(pass, event, false);
	mpi_channels_post(pass->messages, &route, &half);
}

/* Which window of its communicator, and which kind of word, is in the upper half of the order. */
static void add_word(struct pass *pass, const struct mpi_event *event)
{
	bool signal = FIELD(event, role) == STATE_VALUE(MPI, role, signal);
	struct mpi_route route = route_of(pass, event, signal);
	route.tag = (uint32_t)(FIELD(event, order) >> 32);
	(signal ? mpi_words_signal : mpi_words_await)(pass->words, &route, event);
}

static void add_event(struct pass *pass, const struct mpi_event *event)
{
	switch (FIELD(event, role)) {
	case STATE_VALUE(MPI, role, none):
	case STATE_VALUE(MPI, role, remote):
	case STATE_VALUE(MPI, role, file):
		return;
	case STATE_VALUE(MPI, role, send):
		add_send(pass, event);
		break;
	case STATE_VALUE(MPI, role, receive):
		add_receive(pass, event, mpi_channels_receive);
		break;
	case STATE_VALUE(MPI, role, probe):
		add_receive(pass, event, mpi_channels_find);
		break;
	case STATE_VALUE(MPI, role, post):
		add_post(pass, event);
		break;
	case STATE_VALUE(MPI, role, cancelled):
		mpi_channels_cancel(pass->messages, event->experiment, (uint32_t)FIELD(event, order));
		break;
	case STATE_VALUE(MPI, role, sent):
		mpi_open_sends_completed(&pass->sends, event);
		break;
	case STATE_VALUE(MPI, role, signal):
	case STATE_VALUE(MPI, role, await):
		add_word(pass, event);
		break;
	case STATE_VALUE(MPI, role, lock):
	case STATE_VALUE(MPI, role, flush):
	case STATE_VALUE(MPI, role, unlock):
		mpi_locks_add(&pass->locks, pass->world, event);
		break;
	case STATE_VALUE(MPI, role, collective):
		mpi_operations_part(pass->operations, event);
		break;
	case STATE_VALUE(MPI, role, completed):
		mpi_operations_completed(pass->operations, event);
		break;
	}
	pass->some = true;
}

/* Also at the end, when nothing is on its way any more. */
static void decide(struct pass *pass, uint64_t now)
{
	for (uint32_t e = 0; e < pass->data->experiment_count; e++)
		pass->on_their_way[e] = UINT64_MAX;
	if (now != UINT64_MAX)
		mpi_channels_first_sends(pass->messages, pass->on_their_way);
	mpi_open_decide(pass->calls, now, pass->on_their_way);
}

static bool is_late(const struct pass *pass)
{
	return mpi_channels_is_late(pass->messages) || mpi_words_are_late(pass->words);
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const uint64_t *calls = batch->field[FIELD_INDEX(MPI, calls)];
	const uint64_t *duration = batch->field[FIELD_INDEX(MPI, duration)];
	const uint64_t *between = batch->field[FIELD_INDEX(MPI, between)];
	const struct metric_keys *keys = pass->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_MPI, batch) : batch->stack;
	struct mpi_event event = {
		.batch = batch, .experiment = (uint32_t)(batch->experiment - pass->data->experiments)};
	if (mpi_open_calls_are_many(pass->calls))
		decide(pass, batch->now);
	for (event.i = 0; event.i < batch->count && !is_late(pass); event.i++) {
		uint32_t i = event.i;
		event.kept = !kept || kept[i];
		event.thread = mpi_open_thread(pass->calls, event.experiment, batch->thread[i]);
		if (calls[i])
			mpi_open_begins(pass->calls, &event, duration[i], between[i], key[i]);
		add_event(pass, &event);
	}
}

/* False: a side of a message came too late. */
static bool read_events(struct pass *pass, struct data *data, const struct event_filter *filter, bool hold,
	const struct mpi_wait_reader *reader)
{
	reader->begin(reader->context);
	pass->some = false;
	pass->calls = mpi_open_calls_begin(&pass->roles, reader);
	pass->sends = mpi_open_sends_begin(pass->calls);
	pass->messages = mpi_channels_begin(hold, visit_message, pass);
	mpi_channels_want_probes(pass->messages, visit_probe);
	pass->operations = mpi_operations_begin(pass->calls, pass->world, &pass->roles);
	pass->words = mpi_words_begin(pass->calls, &pass->roles, hold);
	pass->locks = (struct mpi_locks){.calls = pass->calls};
	event_filter_mark_in_turn(data, KIND_MPI, filter, add_batch, pass);
	bool late = is_late(pass);
	mpi_channels_end(pass->messages);
	mpi_open_sends_end(&pass->sends);
	mpi_operations_end(pass->operations);
	mpi_words_end(pass->words);
	mpi_locks_end(&pass->locks);
	mpi_open_threads_end(pass->calls);
	if (!late)
		decide(pass, UINT64_MAX);
	mpi_open_calls_free(pass->calls);
	return !late;
}

bool mpi_waits_visit(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	const struct mpi_wait_reader *reader)
{
	struct pass pass = {.data = data,
		.keys = keys,
		.world = mpi_world_read(data),
		.roles = mpi_function_roles_read(data),
		.on_their_way = memory_new(data->experiment_count, sizeof *pass.on_their_way)};
	if (!read_events(&pass, data, filter, false, reader))
		read_events(&pass, data, filter, true, reader);
	free(pass.on_their_way);
	mpi_function_roles_free(&pass.roles);
	mpi_world_free(pass.world);
	return pass.some;
}

struct list {
	struct mpi_waits waits;
	uint32_t capacity;
};

static void begin_list(void *context)
{
	struct list *list = context;
	list->waits.count = 0;
}

static void add_to_list(void *context, const struct mpi_wait *wait)
{
	struct list *list = context;
	memory_reserve(list->waits.all, list->waits.count, list->capacity);
	list->waits.all[list->waits.count++] = *wait;
}

static int compare_calls(
	const struct mpi_wait *wait, uint32_t experiment, uint32_t thread, uint64_t begin, uint64_t end)
{
	int order = COMPARE(wait->experiment, experiment) ?: COMPARE(wait->thread, thread);
	return order ?: COMPARE(wait->begin, begin) ?: COMPARE(wait->call_end, end);
}

static int by_call(const void *left, const void *right)
{
	const struct mpi_wait *a = left, *b = right;
	return compare_calls(a, b->experiment, b->thread, b->begin, b->call_end) ?: COMPARE(a->stack, b->stack);
}

struct mpi_waits mpi_waits_read(struct data *data, const struct event_filter *filter, const struct metric_keys *keys)
{
	struct list list = {0};
	mpi_waits_visit(data, filter, keys, &(struct mpi_wait_reader){begin_list, add_to_list, &list, 0});
	if (list.waits.count)
		qsort(list.waits.all, list.waits.count, sizeof *list.waits.all, by_call);
	return list.waits;
}

const struct mpi_wait *mpi_waits_of_call(
	const struct mpi_waits *waits, uint32_t experiment, uint32_t thread, uint64_t begin, uint64_t end)
{
	uint32_t found =
		FIRST_WHERE(i, waits->count, compare_calls(&waits->all[i], experiment, thread, begin, end) >= 0);
	bool same = found < waits->count && !compare_calls(&waits->all[found], experiment, thread, begin, end);
	return same ? &waits->all[found] : 0;
}
