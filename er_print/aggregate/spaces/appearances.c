/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the pieces of each thread to appearances. */
#include "appearances.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

struct reading {
	struct appearances *made; /* in the order in which they began, over all threads */
	const struct space_classes *classes;
	struct number_map thread_of; /* by number_pair of experiment and thread */
	uint32_t *last_of;           /* by thread: its last appearance */
	bool *in_first;              /* by thread: only its first interval was met */
	struct depths {
		uint32_t first, last; /* of the frames of its first interval and its last one */
	} * depths;                   /* by appearance */
};

static uint32_t thread_of(struct reading *reading, const struct space_piece *piece, bool *first)
{
	struct appearances *made = reading->made;
	uint32_t *place = number_map_place(&reading->thread_of, number_pair(piece->experiment, piece->thread));
	*first = *place == NO_NUMBER;
	if (*first) {
		*place = made->thread_count;
		made->threads = memory_room(made->threads, made->thread_count, sizeof *made->threads);
		reading->last_of = memory_room(reading->last_of, made->thread_count, sizeof *reading->last_of);
		reading->in_first = memory_room(reading->in_first, made->thread_count, sizeof *reading->in_first);
		made->threads[made->thread_count++] =
			(struct space_thread){.experiment = piece->experiment, .number = piece->thread};
	}
	return *place;
}

/* A number for when and where an appearance began. */
static uint32_t identity_hash(const struct space_piece *piece)
{
	uint64_t hash = hash_pair(hash_pair(piece->experiment, piece->thread), piece->from);
	return (uint32_t)(hash ^ hash >> 32);
}

static void begin(struct reading *reading, const struct space_piece *piece, uint32_t thread, bool after_none)
{
	struct appearances *made = reading->made;
	uint32_t class = reading->classes->class_of[piece->main_space];
	made->all = memory_room(made->all, made->count, sizeof *made->all);
	reading->depths = memory_room(reading->depths, made->count, sizeof *reading->depths);
	reading->depths[made->count].first = piece->depth;
	reading->in_first[thread] = true;
	made->all[made->count] =
		(struct appearance){.from = piece->from, .thread = thread, .class = class, .after_none = after_none};
	sum_choice_add(&made->sums, class, identity_hash(piece));
	reading->last_of[thread] = made->count++;
}

static void add_counts(struct appearances *made, uint32_t appearance, const struct space_piece *piece, bool in_first)
{
	uint64_t time = piece->to - piece->from;
	for (unsigned i = 0; i < made->counters; i++) {
		uint64_t counted = piece->counted[i];
		bool known = piece->known & 1u << i && (made->by_time[i] || piece->known & 1u << made->base);
		uint64_t base = !known ? 0 : made->by_time[i] ? time : piece->counted[made->base];
		made->total[i] += counted;
		sum_choice_count(&made->sums, appearance, made->all[appearance].class, i,
			&(struct appearance_sum){(double)counted, in_first ? (double)counted : 0,
				known ? (double)counted : 0, (double)base});
	}
}

static void add_piece(void *context, const struct space_piece *piece)
{
	struct reading *reading = context;
	struct appearances *made = reading->made;
	bool first;
	uint32_t thread = thread_of(reading, piece, &first);
	const struct appearance *last = first ? 0 : &made->all[reading->last_of[thread]];
	bool after_none = !last || last->to != piece->from;
	bool begins = after_none || last->class != reading->classes->class_of[piece->main_space];
	if (begins)
		begin(reading, piece, thread, after_none);
	else
		reading->in_first[thread] &= piece->same_interval;
	uint32_t number = reading->last_of[thread];
	struct appearance *own = &made->all[number];
	own->to = piece->to;
	own->intervals += !piece->nested && (begins || !piece->goes_on);
	reading->depths[number].last = piece->depth;
	add_counts(made, number, piece, reading->in_first[thread]);
}

static int by_thread(const void *a, const void *b, void *context)
{
	const struct appearances *made = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct space_thread *x = &made->threads[made->all[i].thread], *y = &made->threads[made->all[j].thread];
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->number, y->number) ?: COMPARE(i, j);
}

static int by_number(const void *a, const void *b)
{
	const struct space_thread *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->number, y->number);
}

/* A row of what is known of each appearance. */
struct known {
	struct appearance appearance;
	struct depths depths;
	uint32_t row_of_sums;
};

