/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window moves over the list: what is in it is made by whoever is free, the taker too while what it waits for is being made. One
   lock is enough, since an item takes much longer than looking for it. */
#include "ahead.h"
#include "cores.h"
#include "storage.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORTH = 4, ROOMS_A_WORKER = 3 }; /* items for which a thread is begun; how far the window reaches */

struct ahead {
	struct ahead_work work;
	pthread_mutex_t lock;
	pthread_cond_t made, moved; /* an item is made; the window moved, or all ends */
	size_t next, taken;         /* items: the first that nobody makes yet, the first that is not taken */
	size_t window;
	struct place { /* [item % window] */
		void *room;
		bool ready;
	} * places;
	void **unused, **all; /* rooms */
	size_t unused_count, all_count;
	pthread_t *threads;
	unsigned thread_count;
	bool ends;
	struct ahead *outer; /* what went on when it was begun */
};
static struct ahead *going_on;

static void *take_room(struct ahead *ahead)
{
	if (ahead->unused_count)
		return ahead->unused[--ahead->unused_count];
	void *room = memory_new(1, ahead->work.room_size);
	ahead->all = memory_room(ahead->all, ahead->all_count, sizeof *ahead->all);
	ahead->all[ahead->all_count++] = room;
	return room;
}

static bool has_work(const struct ahead *ahead)
{
	return ahead->next < ahead->work.items && ahead->next < ahead->taken + ahead->window;
}

/* With the lock, which it gives away meanwhile. */
static void make_next(struct ahead *ahead, unsigned worker)
{
	size_t item = ahead->next++;
	struct place *place = &ahead->places[item % ahead->window];
	place->room = take_room(ahead);
	place->ready = false;
	pthread_mutex_unlock(&ahead->lock);
	ahead->work.make(ahead->work.context, worker, item, place->room);
	pthread_mutex_lock(&ahead->lock);
	place->ready = true;
	if (item == ahead->taken)
		pthread_cond_signal(&ahead->made);
}

struct start {
	struct ahead *ahead;
	unsigned worker;
};

static void *work(void *argument)
{
	struct start start = *(struct start *)argument;
	free(argument);
	struct ahead *ahead = start.ahead;
	pthread_mutex_lock(&ahead->lock);
	while (!ahead->ends && ahead->next < ahead->work.items)
		if (has_work(ahead))
			make_next(ahead, start.worker);
		else
			pthread_cond_wait(&ahead->moved, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
	return 0;
}

/* Signals are for the thread that takes: handlers jump. A thread that cannot be begun is not missed. */
static void begin_threads(struct ahead *ahead, unsigned count)
{
	sigset_t all, old;
	ahead->threads = memory_new(count, sizeof *ahead->threads);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (unsigned t = 0; t < count; t++) {
		struct start *start = memory_new(1, sizeof *start);
		*start = (struct start){ahead, t + 1};
		if (pthread_create(&ahead->threads[ahead->thread_count], 0, work, start)) {
			free(start);
			break;
		}
		ahead->thread_count++;
	}
	pthread_sigmask(SIG_SETMASK, &old, 0);
}

unsigned ahead_workers(size_t items)
{
	size_t worth = items / WORTH;
	unsigned most = cores();
	return !worth ? 1 : most < worth ? most : (unsigned)worth;
}

struct ahead *ahead_begin(const struct ahead_work *work)
{
	struct ahead *ahead = memory_new(1, sizeof *ahead);
	unsigned others = ahead_workers(work->items) - 1;
	*ahead = (struct ahead){.work = *work, .window = others ? (others + 1) * ROOMS_A_WORKER : 1, .outer = going_on};
	ahead->places = memory_new(ahead->window, sizeof *ahead->places);
	pthread_mutex_init(&ahead->lock, 0);
	pthread_cond_init(&ahead->made, 0);
	pthread_cond_init(&ahead->moved, 0);
	going_on = ahead;
	if (others)
		begin_threads(ahead, others);
	return ahead;
}

void *ahead_take(struct ahead *ahead)
{
	void *room = 0;
	pthread_mutex_lock(&ahead->lock);
	if (ahead->taken < ahead->work.items) {
		struct place *place = &ahead->places[ahead->taken % ahead->window];
		while (ahead->next <= ahead->taken || !place->ready)
			if (has_work(ahead))
				make_next(ahead, 0);
			else
				pthread_cond_wait(&ahead->made, &ahead->lock);
		room = place->room;
		place->room = 0;
		place->ready = false;
		ahead->taken++;
		pthread_cond_signal(&ahead->moved);
	}
	pthread_mutex_unlock(&ahead->lock);
	return room;
}

void ahead_give_back(struct ahead *ahead, void *room)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->unused = memory_resize(ahead->unused, ahead->all_count, sizeof *ahead->unused);
	ahead->unused[ahead->unused_count++] = room;
	pthread_mutex_unlock(&ahead->lock);
}

void ahead_end(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->ends = true;
	pthread_cond_broadcast(&ahead->moved);
	pthread_mutex_unlock(&ahead->lock);
	for (unsigned t = 0; t < ahead->thread_count; t++)
		pthread_join(ahead->threads[t], 0);
	for (size_t r = 0; r < ahead->all_count; r++) {
		if (ahead->work.empty)
			ahead->work.empty(ahead->all[r]);
		free(ahead->all[r]);
	}
	going_on = ahead->outer;
	pthread_mutex_destroy(&ahead->lock);
	pthread_cond_destroy(&ahead->made);
	pthread_cond_destroy(&ahead->moved);
	free(ahead->threads);
	free(ahead->places);
	free(ahead->unused);
	free(ahead->all);
	free(ahead);
}

void ahead_give_up(void)
{
	while (going_on)
		ahead_end(going_on);
}
