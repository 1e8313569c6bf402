/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue of sends and one of receives for each channel, in the order in which the sides began: see mpi_channels.h. */
#include "mpi_channel_table.h"
#include "mpi_world.h"
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
	struct mpi_halves halves;
	struct post *posts;
	struct process *processes;
	uint32_t post_count, process_count, free_post;
};

struct mpi_channels *mpi_channels_begin(bool hold, mpi_message_visitor *visitor, void *context)
{
	struct mpi_channels *channels = memory_new(1, sizeof *channels);
	channels->hold = hold;
	channels->visitor = visitor;
	channels->context = context;
	channels->free_post = NONE;
	channels->halves = (struct mpi_halves){.free = NONE, .hold = hold};
	mpi_channel_table_begin(&channels->table);
	return channels;
}

bool mpi_channels_is_late(const struct mpi_channels *channels)
{
	return channels->late;
}

uint32_t mpi_channels_most(const struct mpi_channels *channels)
{
	return channels->halves.most;
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

static uint32_t add_half(struct mpi_channels *channels, const struct mpi_half *half, enum state state)
{
	struct mpi_half own = *half;
	own.state = (uint8_t)state;
	return mpi_halves_add(&channels->halves, &own);
}

/* One whose place nothing has kept free. */
static void line_up_in_time(struct mpi_channels *channels, struct mpi_queue *queue, uint32_t place)
{
	if (channels->halves.all[place].order < queue->from && !channels->hold)
		channels->late = true;
	mpi_halves_line_up(&channels->halves, queue, place);
}

static void drop_gone(struct mpi_channels *channels, struct mpi_queue *queue)
{
	while (queue->first != NONE && channels->halves.all[queue->first].state == GONE)
		mpi_halves_take_first(&channels->halves, queue);
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

/* Those that found this receive's message. */
static void visit_probes(struct mpi_channels *channels, struct mpi_channel *channel, const struct mpi_message *message)
{
	struct mpi_queue *probes = &channel->probes;
	while (probes->first != NONE && channels->halves.all[probes->first].order <= message->receive->order) {
		channels->probe_visitor(channels->context, &channels->halves.all[probes->first], message);
		mpi_halves_take_first(&channels->halves, probes);
	}
}

static void put_together(struct mpi_channels *channels, struct mpi_channel *channel)
{
	const struct mpi_half *send = &channels->halves.all[channel->sends.first];
	const struct mpi_half *receive = &channels->halves.all[channel->receives.first];
	const struct mpi_message message = {&channel->route, send, receive};
	uint64_t *received = &process_of(channels, channel->route.destination)->received;
	channel->sends.from = send->order + 1ull;
	channel->receives.from = receive->order + 1ull;
	*received = *received > channel->receives.from ? *received : channel->receives.from;
	channels->visitor(channels->context, &message);
	visit_probes(channels, channel, &message);
	mpi_halves_take_first(&channels->halves, &channel->sends);
	mpi_halves_take_first(&channels->halves, &channel->receives);
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
		const struct mpi_half *receive = &channels->halves.all[channel->receives.first];
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
	uint32_t number = mpi_channel_find(&channels->table, route), place = add_half(channels, half, COMPLETE);
	line_up_in_time(channels, &channels->table.array[number].sends, place);
	if (channels->hold)
		*number_map_place(&channels->sends, number_pair(route->source, half->order)) = place;
	advance(channels, number);
}

void mpi_channels_keep_send(struct mpi_channels *channels, uint32_t source, uint32_t order)
{
	uint32_t place = number_map_find(&channels->sends, number_pair(source, order));
	if (place != NO_NUMBER)
		channels->halves.all[place].kept = true;
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
		channels->halves.all[post.half].state = GONE;
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
		post.half = add_half(channels, half, OPEN);
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
	uint32_t number = mpi_channel_find(&channels->table, route), place = add_half(channels, half, COMPLETE);
	mpi_halves_line_up(&channels->halves, &channels->table.array[number].probes, place);
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
	struct mpi_half *own = &channels->halves.all[post->half];
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
	uint32_t place = add_half(channels, half, COMPLETE);
	if (post && is_wild(&post->route) && mpi_may_get(&post->route, &channels->table.array[channel].route))
		mpi_halves_line_up(&channels->halves, queue, place);
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

/* A channel ends: its queues still have these. */
struct left {
	struct mpi_rest sends, receives, probes;
};

static void visit_left(struct mpi_channels *channels, const struct mpi_channel *channel, const struct left *left)
{
	const struct mpi_half *all = channels->halves.all;
	uint32_t p = 0;
	for (uint32_t i = 0; i < left->sends.count || i < left->receives.count; i++) {
		const struct mpi_message message = {&channel->route,
			i < left->sends.count ? &all[left->sends.places[i]] : 0,
			i < left->receives.count ? &all[left->receives.places[i]] : 0};
		channels->visitor(channels->context, &message);
		for (; message.receive && p < left->probes.count; p++) {
			if (all[left->probes.places[p]].order > message.receive->order)
				break;
			channels->probe_visitor(channels->context, &all[left->probes.places[p]], &message);
		}
	}
	for (; p < left->probes.count; p++)
		channels->probe_visitor(channels->context, &all[left->probes.places[p]], 0);
}

static void visit_rest(struct mpi_channels *channels)
{
	struct left left = {0};
	for (uint32_t c = 0; c < channels->table.count; c++) {
		const struct mpi_channel *channel = &channels->table.array[c];
		mpi_halves_rest(&channels->halves, &channel->sends, COMPLETE, &left.sends);
		mpi_halves_rest(&channels->halves, &channel->receives, COMPLETE, &left.receives);
		mpi_halves_rest(&channels->halves, &channel->probes, COMPLETE, &left.probes);
		visit_left(channels, channel, &left);
	}
	free(left.sends.places);
	free(left.receives.places);
	free(left.probes.places);
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
			place = channels->halves.all[place].next)
			if (channels->halves.all[place].begin < *own)
				*own = channels->halves.all[place].begin;
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
	free(channels->halves.all);
	free(channels->posts);
	free(channels->processes);
	free(channels);
}