static struct known known_of(const struct appearances *made, const struct depths *depths, uint32_t appearance)
{
	return (struct known){made->all[appearance], depths[appearance], made->sums.row_of[appearance]};
}

static void set_known(struct appearances *made, struct depths *depths, uint32_t appearance, const struct known *known)
{
	made->all[appearance] = known->appearance;
	depths[appearance] = known->depths;
	made->sums.row_of[appearance] = known->row_of_sums;
}

/* Puts the appearance `order[i]` at i, in place, round by round; the order is lost. */
static void rearrange(struct appearances *made, struct depths *depths, uint32_t *order)
{
	for (uint32_t start = 0; start < made->count; start++) {
		const struct known first = known_of(made, depths, start);
		uint32_t at = start;
		for (uint32_t next = order[at]; next != start; next = order[at]) {
			const struct known moved = known_of(made, depths, next);
			set_known(made, depths, at, &moved);
			order[at] = at;
			at = next;
		}
		set_known(made, depths, at, &first);
		order[at] = at;
	}
}

static void mark_passages(struct appearances *made, const struct depths *depths)
{
	for (uint32_t i = 1; i + 1 < made->count; i++) {
		struct appearance *own = &made->all[i];
		own->passage = own->intervals == 1 && !own->after_none && !own[1].after_none &&
			       depths[i].first < depths[i - 1].last && depths[i].last < depths[i + 1].first;
	}
}

static void put_in_order(struct appearances *made, struct depths *depths)
{
	uint32_t *order = memory_new(made->count, sizeof *order);
	for (uint32_t i = 0; i < made->count; i++)
		order[i] = i;
	if (made->count)
		qsort_r(order, made->count, sizeof *order, by_thread, made);
	rearrange(made, depths, order);
	free(order);
	uint32_t old = NO_NUMBER, thread = NO_NUMBER;
	if (made->thread_count)
		qsort(made->threads, made->thread_count, sizeof *made->threads, by_number);
	for (uint32_t i = 0; i < made->count; i++) {
		thread += made->all[i].thread != old; /* the first is 0 */
		old = made->all[i].thread;
		made->all[i].thread = thread;
		if (!made->threads[thread].count++)
			made->threads[thread].first = i;
	}
}

void appearances_read(struct appearances *appearances, struct space_model *model, const struct space_classes *classes,
	const struct event_filter *filter)
{
	*appearances = (struct appearances){.counters = model->counters.count, .base = model->counters.instructions};
	for (unsigned i = 0; i < appearances->counters; i++)
		appearances->by_time[i] = appearances->base == SPACE_COUNTERS_MAX || appearances->base == i ||
					  model->counters.counter[i].is_time;
	sum_choice_begin(&appearances->sums, appearances->counters, classes->count, model->rules.counts);
	struct reading reading = {.made = appearances, .classes = classes};
	space_model_visit(model, filter, add_piece, &reading);
	put_in_order(appearances, reading.depths);
	sum_choice_enlarge(&appearances->sums);
	mark_passages(appearances, reading.depths);
	free(reading.depths);
	free(reading.in_first);
	number_map_free(&reading.thread_of);
	free(reading.last_of);
}

struct appearance_sum appearance_own_sum(const struct appearances *appearances, uint32_t appearance, unsigned counter)
{
	const struct appearance_sum *sum = appearance_sum(appearances, appearance, counter);
	size_t class = appearances->all[appearance].class;
	const struct appearance_sum *factors = &appearances->sums.factors[class * appearances->counters + counter];
	return (struct appearance_sum){round(sum->counted / factors->counted), round(sum->first / factors->first),
		round(sum->rated / factors->rated), round(sum->base / factors->base)};
}

void appearances_free(struct appearances *appearances)
{
	free(appearances->threads);
	free(appearances->all);
	sum_choice_free(&appearances->sums);
}

struct appearance_order appearances_by_class(const struct appearances *appearances, uint32_t classes)
{
	struct appearance_order made = {
		memory_new(classes + 2, sizeof *made.first), memory_new(appearances->count, sizeof *made.order)};
	for (uint32_t i = 0; i < appearances->count; i++)
		made.first[appearances->all[i].class + 2]++;
	for (uint32_t c = 2; c <= classes; c++)
		made.first[c] += made.first[c - 1];
	for (uint32_t i = 0; i < appearances->count; i++)
		made.order[made.first[appearances->all[i].class + 1]++] = i;
	return made;
}

void appearance_order_free(struct appearance_order *order)
{
	free(order->first);
	free(order->order);
}
