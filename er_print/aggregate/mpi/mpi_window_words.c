/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words are sent, awaits receive them: see mpi_window_words.h. */
#include "mpi_window_words.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A call that waits for a word, and one that may do so after it. */
struct await {
	struct mpi_late late; /* that gave the word */
	uint64_t key;         /* in numbers */
	uint32_t start, completion;
	uint32_t next;       /* the next free one */
	unsigned char state; /* MPI_WAIT_STATES or more: the call waits for no word */
	bool used, given;    /* given: the word is known */
	bool awaits_more;    /* completion is to come */
	bool kept;
};
struct mpi_words {
	struct mpi_open_calls *calls;
	const struct mpi_function_roles *roles;
	struct mpi_channels *channels;
	struct number_map numbers; /* (experiment, order) -> await */
	struct await *array;
	uint32_t count, free;
};

static void offer(struct mpi_words *words, const struct await *await, uint32_t call)
{
	if (await->given && await->state < MPI_WAIT_STATES && call != MPI_NO_CALL)
		mpi_open_offer_if_held_up(
			words->calls, call, &await->late, (enum mpi_wait_state)await->state, await->kept);
}

static void end_await(struct mpi_words *words, uint32_t number)
{
	struct await *await = &words->array[number];
	offer(words, await, await->start);
	offer(words, await, await->completion);
	mpi_open_release(words->calls, await->start);
	mpi_open_release(words->calls, await->completion);
	number_map_take(&words->numbers, await->key);
	await->used = false;
	await->next = words->free;
	words->free = number;
}

static void visit(void *context, const struct mpi_message *message)
{
	struct mpi_words *words = context;
	if (!message->receive)
		return;
	uint32_t number = message->receive->call;
	struct await *await = &words->array[number];
	if (message->send) {
		await->given = true;
		await->late = (struct mpi_late){message->send->begin, message->send->thread, message->send->stack};
	}
	if (!message->send || !await->awaits_more)
		end_await(words, number);
}

struct mpi_words *mpi_words_begin(struct mpi_open_calls *calls, const struct mpi_function_roles *roles, bool hold)
{
	struct mpi_words *words = memory_new(1, sizeof *words);
	*words = (struct mpi_words){
		.calls = calls, .roles = roles, .channels = mpi_channels_begin(hold, visit, words), .free = NONE};
	return words;
}

static struct mpi_half half_of(const struct mpi_event *event)
{
	struct mpi_late own = mpi_open_event_late(event);
	return (struct mpi_half){
		.begin = own.begin, .thread = own.thread, .stack = own.stack, .order = (uint32_t)FIELD(event, order)};
}

void mpi_words_signal(struct mpi_words *words, const struct mpi_route *route, const struct mpi_event *event)
{
	struct mpi_half half = half_of(event);
	mpi_channels_send(words->channels, route, &half);
}

static uint32_t new_await(struct mpi_words *words, const struct await *await)
{
	uint32_t number = words->free;
	if (number == NONE) {
		words->array = memory_room(words->array, words->count, sizeof *words->array);
		number = words->count++;
	} else {
		words->free = words->array[number].next;
	}
	words->array[number] = *await;
	*number_map_place(&words->numbers, await->key) = number;
	return number;
}

void mpi_words_await(struct mpi_words *words, const struct mpi_route *route, const struct mpi_event *event)
{
	struct mpi_half half = half_of(event);
	uint64_t key = number_pair(event->experiment, half.order);
	uint32_t number = number_map_find(&words->numbers, key), call = mpi_open_call(words->calls, event, true);
	if (number != NO_NUMBER) {
		struct await *await = &words->array[number];
		mpi_open_release(words->calls, await->completion);
		await->completion = call;
		await->kept |= event->kept;
		await->awaits_more = false;
		if (await->given)
			end_await(words, number);
		return;
	}
	struct mpi_function_role role =
		mpi_function_role(words->roles, event->experiment, mpi_open_at(words->calls, call)->function);
	half.call = new_await(words, &(struct await){.key = key,
					     .start = call,
					     .completion = MPI_NO_CALL,
					     .state = role.state,
					     .used = true,
					     .awaits_more = role.awaits_more,
					     .kept = event->kept});
	mpi_channels_receive(words->channels, route, &half);
}

bool mpi_words_are_late(const struct mpi_words *words)
{
	return mpi_channels_is_late(words->channels);
}

void mpi_words_end(struct mpi_words *words)
{
	mpi_channels_end(words->channels);
	for (uint32_t i = 0; i < words->count; i++)
		if (words->array[i].used)
			end_await(words, i);
	number_map_free(&words->numbers);
	free(words->array);
	free(words);
}
