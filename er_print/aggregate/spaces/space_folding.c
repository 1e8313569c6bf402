/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through all intervals again, with the appearances that they are of. */
#include "space_folding.h"
#include "storage.h"
#include <stdlib.h>

struct folding {
	struct space_folding *made;
	const struct space_classes *classes;
	const struct appearances *appearances;
	uint32_t class;
	uint32_t *at; /* by thread: the appearance of its last piece */
};

/* The appearance that a piece is of. Two that follow one another are of different classes, or there is a gap between them. */
static const struct appearance *appearance_of(struct folding *folding, const struct space_piece *piece)
{
	const struct appearances *all = folding->appearances;
	const struct space_thread *threads = all->threads;
	uint32_t class = folding->classes->class_of[piece->main_space];
	uint32_t t = appearances_thread(all, piece->experiment, piece->thread);
	if (t == all->thread_count)
		return 0;
	uint32_t *at = &folding->at[t];
	while (*at < threads[t].count) {
		const struct appearance *own = &all->all[threads[t].first + *at];
		if (piece->to <= own->to && own->class == class)
			return own;
		++*at;
	}
	return 0;
}

/* The part of a number that has passed at a moment of a piece; no product can be too large for it. */
static uint64_t passed(uint64_t number, const struct space_piece *piece, uint64_t moment)
{
	if (moment >= piece->to)
		return number;
	return moment <= piece->from
		       ? 0
		       : (uint64_t)((__uint128_t)number * (moment - piece->from) / (piece->to - piece->from));
}

static uint64_t part_end(const struct appearance *own, unsigned part)
{
	return own->from + (uint64_t)((__uint128_t)(own->to - own->from) * (part + 1) / FOLDING_PARTS);
}

static void add_counter(
	const struct folding *folding, const struct appearance *own, const struct space_piece *piece, unsigned k)
{
	const struct appearances *all = folding->appearances;
	bool known = piece->known & 1u << k && (all->by_time[k] || piece->known & 1u << all->base);
	uint64_t base = all->by_time[k] ? piece->to - piece->from : piece->counted[all->base];
	uint64_t counted_before = 0, base_before = 0;
	for (unsigned part = 0; part < FOLDING_PARTS; part++) {
		struct appearance_sum *sum = &folding->made->sums[part][k];
		uint64_t end = part + 1 < FOLDING_PARTS ? part_end(own, part) : piece->to;
		uint64_t counted = passed(piece->counted[k], piece, end), based = passed(base, piece, end);
		sum->counted += counted - counted_before;
		sum->rated += known ? counted - counted_before : 0;
		sum->base += known ? based - base_before : 0;
		counted_before = counted;
		base_before = based;
	}
}

static void add_piece(void *context, const struct space_piece *piece)
{
	struct folding *folding = context;
	const struct appearance *own = appearance_of(folding, piece);
	if (!own || own->class != folding->class || own->intervals < 2)
		return;
	for (unsigned k = 0; k < folding->appearances->counters; k++)
		add_counter(folding, own, piece, k);
}

void space_folding_read(struct space_folding *folding, struct space_model *model, const struct space_classes *classes,
	const struct appearances *appearances, const struct event_filter *filter, uint32_t class)
{
	*folding = (struct space_folding){0};
	for (uint32_t i = 0; i < appearances->count; i++) {
		const struct appearance *own = &appearances->all[i];
		bool folded = own->class == class && own->intervals >= 2;
		folding->appearances += folded;
		folding->time += folded ? own->to - own->from : 0;
	}
	struct folding reading = {
		folding, classes, appearances, class, memory_new(appearances->thread_count, sizeof *reading.at)};
	space_model_visit(model, filter, add_piece, &reading);
	free(reading.at);
}
