/* SPDX-License-Identifier: Apache-2.0 */
/* The account is two bitmaps, of the places where blocks begin and of pages that are mapped, as sparse as the address space
   itself: three levels, made where they are touched and never given back. An address that is taken twice is found once, so
   what the allocator hands out again after the limit is not taken for what it was before. */
#include "held.h"
#include "collector.h"
#include "heap.h"
#include "system_calls.h"
#include <sys/mman.h>

enum {
	LEAF_BITS = 19,   /* places of a leaf: 64 KB */
	MIDDLE_BITS = 12, /* leaves of a middle: 32 KB */
	WORD_BITS = 64,
	BLOCK_SHIFT = 3, /* of allocators that align small blocks to 8 bytes */
	PAGE_SHIFT = 12, /* the smallest page */
	ADDRESS_BITS = 48,
	BLOCK_TOPS = 1 << (ADDRESS_BITS - BLOCK_SHIFT - LEAF_BITS - MIDDLE_BITS),
	PAGE_TOPS = 1 << (ADDRESS_BITS - PAGE_SHIFT - LEAF_BITS - MIDDLE_BITS),
};
#define HUGE_PAGES ((uint64_t)1 << 24) /* 64 GB: nobody's memory, but a reservation */

struct middle {
	uint64_t *leaf[1 << MIDDLE_BITS]; /* atomic */
};
struct account {
	struct middle **middle; /* atomic */
	uint64_t tops;
	bool incomplete; /* atomic: something could not be added; all may be in it */
};

bool held_on;
static struct middle *block_middles[BLOCK_TOPS], *page_middles[PAGE_TOPS];
static struct account blocks = {.middle = block_middles, .tops = BLOCK_TOPS},
		      pages = {.middle = page_middles, .tops = PAGE_TOPS};

void held_start(void)
{
	held_on = collector.settings.size_limit != 0;
}

/* The object that *at points to. The first thread that needs it makes it; 0: it is not there, or cannot be made. */
static void *part(void **at, size_t size, bool make)
{
	void *there = __atomic_load_n(at, __ATOMIC_ACQUIRE), *none = 0;
	if (there || !make)
		return there;
	void *made = sys_mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed(made))
		return 0;
	if (__atomic_compare_exchange_n(at, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	sys_munmap(made, size);
	return none;
}

/* The word that has a place's bit. */
static uint64_t *word_of(struct account *account, uint64_t place, bool make)
{
	uint64_t leaf = place >> LEAF_BITS, top = leaf >> MIDDLE_BITS;
	struct middle *middle = top < account->tops ? part((void **)&account->middle[top], sizeof *middle, make) : 0;
	uint64_t *words =
		middle ? part((void **)&middle->leaf[leaf % (1 << MIDDLE_BITS)], (1 << LEAF_BITS) / 8, make) : 0;
	return words ? words + place % (1 << LEAF_BITS) / WORD_BITS : 0;
}

static bool is_mapping(enum state_value what)
{
	return what == HEAP(mmap) || what == HEAP(mremap) || what == HEAP(brk) || what == HEAP(unmap);
}

static void set_incomplete(struct account *account)
{
	__atomic_store_n(&account->incomplete, true, __ATOMIC_RELAXED);
}

/* Bits of one word: those of `place` up to, not including, `end`. */
static uint64_t mask_of(uint64_t place, uint64_t end)
{
	uint64_t first = place % WORD_BITS, count = end - place < WORD_BITS - first ? end - place : WORD_BITS - first;
	return (count == WORD_BITS ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << first;
}

static uint64_t next_word(uint64_t place)
{
	return (place | (WORD_BITS - 1)) + 1;
}

static void add_span(struct account *account, uint64_t from, uint64_t end)
{
	for (uint64_t place = from; place < end; place = next_word(place)) {
		uint64_t *word = word_of(account, place, true);
		if (!word) {
			set_incomplete(account);
			return;
		}
		__atomic_fetch_or(word, mask_of(place, end), __ATOMIC_RELEASE);
	}
}

/* Whether there is any from `from` to `end`; those from `low` to `high`, which are among them, are taken out. */
static bool take(struct account *account, uint64_t from, uint64_t end, uint64_t low, uint64_t high)
{
	bool found = __atomic_load_n(&account->incomplete, __ATOMIC_RELAXED);
	for (uint64_t place = from; place < end; place = next_word(place)) {
		uint64_t *word = word_of(account, place, false);
		if (!word) {
			/* The whole leaf is empty: releasing a large reservation must not look at each of its pages. */
			place |= (1 << LEAF_BITS) - 1;
			continue;
		}
		uint64_t first = place > low ? place : low;
		uint64_t last = next_word(place) < high ? next_word(place) : high;
		found |= (__atomic_load_n(word, __ATOMIC_ACQUIRE) & mask_of(place, end)) != 0;
		if (first < last)
			__atomic_fetch_and(word, ~mask_of(first, last), __ATOMIC_RELEASE);
	}
	return found;
}

void held_add(enum state_value what, uint64_t address, size_t size)
{
	if (!is_mapping(what)) {
		add_span(&blocks, address >> BLOCK_SHIFT, (address >> BLOCK_SHIFT) + 1);
		return;
	}
	uint64_t from = address >> PAGE_SHIFT, end = (address + size + (1 << PAGE_SHIFT) - 1) >> PAGE_SHIFT;
	if (end - from > HUGE_PAGES)
		set_incomplete(&pages);
	else
		add_span(&pages, from, end);
}

bool held_take(enum state_value what, uint64_t address, size_t size)
{
	if (!is_mapping(what))
		return take(&blocks, address >> BLOCK_SHIFT, (address >> BLOCK_SHIFT) + 1, address >> BLOCK_SHIFT,
			(address >> BLOCK_SHIFT) + 1);
	const uint64_t before_end = (1 << PAGE_SHIFT) - 1;
	uint64_t from = address >> PAGE_SHIFT, end = (address + size + before_end) >> PAGE_SHIFT;
	/* A part of a page that is given back leaves the rest of it. */
	uint64_t low = (address + before_end) >> PAGE_SHIFT, high = (address + size) >> PAGE_SHIFT;
	return end - from > HUGE_PAGES || take(&pages, from, end, low, high);
}
