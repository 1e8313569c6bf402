/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue of sends and one of receives for each channel, in the order in which the sides began: see mpi_channels.h. */
#include "mpi_channel_table.h"
#include "mpi_world.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

#define NONE MPI_NONE

enum state { OPEN, COMPLETE, GONE }; /* OPEN: posted or found. GONE: it takes no part any more */

/* A receive that was posted and is not complete, or a message that was found. */
struct post {
	uint64_t begin;
	struct mpi_route route;
	uint32_t order, thread, stack;
	uint32_t half, channel; /* where it stands in line; half NONE: it stands nowhere */
	uint32_t next;          /* the next free one */
	bool found;
};
struct process {
	uint64_t received; /* orders before this one were put together in some channel */
	uint32_t *wild,
		*waiting; /* posts with any source or tag, in their order; channels that one of them may come before */
	uint32_t wild_count, waiting_count, wild_capacity, waiting_capacity;
};
struct mpi_channels {
	mpi_message_visitor *visitor;
	mpi_probe_visitor *probe_visitor; /* 0: probes are not visited */
	void *context;
	bool hold, late;
	struct mpi_channel_table table;
	struct number_map orders; /* (experiment, order) -> post */
	struct number_map sends;  /* (experiment, order) -> place in halves, if all is held */
	struct mpi_half *halves;
	struct post *posts;
	struct process *processes;
	uint32_t half_count, post_count, process_count;
	uint32_t free_half, free_post;
	uint32_t open, most;
};

struct mpi_channels *mpi_channels_begin(bool hold, mpi_message_visitor *visitor, void *context)
{
	struct mpi_channels *channels = memory_new(1, sizeof *channels);
	channels->hold = hold;
	channels->visitor = visitor;
	channels->context = context;
	channels->free_half = channels->free_post = NONE;
	mpi_channel_table_begin(&channels->table);
	return channels;
}

bool mpi_channels_is_late(const struct mpi_channels *channels)
{
	return channels->late;
}

uint32_t mpi_channels_most(const struct mpi_channels *channels)
{
	return channels->most;
}

static struct process *process_of(struct mpi_channels *channels, uint32_t experiment)
{
	while (channels->process_count <= experiment) {
		channels->processes =
			memory_room(channels->processes, channels->process_count, sizeof *channels->processes);
		channels->processes[channels->process_count++] = (struct process){0};
	}
	return &channels->processes[experiment];
}

static uint32_t new_half(struct mpi_channels *channels, const struct mpi_half *half, enum state state)
{
	uint32_t place = channels->free_half;
	if (place == NONE) {
		channels->halves = memory_room(channels->halves, channels->half_count, sizeof *channels->halves);
		place = channels->half_count++;
	} else {
		channels->free_half = channels->halves[place].next;
	}
	channels->halves[place] = *half;
	channels->halves[place].state = (uint8_t)state;
	if (++channels->open > channels->most)
		channels->most = channels->open;
	return place;
}

/* In the order in which they began; nearly all come in it. Where all is held many may not: they are sorted at the end. */
static void line_up(struct mpi_channels *channels, struct mpi_queue *queue, uint32_t place)
{
	struct mpi_half *halves = channels->halves;
	uint32_t order = halves[place].order, *link = &queue->first;
	if (queue->last != NONE && halves[queue->last].order <= order)
		link = &halves[queue->last].next;
	else if (channels->hold && queue->last != NONE)
		link = &halves[queue->last].next;
	while (*link != NONE && halves[*link].order <= order)
		link = &halves[*link].next;
	if (*link == NONE)
		queue->last = place;
	halves[place].next = *link;
	*link = place;
}

/* Likewise one whose place nothing has kept free. */
static void line_up_in_time(struct mpi_channels *channels, struct mpi_queue *queue, uint32_t place)
{
	if (channels->halves[place].order < queue->from && !channels->hold)
		channels->late = true;
	line_up(channels, queue, place);
}

static void free_half(struct mpi_channels *channels, uint32_t place)
{
	channels->halves[place].next = channels->free_half;
	channels->free_half = place;
	channels->open--;
}

static void take_first(struct mpi_channels *channels, struct mpi_queue *queue)
{
	uint32_t place = queue->first;
	struct mpi_half *half = &channels->halves[place];
	queue->first = half->next;
	if (queue->first == NONE)
		queue->last = NONE;
	free_half(channels, place);
}

static void drop_gone(struct mpi_channels *channels, struct mpi_queue *queue)
{
	while (queue->first != NONE && channels->halves[queue->first].state == GONE)
		take_first(channels, queue);
}

