/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One queue and one lock: an errand takes much longer than its way through the queue. */
#include "errands.h"
#include "storage.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct errands {
	pthread_mutex_t lock;
	pthread_cond_t many, done; /* enough wait, or all ends; an errand that is waited for has been run */
	struct errand *first, *last, *wanted;
	unsigned waiting, enough, idle;
	pthread_t *threads;
	unsigned thread_count;
	bool ends;
	struct errands *outer; /* what went on when it was begun */
};
static struct errands *going_on;

/* The lock is held for all of these. */
static void remove_first(struct errands *errands)
{
	errands->first = errands->first->next;
	if (!errands->first)
		errands->last = 0;
	errands->waiting--;
}

static void remove_one(struct errands *errands, struct errand *errand)
{
	struct errand *before = errands->first;
	if (before == errand) {
		remove_first(errands);
		return;
	}
	while (before->next != errand)
		before = before->next;
	before->next = errand->next;
	if (!before->next)
		errands->last = before;
	errands->waiting--;
}

/* Gives the lock away meanwhile. */
static void run_first(struct errands *errands)
{
	struct errand *errand = errands->first;
	remove_first(errands);
	errand->state = ERRAND_RUNNING;
	pthread_mutex_unlock(&errands->lock);
	errand->run(errand);
	pthread_mutex_lock(&errands->lock);
	errand->state = ERRAND_DONE;
	if (errands->wanted == errand)
		pthread_cond_signal(&errands->done);
}

static void *work(void *argument)
{
	struct errands *errands = argument;
	pthread_mutex_lock(&errands->lock);
	while (!errands->ends) {
		if (errands->first) {
			run_first(errands);
			continue;
		}
		errands->idle++;
		pthread_cond_wait(&errands->many, &errands->lock);
		errands->idle--;
	}
	pthread_mutex_unlock(&errands->lock);
	return 0;
}

/* Signals are for the thread that waits: handlers jump. A thread that cannot be begun is not missed. */
struct errands *errands_begin(unsigned threads, unsigned enough)
{
	struct errands *errands = memory_new(1, sizeof *errands);
	sigset_t all, old;
	*errands = (struct errands){.enough = enough, .outer = going_on};
	errands->threads = memory_new(threads, sizeof *errands->threads);
	pthread_mutex_init(&errands->lock, 0);
	pthread_cond_init(&errands->many, 0);
	pthread_cond_init(&errands->done, 0);
	going_on = errands;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (errands->thread_count < threads &&
		!pthread_create(&errands->threads[errands->thread_count], 0, work, errands))
		errands->thread_count++;
	pthread_sigmask(SIG_SETMASK, &old, 0);
	return errands;
}

void errands_send(struct errands *errands, struct errand *errand)
{
	pthread_mutex_lock(&errands->lock);
	errand->next = 0;
	errand->state = ERRAND_QUEUED;
	*(errands->last ? &errands->last->next : &errands->first) = errand;
	errands->last = errand;
	errands->waiting++;
	bool wake = errands->idle && errands->waiting >= errands->enough;
	pthread_mutex_unlock(&errands->lock);
	if (wake)
		pthread_cond_signal(&errands->many);
}

void errands_wait(struct errands *errands, struct errand *errand)
{
	pthread_mutex_lock(&errands->lock);
	bool mine = errand->state == ERRAND_QUEUED;
	if (mine)
		remove_one(errands, errand);
	errands->wanted = errand;
	while (!mine && errand->state != ERRAND_DONE)
		pthread_cond_wait(&errands->done, &errands->lock);
	errands->wanted = 0;
	pthread_mutex_unlock(&errands->lock);
	if (mine)
		errand->run(errand);
}

void errands_end(struct errands *errands)
{
	pthread_mutex_lock(&errands->lock);
	errands->ends = true;
	pthread_cond_broadcast(&errands->many);
	pthread_mutex_unlock(&errands->lock);
	for (unsigned t = 0; t < errands->thread_count; t++)
		pthread_join(errands->threads[t], 0);
	going_on = errands->outer;
	pthread_mutex_destroy(&errands->lock);
	pthread_cond_destroy(&errands->many);
	pthread_cond_destroy(&errands->done);
	free(errands->threads);
	free(errands);
}

void errands_give_up(void)
{
	while (going_on)
		errands_end(going_on);
}
