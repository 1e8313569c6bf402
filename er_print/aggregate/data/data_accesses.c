/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses are kept in the order of time; the heap events are replayed beside them. */
#include "data_accesses.h"
#include "heap_replay.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct reading {
	struct data_accesses *accesses;
	const struct data *data;
};

static void read_batch(void *context, const struct data_batch *batch)
{
	const struct reading *reading = context;
	struct data_accesses *accesses = reading->accesses;
	const uint64_t *counter = batch->field[FIELD_INDEX(OVERFLOW, counter)];
	const uint64_t *address = batch->field[FIELD_INDEX(OVERFLOW, address)];
	for (uint32_t i = 0; i < batch->count; i++) {
		if (!address[i] || !counter_has_addresses(batch->experiment->file, counter[i]))
			continue;
		memory_reserve(accesses->sorted, accesses->count, accesses->capacity);
		accesses->sorted[accesses->count++] = (struct data_access){.time = batch->time[i],
			.address = address[i],
			.experiment = (uint32_t)(batch->experiment - reading->data->experiments)};
	}
}

static int compare(const void *a, const void *b)
{
	const struct data_access *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->time, y->time) ?: COMPARE(x->address, y->address);
}

void data_accesses_read(struct data_accesses *accesses, struct data *data)
{
	data_visit(data, KIND_OVERFLOW, read_batch, &(struct reading){accesses, data});
	if (!accesses->count)
		return;
	qsort(accesses->sorted, accesses->count, sizeof *accesses->sorted, compare);
	/* Two counters may overflow on one access: it is one, with one owner. */
	uint64_t kept = 1;
	for (uint64_t i = 1; i < accesses->count; i++)
		if (compare(&accesses->sorted[kept - 1], &accesses->sorted[i]))
			accesses->sorted[kept++] = accesses->sorted[i];
	accesses->count = kept;
}

void data_accesses_free(struct data_accesses *accesses)
{
	free(accesses->sorted);
	*accesses = (struct data_accesses){0};
}

const struct data_access *data_accesses_find(
	const struct data_accesses *accesses, uint32_t experiment, uint64_t time, uint64_t address)
{
	const struct data_access key = {.experiment = experiment, .time = time, .address = address};
	return accesses->count ? bsearch(&key, accesses->sorted, accesses->count, sizeof *accesses->sorted, compare)
			       : 0;
}

/* One process's accesses and the owner of each address that one of them has. */
struct owners {
	struct data_accesses *accesses;
	const struct data *data;
	struct data_access *next, *end; /* accesses of the process whose owner is not known yet */
	uint64_t *addresses;            /* ascending, each once */
	uint32_t *stack;                /* by place in `addresses`: of the allocation that is there now */
	uint64_t count;
	uint64_t painted; /* places, so far */
};

/* A hostile experiment could have every block hold every address. Beyond this nothing is known of any. */
#define PAINTED_MAX (1ull << 32)

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return COMPARE(*x, *y);
}

/* The first place at an address or after it. */
static uint64_t place_of(const struct owners *owners, uint64_t address)
{
	return FIRST_WHERE(i, owners->count, owners->addresses[i] >= address);
}

static struct data_access *first_of(const struct data_accesses *accesses, uint32_t experiment)
{
	uint64_t low = FIRST_WHERE(i, accesses->count, accesses->sorted[i].experiment >= experiment);
	return accesses->sorted + low;
}

static void begin_experiment(void *context, const struct loaded_experiment *experiment)
{
	struct owners *owners = context;
	uint32_t index = (uint32_t)(experiment - owners->data->experiments);
	owners->next = first_of(owners->accesses, index);
	owners->end = first_of(owners->accesses, index + 1);
	uint64_t count = (uint64_t)(owners->end - owners->next), kept = 0;
	owners->addresses = memory_new(count, sizeof *owners->addresses);
	owners->stack = memory_new(count, sizeof *owners->stack);
	for (uint64_t i = 0; i < count; i++)
		owners->addresses[i] = owners->next[i].address;
	qsort(owners->addresses, count, sizeof *owners->addresses, compare_numbers);
	for (uint64_t i = 0; i < count; i++)
		if (!kept || owners->addresses[kept - 1] != owners->addresses[i])
			owners->addresses[kept++] = owners->addresses[i];
	owners->count = kept;
}

/* Resolves the accesses before that time by the objects that are there now. */
static void settle(struct owners *owners, uint64_t time)
{
	for (; owners->next < owners->end && owners->next->time < time; owners->next++)
		if (owners->painted < PAINTED_MAX)
			owners->next->stack = owners->stack[place_of(owners, owners->next->address)];
}

/* Only the addresses that some access has are marked, not the blocks: a program allocates millions of blocks, and few of them are
   sampled. */
static void paint(struct owners *owners, const struct heap_piece *piece, uint32_t stack)
{
	for (uint64_t i = place_of(owners, piece->address);
		i < owners->count && owners->addresses[i] - piece->address < piece->size &&
		owners->painted < PAINTED_MAX;
		i++, owners->painted++)
		owners->stack[i] = stack;
}

static void allocated(void *context, uint64_t time, const struct heap_piece *piece)
{
	settle(context, time);
	paint(context, piece, piece->stack);
}

static void released(void *context, uint64_t time, const struct heap_piece *piece)
{
	settle(context, time);
	paint(context, piece, 0);
}

static void end(void *context, const struct loaded_experiment *experiment, const struct heap_oddities *oddities)
{
	struct owners *owners = context;
	(void)experiment, (void)oddities;
	settle(owners, UINT64_MAX);
	free(owners->addresses);
	free(owners->stack);
}

void data_accesses_find_blocks(struct data_accesses *accesses, struct data *data)
{
	struct owners owners = {.accesses = accesses, .data = data};
	if (accesses->count)
		heap_replay(data, 0,
			&(struct heap_listener){.context = &owners,
				.begin = begin_experiment,
				.end = end,
				.allocated = allocated,
				.released = released});
}