/* Whether a receive that is posted for any source or tag may come before one of the channel. */
static bool comes_after_wild(struct mpi_channels *channels, const struct mpi_channel *channel, uint32_t order)
{
	const struct mpi_route *own = &channel->route;
	const struct process *process = process_of(channels, own->destination);
	for (uint32_t i = 0; i < process->wild_count; i++) {
		const struct post *post = &channels->posts[process->wild[i]];
		if (post->order >= order)
			return false;
		if (mpi_may_get(&post->route, own))
			return true;
	}
	return false;
}

static void wait_for_wild(struct mpi_channels *channels, uint32_t number)
{
	struct mpi_channel *channel = &channels->table.array[number];
	struct process *process = process_of(channels, channel->route.destination);
	if (channel->waits)
		return;
	channel->waits = true;
	memory_reserve(process->waiting, process->waiting_count, process->waiting_capacity);
	process->waiting[process->waiting_count++] = number;
}

/* Of the probes that found this receive's message, or 0: of all that are left. */
static void visit_probes(struct mpi_channels *channels, struct mpi_channel *channel, const struct mpi_half *receive,
	const struct mpi_message *message)
{
	for (uint32_t *link = &channel->probes; *link != NONE;) {
		uint32_t place = *link;
		struct mpi_half *probe = &channels->halves[place];
		if (receive && probe->order > receive->order) {
			link = &probe->next;
			continue;
		}
		channels->probe_visitor(channels->context, probe, message);
		*link = probe->next;
		free_half(channels, place);
	}
}

static void put_together(struct mpi_channels *channels, struct mpi_channel *channel)
{
	const struct mpi_half *send = &channels->halves[channel->sends.first];
	const struct mpi_half *receive = &channels->halves[channel->receives.first];
	const struct mpi_message message = {&channel->route, send, receive};
	uint64_t *received = &process_of(channels, channel->route.destination)->received;
	channel->sends.from = send->order + 1ull;
	channel->receives.from = receive->order + 1ull;
	*received = *received > channel->receives.from ? *received : channel->receives.from;
	channels->visitor(channels->context, &message);
	visit_probes(channels, channel, receive, &message);
	take_first(channels, &channel->sends);
	take_first(channels, &channel->receives);
}

static void advance(struct mpi_channels *channels, uint32_t number)
{
	struct mpi_channel *channel = &channels->table.array[number];
	if (channels->hold)
		return;
	for (;;) {
		drop_gone(channels, &channel->receives);
		if (channel->sends.first == NONE || channel->receives.first == NONE)
			return;
		const struct mpi_half *receive = &channels->halves[channel->receives.first];
		if (receive->state != COMPLETE)
			return;
		if (comes_after_wild(channels, channel, receive->order)) {
			wait_for_wild(channels, number);
			return;
		}
		put_together(channels, channel);
	}
}

/* A receive from anybody has been completed, or given up: those behind it may go on. */
static void advance_waiting(struct mpi_channels *channels, uint32_t destination)
{
	uint32_t count = process_of(channels, destination)->waiting_count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = channels->processes[destination].waiting[i];
		channels->table.array[number].waits = false;
		advance(channels, number);
	}
	/* Those that have to wait again stand behind these. */
	struct process *process = &channels->processes[destination];
	process->waiting_count -= count;
	for (uint32_t i = 0; i < process->waiting_count; i++)
		process->waiting[i] = process->waiting[count + i];
}

void mpi_channels_send(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half)
{
	if (route->pair == NO_COMMUNICATOR) {
		channels->visitor(channels->context, &(struct mpi_message){route, half, 0});
		return;
	}
	uint32_t number = mpi_channel_find(&channels->table, route), place = new_half(channels, half, COMPLETE);
	line_up_in_time(channels, &channels->table.array[number].sends, place);
	if (channels->hold)
		*number_map_place(&channels->sends, number_pair(route->source, half->order)) = place;
	advance(channels, number);
}

void mpi_channels_keep_send(struct mpi_channels *channels, uint32_t source, uint32_t order)
{
	uint32_t place = number_map_find(&channels->sends, number_pair(source, order));
	if (place != NO_NUMBER)
		channels->halves[place].kept = true;
}

static bool is_wild(const struct mpi_route *route)
{
	return route->pair != NO_COMMUNICATOR && (route->any_source || route->any_tag);
}

