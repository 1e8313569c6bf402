/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps over the beginnings and ends of all runs of a program, in the order of time. */
#include "elapsed_shares.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct edge {
	uint64_t time;
	uint32_t thread;
	int change; /* of the number of threads that run */
};

struct sweep {
	struct elapsed_shares *shares;
	struct curve *curve;
	struct edge *edges;
	uint64_t count;
	uint64_t from; /* what comes after this moment is not divided yet */
	uint32_t running;
	uint32_t last; /* the thread that ends last */
};

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return COMPARE(x->time, y->time) ?: COMPARE(x->change, y->change) ?: COMPARE(x->thread, y->thread);
}

static void add_edges(struct sweep *sweep, uint32_t thread)
{
	const struct thread_runs *runs = &sweep->shares->runs.threads[thread];
	for (uint32_t r = 0; r < runs->count; r++) {
		sweep->edges[sweep->count++] = (struct edge){runs->runs[r].from, thread, 1};
		sweep->edges[sweep->count++] = (struct edge){runs->runs[r].to, thread, -1};
	}
}

static void add_idle(struct idle_times *idle, uint64_t from, uint64_t to)
{
	if (from >= to)
		return;
	memory_reserve(idle->all, idle->count, idle->capacity);
	const struct idle *last = idle->count ? &idle->all[idle->count - 1] : &(struct idle){0, 0, 0};
	idle->all[idle->count++] = (struct idle){from, to, last->before + last->to - last->from};
}

/* The thread's intervals are not all known: the time between them is not theirs. */
static void add_inexact(struct thread_shares *own, const struct thread_runs *thread, uint64_t from, uint64_t to)
{
	for (uint64_t i = FIRST_WHERE(s, thread->off_count, thread->off[s].to > from); i < thread->off_count; i++) {
		const struct stretch *off = &thread->off[i];
		if (off->from >= to)
			break;
		add_idle(&own->bare, from, off->from);
		from = off->from > from ? off->from : from;
		add_idle(&own->waited, from, off->to < to ? off->to : to);
		from = off->to;
	}
	add_idle(&own->bare, from, to);
}

static void give_idle(struct sweep *sweep, uint32_t index, uint64_t to)
{
	struct thread_shares *own = &sweep->shares->threads[index];
	const struct thread_runs *thread = &sweep->shares->runs.threads[index];
	uint64_t from = sweep->from;
	if (from < thread->begin) {
		uint64_t until = thread->begin < to ? thread->begin : to;
		own->lead += until - from;
		from = until;
	}
	if (thread->exact)
		add_idle(&own->waited, from, to);
	else
		add_inexact(own, thread, from, to);
}

/* The time before an edge is divided. */
static void pass(struct sweep *sweep, const struct edge *edge)
{
	struct curve *curve = sweep->curve;
	double share = curve->count ? curve->share[curve->count - 1] : 0;
	if (edge->time > sweep->from) {
		if (sweep->running)
			share += (double)(edge->time - sweep->from) / sweep->running;
		else
			give_idle(sweep, edge->thread, edge->time);
		sweep->from = edge->time;
	}
	curve->time[curve->count] = edge->time;
	curve->share[curve->count++] = share;
	sweep->running += (uint32_t)edge->change;
}

static double share_at(const struct curve *curve, uint64_t moment)
{
	uint64_t after = FIRST_WHERE(i, curve->count, curve->time[i] > moment);
	if (!after || after == curve->count)
		return after ? curve->share[after - 1] : 0;
	double part = (double)(moment - curve->time[after - 1]) / (double)(curve->time[after] - curve->time[after - 1]);
	return curve->share[after - 1] + part * (curve->share[after] - curve->share[after - 1]);
}

static void add_up(struct elapsed_shares *shares, const struct curve *curve, uint32_t thread)
{
	const struct thread_runs *runs = &shares->runs.threads[thread];
	struct thread_shares *own = &shares->threads[thread];
	own->before = memory_new(runs->count, sizeof *own->before);
	for (uint32_t r = 0; r < runs->count; r++) {
		own->before[r] = own->whole;
		own->whole.own += (double)(runs->runs[r].to - runs->runs[r].from);
		own->whole.share += share_at(curve, runs->runs[r].to) - share_at(curve, runs->runs[r].from);
	}
}

static uint32_t founder_of(const struct elapsed_shares *shares, uint32_t thread)
{
	return shares->data->experiments[shares->runs.threads[thread].experiment].founder;
}

