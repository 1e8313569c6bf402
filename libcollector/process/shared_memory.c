/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges are only added to; when one has changed, all are forgotten. */
#include "shared_memory.h"
#include "blocking_call.h"
#include "claim.h"
#include "object_hash.h"
#include "process_maps.h"
#include <errno.h>

enum { RANGES_MOST = 64 }; /* a program that uses more of them has only these */

static struct range {
	uint64_t start, end;
	uint64_t file; /* a hash; 0: the memory is the process's own */
	uint64_t offset;
} ranges[RANGES_MOST];
/* The low half says how many there are; the high half changes when they are forgotten. */
static uint64_t state;
struct shared_memory_kept shared_memory_kept;
static int claim; /* of who adds */

static uint32_t count_in(uint64_t of)
{
	return (uint32_t)of;
}
static uint32_t changes_in(uint64_t of)
{
	return (uint32_t)(of >> 32);
}

static uint64_t object_in(const struct range *range, uint64_t address)
{
	if (!range->file)
		return address;
	return object_of_hash(hash_mix(range->file, address - range->start + range->offset));
}

/* 0: the address is in no range that is kept. */
static uint64_t kept_object(uint64_t address)
{
	uint64_t before = __atomic_load_n(&state, __ATOMIC_ACQUIRE), object = 0;
	for (uint32_t i = 0; i < count_in(before) && !object; i++)
		if (address >= ranges[i].start && address < ranges[i].end)
			object = object_in(&ranges[i], address);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return changes_in(__atomic_load_n(&state, __ATOMIC_RELAXED)) == changes_in(before) ? object : 0;
}

struct search {
	uint64_t address;
	struct range found;
};

static bool look_at(const struct mapping *mapping, void *data)
{
	struct search *search = data;
	if (search->address < mapping->start || search->address >= mapping->end)
		return false;
	search->found = (struct range){.start = mapping->start, .end = mapping->end, .offset = mapping->file_offset};
	if (mapping->shared)
		search->found.file = hash_mix(hash_mix(hash_mix(0, HASH_LOCK), mapping->device), mapping->inode) | 1;
	return true;
}

static void widen(uint64_t start, uint64_t end)
{
	if (!shared_memory_kept.low || start < shared_memory_kept.low)
		__atomic_store_n(&shared_memory_kept.low, start, __ATOMIC_RELAXED);
	if (end > shared_memory_kept.high)
		__atomic_store_n(&shared_memory_kept.high, end, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* The bounds are wide enough before /proc is read, so that who changes the place meanwhile has it forgotten. */
static void learn(struct search *search)
{
	static char buffer[8192];
	if (count_in(__atomic_load_n(&state, __ATOMIC_RELAXED)) == RANGES_MOST || !claim_try(&claim))
		return;
	int saved = errno;
	widen(search->address, search->address + 1);
	uint64_t before = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
	process_maps_visit(buffer, sizeof buffer, look_at, search);
	if (search->found.end && count_in(before) < RANGES_MOST) {
		widen(search->found.start, search->found.end);
		ranges[count_in(before)] = search->found;
		__atomic_compare_exchange_n(&state, &before, before + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	errno = saved;
	claim_leave(&claim);
}

uint64_t shared_memory_object(uint64_t address)
{
	if (!has_states(current_thread))
		return address;
	uint64_t object = kept_object(address);
	if (object)
		return object;
	struct search search = {.address = address};
	learn(&search);
	return search.found.end ? object_in(&search.found, address) : address;
}

static void forget(void)
{
	uint64_t before = __atomic_load_n(&state, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&state, &before, (uint64_t)(changes_in(before) + 1) << 32, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

/* A thread that adds a range now may have read what was there before. */
void shared_memory_changed_between(uint64_t start, uint64_t end)
{
	bool changed = __atomic_load_n(&claim, __ATOMIC_ACQUIRE);
	uint32_t count = count_in(__atomic_load_n(&state, __ATOMIC_ACQUIRE));
	for (uint32_t i = 0; i < count && !changed; i++)
		changed = start < ranges[i].end && end > ranges[i].start;
	if (changed)
		forget();
}

void shared_memory_forked(void)
{
	claim_leave(&claim);
}
