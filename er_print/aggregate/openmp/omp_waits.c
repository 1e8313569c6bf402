/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the waits' events, each of which is one wait or the sum of several at one place. */
#include "omp_waits.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

enum { CONSTRUCTS = 13 }; /* later ones are shown as none */

struct pass {
	struct data *data;
	struct omp_sites sites[CONSTRUCTS];
	struct omp_wait_sums *sums[CONSTRUCTS]; /* by site */
	uint32_t capacities[CONSTRUCTS];
	struct omp_wait_sums total;
	struct number_map threads;           /* by number_pair of experiment and thread: from 0 */
	struct number_map pairs[CONSTRUCTS]; /* of a site and a thread that has waited there */
};

static void add(struct omp_wait_sums *sums, uint64_t waits, uint64_t time)
{
	sums->waits += waits;
	sums->time += time;
}

static void add_event(struct pass *pass, uint32_t thread, const struct data_batch *batch, uint32_t i)
{
	uint64_t construct = batch->field[FIELD_INDEX(OPENMP, construct)][i];
	uint64_t waits = batch->field[FIELD_INDEX(OPENMP, waits)][i];
	uint64_t time = batch->field[FIELD_INDEX(OPENMP, duration)][i];
	construct = construct < CONSTRUCTS ? construct : 0;
	struct omp_sites *sites = &pass->sites[construct];
	uint32_t count = sites->count, site = omp_site_of(sites, batch->stack[i]);
	if (site == count) {
		memory_reserve(pass->sums[construct], count, pass->capacities[construct]);
		pass->sums[construct][site] = (struct omp_wait_sums){0};
	}
	uint32_t *pair = number_map_place(&pass->pairs[construct], number_pair(site, thread));
	pass->sums[construct][site].threads += *pair == NO_NUMBER;
	*pair = 0;
	add(&pass->sums[construct][site], waits, time);
	add(&pass->total, waits, time);
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OPENMP, what)][i] != STATE_VALUE(OPENMP, what, wait))
			continue;
		uint32_t *thread = number_map_place(&pass->threads, number_pair(experiment, batch->thread[i]));
		if (*thread == NO_NUMBER)
			*thread = (uint32_t)pass->total.threads++;
		add_event(pass, *thread, batch, i);
	}
}

static int by_time(const void *one, const void *other)
{
	const struct omp_wait_site *a = one, *b = other;
	return COMPARE(b->sums.time, a->sums.time)
		       ?: COMPARE(a->construct, b->construct)
		       ?: COMPARE(a->site.stack, b->site.stack);
}

static void take_sites(struct omp_waits *waits, struct pass *pass)
{
	for (int c = 0; c < CONSTRUCTS; c++)
		waits->site_count += pass->sites[c].count;
	waits->sites = memory_new(waits->site_count, sizeof *waits->sites);
	uint32_t count = 0;
	for (uint64_t c = 0; c < CONSTRUCTS; c++) {
		for (uint32_t i = 0; i < pass->sites[c].count; i++)
			waits->sites[count++] = (struct omp_wait_site){c, pass->sites[c].sites[i], pass->sums[c][i]};
		omp_sites_free(&pass->sites[c]);
		number_map_free(&pass->pairs[c]);
		free(pass->sums[c]);
	}
	if (count)
		qsort(waits->sites, count, sizeof *waits->sites, by_time);
}

struct omp_waits *omp_waits_read(struct data *data, const struct event_filter *filter, struct resolver *resolver)
{
	struct omp_waits *waits = memory_new(1, sizeof *waits);
	struct pass pass = {.data = data};
	for (int c = 0; c < CONSTRUCTS; c++)
		pass.sites[c] = (struct omp_sites){.data = data, .resolver = resolver, .what = SITES_OF_WAITS};
	event_filter_visit(data, KIND_OPENMP, filter, add_batch, &pass);
	waits->total = pass.total;
	take_sites(waits, &pass);
	number_map_free(&pass.threads);
	return waits;
}

void omp_waits_free(struct omp_waits *waits)
{
	if (!waits)
		return;
	free(waits->sites);
	free(waits);
}