/* How many edges a founder's program has; 0 if it has no thread. */
static uint64_t look_at(struct sweep *sweep, uint32_t founder)
{
	const struct all_runs *runs = &sweep->shares->runs;
	uint64_t edges = 0;
	sweep->from = UINT64_MAX;
	sweep->last = NO_NUMBER;
	for (uint32_t t = 0; t < runs->count; t++) {
		const struct thread_runs *thread = &runs->threads[t];
		if (founder_of(sweep->shares, t) != founder)
			continue;
		edges += 2ull * thread->count + 1;
		sweep->from = thread->begin < sweep->from ? thread->begin : sweep->from;
		if (sweep->last == NO_NUMBER || thread->end > runs->threads[sweep->last].end)
			sweep->last = t;
	}
	return edges;
}

static void divide(struct elapsed_shares *shares, uint32_t founder)
{
	struct sweep sweep = {.shares = shares, .curve = &shares->curves[founder]};
	uint64_t room = look_at(&sweep, founder);
	if (!room)
		return;
	sweep.edges = memory_new(room, sizeof *sweep.edges);
	sweep.curve->time = memory_new(room, sizeof *sweep.curve->time);
	sweep.curve->share = memory_new(room, sizeof *sweep.curve->share);
	for (uint32_t t = 0; t < shares->runs.count; t++)
		if (founder_of(shares, t) == founder)
			add_edges(&sweep, t);
	if (sweep.count)
		qsort(sweep.edges, sweep.count, sizeof *sweep.edges, by_time);
	for (uint64_t e = 0; e < sweep.count; e++)
		pass(&sweep, &sweep.edges[e]);
	pass(&sweep, &(struct edge){shares->runs.threads[sweep.last].end, sweep.last, 0});
	free(sweep.edges);
	for (uint32_t t = 0; t < shares->runs.count; t++)
		if (founder_of(shares, t) == founder)
			add_up(shares, sweep.curve, t);
}

void elapsed_shares_read(struct elapsed_shares *shares, struct data *data)
{
	*shares = (struct elapsed_shares){.data = data};
	thread_runs_read(&shares->runs, data);
	shares->threads = memory_new(shares->runs.count, sizeof *shares->threads);
	shares->curves = memory_new(data->experiment_count, sizeof *shares->curves);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		if (data->experiments[e].founder == e)
			divide(shares, e);
}

void elapsed_shares_free(struct elapsed_shares *shares)
{
	for (uint32_t t = 0; t < shares->runs.count; t++) {
		free(shares->threads[t].before);
		free(shares->threads[t].waited.all);
		free(shares->threads[t].bare.all);
	}
	for (uint32_t e = 0; e < shares->data->experiment_count; e++) {
		free(shares->curves[e].time);
		free(shares->curves[e].share);
	}
	free(shares->threads);
	free(shares->curves);
	thread_runs_free(&shares->runs);
}

static uint64_t idle_until(const struct idle_times *idle, uint64_t moment)
{
	uint64_t after = FIRST_WHERE(i, idle->count, idle->all[i].from >= moment);
	if (!after)
		return 0;
	const struct idle *last = &idle->all[after - 1];
	return last->before + (last->to < moment ? last->to : moment) - last->from;
}

static struct ran ran_until(const struct elapsed_shares *shares, uint32_t thread, uint64_t moment)
{
	const struct thread_runs *runs = &shares->runs.threads[thread];
	const struct thread_shares *own = &shares->threads[thread];
	uint64_t after = FIRST_WHERE(r, runs->count, runs->runs[r].from > moment);
	if (after < runs->count && (!after || moment >= runs->runs[after - 1].to))
		return own->before[after];
	if (!after || moment >= runs->runs[after - 1].to)
		return own->whole;
	const struct curve *curve = &shares->curves[founder_of(shares, thread)];
	const struct stretch *run = &runs->runs[after - 1];
	struct ran until = own->before[after - 1];
	until.own += (double)(moment - run->from);
	until.share += share_at(curve, moment) - share_at(curve, run->from);
	return until;
}

struct ran elapsed_share_until(const struct elapsed_shares *shares, uint32_t thread, uint64_t moment)
{
	struct ran until = ran_until(shares, thread, moment);
	if (shares->threads[thread].bare.count)
		until.share += (double)idle_until(&shares->threads[thread].bare, moment);
	return until;
}

uint64_t elapsed_share_idle(const struct elapsed_shares *shares, uint32_t thread, uint64_t from, uint64_t to)
{
	const struct idle_times *waited = &shares->threads[thread].waited;
	return idle_until(waited, to) - idle_until(waited, from);
}
