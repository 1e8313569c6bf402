/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the tasks' events, each of which is a task that ended. */
#include "omp_tasks.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct pass {
	struct data *data;
	struct omp_sites sites;
	struct omp_task_sums *sums; /* by site */
	uint32_t capacity;
	struct omp_task_sums total;
	struct number_map threads; /* by number_pair of experiment and thread: from 0 */
	struct number_map pairs;   /* of a site and a thread that has run tasks of it */
};

static void add_times(struct omp_task_sums *sums, uint64_t time, uint64_t wait)
{
	sums->tasks++;
	sums->time += time;
	sums->longest = time > sums->longest ? time : sums->longest;
	sums->wait += wait < time ? wait : time;
}

static void add_task(struct pass *pass, uint32_t thread, uint32_t stack, uint64_t time, uint64_t wait)
{
	uint32_t count = pass->sites.count, site = omp_site_of(&pass->sites, stack);
	if (site == count) {
		memory_reserve(pass->sums, count, pass->capacity);
		pass->sums[site] = (struct omp_task_sums){0};
	}
	struct omp_task_sums *sums = &pass->sums[site];
	uint32_t *pair = number_map_place(&pass->pairs, number_pair(site, thread));
	sums->threads += *pair == NO_NUMBER;
	*pair = 0;
	add_times(sums, time, wait);
	add_times(&pass->total, time, wait);
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OPENMP, what)][i] != STATE_VALUE(OPENMP, what, task))
			continue;
		uint32_t *thread = number_map_place(&pass->threads, number_pair(experiment, batch->thread[i]));
		if (*thread == NO_NUMBER)
			*thread = (uint32_t)pass->total.threads++;
		add_task(pass, *thread, batch->stack[i], batch->field[FIELD_INDEX(OPENMP, duration)][i],
			batch->field[FIELD_INDEX(OPENMP, waited)][i]);
	}
}

static int by_time(const void *one, const void *other)
{
	const struct omp_task_site *a = one, *b = other;
	return COMPARE(b->sums.time, a->sums.time) ?: COMPARE(a->site.stack, b->site.stack);
}

struct omp_tasks *omp_tasks_read(struct data *data, const struct event_filter *filter, struct resolver *resolver)
{
	struct omp_tasks *tasks = memory_new(1, sizeof *tasks);
	struct pass pass = {.data = data, .sites = {.data = data, .resolver = resolver, .what = SITES_OF_TASKS}};
	event_filter_visit(data, KIND_OPENMP, filter, add_batch, &pass);
	tasks->total = pass.total;
	tasks->site_count = pass.sites.count;
	tasks->sites = memory_new(pass.sites.count, sizeof *tasks->sites);
	for (uint32_t i = 0; i < pass.sites.count; i++)
		tasks->sites[i] = (struct omp_task_site){pass.sites.sites[i], pass.sums[i]};
	if (pass.sites.count)
		qsort(tasks->sites, tasks->site_count, sizeof *tasks->sites, by_time);
	omp_sites_free(&pass.sites);
	free(pass.sums);
	number_map_free(&pass.threads);
	number_map_free(&pass.pairs);
	return tasks;
}

void omp_tasks_free(struct omp_tasks *tasks)
{
	if (!tasks)
		return;
	free(tasks->sites);
	free(tasks);
}