static void add_wild(struct mpi_channels *channels, uint32_t number)
{
	const struct post *post = &channels->posts[number];
	struct process *process = process_of(channels, post->route.destination);
	if (post->order < process->received && !channels->hold &&
		mpi_channel_table_passed(&channels->table, &post->route, post->order))
		channels->late = true;
	memory_reserve(process->wild, process->wild_count, process->wild_capacity);
	uint32_t i = process->wild_count++;
	for (; i && channels->posts[process->wild[i - 1]].order > post->order; i--)
		process->wild[i] = process->wild[i - 1];
	process->wild[i] = number;
}

static void remove_wild(struct mpi_channels *channels, uint32_t number)
{
	struct process *process = process_of(channels, channels->posts[number].route.destination);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < process->wild_count; i++)
		if (process->wild[i] != number)
			process->wild[kept++] = process->wild[i];
	process->wild_count = kept;
}

static uint32_t post_of(const struct mpi_channels *channels, uint32_t destination, uint32_t order)
{
	return number_map_find(&channels->orders, number_pair(destination, order));
}

static void forget_post(struct mpi_channels *channels, uint32_t number)
{
	struct post *post = &channels->posts[number];
	if (is_wild(&post->route))
		remove_wild(channels, number);
	number_map_take(&channels->orders, number_pair(post->route.destination, post->order));
	post->next = channels->free_post;
	channels->free_post = number;
}

/* It leaves its place in line, and what stood behind it goes on. */
static void withdraw(struct mpi_channels *channels, uint32_t number)
{
	struct post post = channels->posts[number];
	forget_post(channels, number);
	if (post.half != NONE) {
		channels->halves[post.half].state = GONE;
		advance(channels, post.channel);
	}
	if (is_wild(&post.route))
		advance_waiting(channels, post.route.destination);
}

static void add_post(
	struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half, bool found)
{
	uint32_t number = channels->free_post;
	if (number == NONE) {
		channels->posts = memory_room(channels->posts, channels->post_count, sizeof *channels->posts);
		number = channels->post_count++;
	} else {
		channels->free_post = channels->posts[number].next;
	}
	struct post post = {half->begin, *route, half->order, half->thread, half->stack, NONE, NONE, NONE, found};
	if (route->pair != NO_COMMUNICATOR && !is_wild(route)) {
		post.channel = mpi_channel_find(&channels->table, route);
		post.half = new_half(channels, half, OPEN);
		line_up_in_time(channels, &channels->table.array[post.channel].receives, post.half);
	}
	channels->posts[number] = post;
	*number_map_place(&channels->orders, number_pair(route->destination, half->order)) = number;
	if (is_wild(route))
		add_wild(channels, number);
}

void mpi_channels_post(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half)
{
	uint32_t number = post_of(channels, route->destination, half->order);
	if (number != NO_NUMBER) {
		struct post *post = &channels->posts[number];
		bool older = half->order < process_of(channels, route->destination)->received;
		/* MPI_Imrecv does not say from whom: MPI_Mprobe did, since when others may have gone on. */
		if (post->found && older && route->any_source && route->any_tag && route->pair == post->route.pair) {
			post->found = false;
			post->begin = half->begin;
			post->thread = half->thread;
			post->stack = half->stack;
			return;
		}
		withdraw(channels, number);
	}
	add_post(channels, route, half, false);
}

static void add_probe(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half)
{
	if (route->pair == NO_COMMUNICATOR) {
		channels->probe_visitor(channels->context, half, 0);
		return;
	}
	uint32_t number = mpi_channel_find(&channels->table, route), place = new_half(channels, half, OPEN);
	channels->halves[place].next = channels->table.array[number].probes;
	channels->table.array[number].probes = place;
}

void mpi_channels_find(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half)
{
	if (channels->probe_visitor)
		add_probe(channels, route, half);
	uint32_t number = post_of(channels, route->destination, half->order);
	if (number != NO_NUMBER && !channels->posts[number].found)
		return;
	if (number != NO_NUMBER)
		withdraw(channels, number);
	add_post(channels, route, half, true);
}

/* Whether it was posted in this channel: then it takes its place in line. */
static bool complete_post(struct mpi_channels *channels, uint32_t number, uint32_t channel, const struct mpi_half *half)
{
	const struct post *post = &channels->posts[number];
	if (post->half == NONE || post->channel != channel)
		return false;
	struct mpi_half *own = &channels->halves[post->half];
	uint32_t next = own->next;
	*own = *half;
	own->state = COMPLETE;
	own->next = next;
	forget_post(channels, number);
	return true;
}

