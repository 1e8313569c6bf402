/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums intervals by space, and joins spaces that overlap: in the order of their weight each joins the first leader that it overlaps
   enough, or becomes one. Overlapping is not transitive, so the order is part of the rule. */
#include "space_classes.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

struct summing {
	struct space_counts *counts; /* by space */
	uint32_t count;
	struct number_map threads;
};

static void add_piece(void *context, const struct space_piece *piece)
{
	struct summing *summing = context;
	/* A thread may have been at a space without any time there on the CPU. */
	uint32_t last = piece->space > piece->main_space ? piece->space : piece->main_space;
	for (; summing->count <= last; summing->count++) {
		summing->counts = memory_room(summing->counts, summing->count, sizeof *summing->counts);
		summing->counts[summing->count] = (struct space_counts){0};
	}
	struct space_counts *counts = &summing->counts[piece->space];
	counts->occurrences += !piece->goes_on;
	counts->time += piece->to - piece->from;
	for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++) {
		counts->counted[i] += piece->counted[i];
		counts->unknown[i] += !piece->off_cpu && !(piece->known & 1u << i);
	}
	*number_map_place(&summing->threads, number_pair(piece->experiment, piece->thread)) = 1;
}

static void add_counts(struct space_counts *sum, const struct space_counts *counts)
{
	sum->occurrences += counts->occurrences;
	sum->time += counts->time;
	for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++) {
		sum->counted[i] += counts->counted[i];
		sum->unknown[i] += counts->unknown[i];
	}
}

struct ordering {
	const struct space_model *model;
	const struct summing *summing;
};

static uint64_t weight_of(const struct ordering *ordering, uint32_t space)
{
	return ordering->summing->counts[space].occurrences * ordering->model->table.spaces[space].length;
}

static int by_weight(const void *a, const void *b, void *context)
{
	const struct ordering *ordering = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return COMPARE(weight_of(ordering, y), weight_of(ordering, x))
		       ?: space_compare(&ordering->model->table, ordering->model->resolver, x, y);
}

static int by_share(const void *a, const void *b, void *context)
{
	const struct ordering *ordering = context;
	const struct space_class *x = a, *y = b;
	return COMPARE(y->weight, x->weight)      ?: COMPARE(y->counts.time, x->counts.time)
						     ?: space_compare(&ordering->model->table,
								ordering->model->resolver, x->leader, y->leader);
}

static bool overlaps(const struct space_model *model, uint32_t a, uint32_t b)
{
	const struct code_space *x = &model->table.spaces[a], *y = &model->table.spaces[b];
	double longer = x->length > y->length ? x->length : y->length;
	double shorter = x->length > y->length ? y->length : x->length;
	if (x->kind != SPACE_CODE || y->kind != SPACE_CODE || x->function != y->function ||
		shorter * 100 < longer * model->rules.overlap)
		return false;
	return space_common(&model->table, a, b) * 100.0 >= longer * model->rules.overlap;
}

/* Leaders by function, so that a space is compared with those of its own. */
struct leaders {
	struct number_map last_of; /* by function: its last leader's class */
	uint32_t *before;          /* by class: the leader before it of the same function; NO_NUMBER: none */
};

/* The first leader, that of the most weight, which the space overlaps; NO_NUMBER: none. */
static uint32_t find_leader(const struct space_classes *classes, const struct space_model *model,
	const struct leaders *leaders, uint32_t space)
{
	uint32_t found = NO_NUMBER;
	uint32_t class = number_map_find(&leaders->last_of, model->table.spaces[space].function);
	for (; class != NO_NUMBER; class = leaders->before[class])
		if (overlaps(model, classes->classes[class].leader, space))
			found = class;
	return found;
}

static void join(struct space_classes *classes, const struct ordering *ordering, const uint32_t *order)
{
	const struct summing *summing = ordering->summing;
	struct leaders leaders = {.before = memory_new(summing->count, sizeof *leaders.before)};
	for (uint32_t i = 0; i < summing->count; i++) {
		uint32_t space = order[i];
		uint32_t found = find_leader(classes, ordering->model, &leaders, space);
		if (found == NO_NUMBER) {
			uint32_t *last =
				number_map_place(&leaders.last_of, ordering->model->table.spaces[space].function);
			found = classes->count++;
			leaders.before[found] = *last;
			*last = found;
			classes->classes[found] = (struct space_class){.leader = space};
		}
		struct space_class *class = &classes->classes[found];
		class->spaces++;
		class->weight += weight_of(ordering, space);
		add_counts(&class->counts, &summing->counts[space]);
		classes->class_of[space] = found;
	}
	number_map_free(&leaders.last_of);
	free(leaders.before);
}

/* Puts classes in their order, by what they have after all have joined. */
static void put_in_order(struct space_classes *classes, struct ordering *ordering)
{
	uint32_t *place_of = memory_new(ordering->summing->count, sizeof *place_of);
	if (classes->count)
		qsort_r(classes->classes, classes->count, sizeof *classes->classes, by_share, ordering);
	for (uint32_t c = 0; c < classes->count; c++) {
		place_of[classes->class_of[classes->classes[c].leader]] = c;
		classes->all.spaces += classes->classes[c].spaces;
		classes->all.weight += classes->classes[c].weight;
		add_counts(&classes->all.counts, &classes->classes[c].counts);
	}
	for (uint32_t space = 0; space < ordering->summing->count; space++)
		classes->class_of[space] = place_of[classes->class_of[space]];
	free(place_of);
}

void space_classes_compute(struct space_classes *classes, struct space_model *model, const struct event_filter *filter)
{
	struct summing summing = {0};
	space_model_visit(model, filter, add_piece, &summing);
	struct ordering ordering = {.model = model, .summing = &summing};
	uint32_t *order = memory_new(summing.count, sizeof *order);
	for (uint32_t i = 0; i < summing.count; i++)
		order[i] = i;
	if (summing.count)
		qsort_r(order, summing.count, sizeof *order, by_weight, &ordering);
	*classes = (struct space_classes){.threads = summing.threads.count,
		.classes = memory_new(summing.count, sizeof *classes->classes),
		.class_of = memory_new(summing.count, sizeof *classes->class_of)};
	join(classes, &ordering, order);
	put_in_order(classes, &ordering);
	number_map_free(&summing.threads);
	free(summing.counts);
	free(order);
}

void space_classes_free(struct space_classes *classes)
{
	free(classes->classes);
	free(classes->class_of);
}

bool space_exceeds(uint64_t part, uint64_t whole, double percent)
{
	return (long double)part * 100 > (long double)whole * percent;
}