/* It was not posted, or not in this channel. Its place in line was kept free if it was posted for any that are like it. */
static void enter(struct mpi_channels *channels, uint32_t number, uint32_t channel, const struct mpi_half *half)
{
	struct mpi_queue *queue = &channels->table.array[channel].receives;
	const struct post *post = number == NO_NUMBER ? 0 : &channels->posts[number];
	uint32_t place = new_half(channels, half, COMPLETE);
	if (post && is_wild(&post->route) && mpi_may_get(&post->route, &channels->table.array[channel].route))
		line_up(channels, queue, place);
	else
		line_up_in_time(channels, queue, place);
	if (post)
		withdraw(channels, number);
}

void mpi_channels_receive(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half)
{
	uint32_t number = post_of(channels, route->destination, half->order);
	struct mpi_half own = *half;
	const struct post *post = number == NO_NUMBER || channels->posts[number].found ? 0 : &channels->posts[number];
	if (post) {
		own.begin = post->begin;
		own.thread = post->thread;
		own.stack = post->stack;
	}
	if (route->pair == NO_COMMUNICATOR) {
		channels->visitor(channels->context, &(struct mpi_message){route, 0, &own});
		if (number != NO_NUMBER)
			withdraw(channels, number);
		return;
	}
	uint32_t channel = mpi_channel_find(&channels->table, route);
	if (number == NO_NUMBER || !complete_post(channels, number, channel, &own))
		enter(channels, number, channel, &own);
	advance(channels, channel);
}

void mpi_channels_cancel(struct mpi_channels *channels, uint32_t destination, uint32_t order)
{
	uint32_t number = post_of(channels, destination, order);
	if (number != NO_NUMBER)
		withdraw(channels, number);
}

static int by_order(const void *left, const void *right, void *halves)
{
	const uint32_t *a = left, *b = right;
	return COMPARE(((struct mpi_half *)halves)[*a].order, ((struct mpi_half *)halves)[*b].order) ?: COMPARE(*a, *b);
}

/* The sides that a queue has left, in order. */
struct rest {
	uint32_t *places, count, capacity;
};

static void take_rest(struct rest *rest, const struct mpi_channels *channels, const struct mpi_queue *queue)
{
	rest->count = 0;
	for (uint32_t place = queue->first; place != NONE; place = channels->halves[place].next) {
		if (channels->halves[place].state != COMPLETE)
			continue;
		memory_reserve(rest->places, rest->count, rest->capacity);
		rest->places[rest->count++] = place;
	}
	if (channels->hold && rest->count)
		qsort_r(rest->places, rest->count, sizeof *rest->places, by_order, channels->halves);
}

static void visit_rest(struct mpi_channels *channels)
{
	struct rest sends = {0}, receives = {0};
	for (uint32_t c = 0; c < channels->table.count; c++) {
		struct mpi_channel *channel = &channels->table.array[c];
		take_rest(&sends, channels, &channel->sends);
		take_rest(&receives, channels, &channel->receives);
		for (uint32_t i = 0; i < sends.count || i < receives.count; i++) {
			const struct mpi_message message = {&channel->route,
				i < sends.count ? &channels->halves[sends.places[i]] : 0,
				i < receives.count ? &channels->halves[receives.places[i]] : 0};
			channels->visitor(channels->context, &message);
			if (message.receive)
				visit_probes(channels, channel, message.receive, &message);
		}
		visit_probes(channels, channel, 0, 0);
	}
	free(sends.places);
	free(receives.places);
}

void mpi_channels_want_probes(struct mpi_channels *channels, mpi_probe_visitor *visitor)
{
	channels->probe_visitor = visitor;
}

void mpi_channels_first_sends(const struct mpi_channels *channels, uint64_t *earliest)
{
	for (uint32_t c = 0; c < channels->table.count; c++) {
		const struct mpi_channel *channel = &channels->table.array[c];
		uint64_t *own = &earliest[channel->route.destination];
		for (uint32_t place = channel->free ? NONE : channel->sends.first; place != NONE;
			place = channels->halves[place].next)
			if (channels->halves[place].begin < *own)
				*own = channels->halves[place].begin;
	}
}

void mpi_channels_end(struct mpi_channels *channels)
{
	visit_rest(channels);
	for (uint32_t i = 0; i < channels->process_count; i++) {
		free(channels->processes[i].wild);
		free(channels->processes[i].waiting);
	}
	mpi_channel_table_free(&channels->table);
	number_map_free(&channels->orders);
	number_map_free(&channels->sends);
	free(channels->halves);
	free(channels->posts);
	free(channels->processes);
	free(channels);
}
