/* SPDX-License-Identifier: Apache-2.0 */
/* Packs call frame information into rows and keeps them. */
#include "rows.h"
#include "architecture.h"
#include "cfi.h"
#include "collector.h"
#include "known_starts.h"
#include "modules.h"

/* On pages of its own: count_faults tells them apart. */
struct row_entry row_cache[1 << ROW_CACHE_BITS] __attribute__((aligned(PAGE_UNIT)));
uint32_t row_generation;

enum { CACHE_PAGES = sizeof row_cache / PAGE_UNIT };
_Static_assert(CACHE_PAGES <= 64, "a bit for each page");
static uint64_t written_pages; /* atomic: bit i: page i of the cache */

/* Looking into a page of the cache for the first time is a page fault, and writing to it is another. */
static void count_faults(const struct row_entry *entries)
{
	uint64_t bit = 1ull << ((uintptr_t)((const char *)entries - (const char *)row_cache) / PAGE_UNIT);
	if (!(__atomic_load_n(&written_pages, __ATOMIC_RELAXED) & bit) &&
		!(__atomic_fetch_or(&written_pages, bit, __ATOMIC_RELAXED) & bit))
		count(TALLY_own_faults, 2);
}

static bool is_saved_near(const struct cfi_rule *rule, unsigned base, int64_t offset)
{
	return rule->how == CFI_SAVED_AT && rule->value.kind == CFI_REGISTER && rule->value.base == base &&
	       rule->value.offset == offset;
}

/* The trampoline that libc gives the kernel describes the kernel's frame by expressions of the stack pointer. */
static bool is_kernel_frame(const struct cfi_row *row)
{
	const int64_t base = SIGNAL_REGISTERS_OFFSET;
	return row->signal_frame && row->cfa.kind == CFI_MEMORY && row->cfa.base == DWARF_STACK_POINTER &&
	       row->cfa.offset == base + 8 * SAVED_STACK_POINTER && row->cfa.offset2 == 0 &&
	       is_saved_near(&row->ra, DWARF_STACK_POINTER, base + 8 * SAVED_PC) &&
	       is_saved_near(&row->fp, DWARF_STACK_POINTER, base + 8 * SAVED_FRAME_POINTER);
}

/* The return address must be where the step looks for it: below the CFA, or beside the saved frame pointer, or in the link
   register. */
static bool pack_return(const struct cfi_row *row, uint64_t *word)
{
	if (RETURN_BELOW_CFA)
		return is_saved_near(&row->ra, CFI_BASE_CFA, -8);
	if (row->ra.how == CFI_SAME) {
		*word |= ROW_RETURN_IN_LINK;
		return true;
	}
	return row->fp.how == CFI_SAVED_AT && row->fp.value.kind == CFI_REGISTER &&
	       row->fp.value.base == CFI_BASE_CFA && is_saved_near(&row->ra, CFI_BASE_CFA, row->fp.value.offset + 8);
}

static bool pack_frame_pointer(const struct cfi_row *row, uint64_t *word)
{
	const struct cfi_value *value = &row->fp.value;
	enum row_fp base;
	if (row->fp.how == CFI_SAME || row->fp.how == CFI_UNDEFINED)
		return true;
	if (row->fp.how != CFI_SAVED_AT || value->kind != CFI_REGISTER)
		return false;
	if (value->base == CFI_BASE_CFA)
		base = ROW_FP_FROM_CFA;
	else if (value->base == DWARF_FRAME_POINTER)
		base = ROW_FP_FROM_FP;
	else if (value->base == DWARF_STACK_POINTER)
		base = ROW_FP_FROM_SP;
	else
		return false;
	*word |= (uint64_t)base << 3 | ((uint64_t)(value->offset / 8) & 0x7ffff) << 13;
	return row_fp_offset(*word) == value->offset;
}

static bool pack_cfa(const struct cfi_row *row, uint64_t *word)
{
	const struct cfi_value *cfa = &row->cfa;
	enum row_kind kind;
	if ((cfa->kind != CFI_REGISTER && cfa->kind != CFI_MEMORY) ||
		(cfa->base != DWARF_STACK_POINTER && cfa->base != DWARF_FRAME_POINTER))
		return false;
	if (cfa->base == DWARF_STACK_POINTER)
		kind = cfa->kind == CFI_REGISTER ? ROW_SP : ROW_AT_SP;
	else
		kind = cfa->kind == CFI_REGISTER ? ROW_FP : ROW_AT_FP;
	*word |= kind | (uint64_t)cfa->offset << 32 | ((uint64_t)(cfa->offset2 / 8) & 63) << 7;
	return row_offset(*word) == cfa->offset && row_offset2(*word) == cfa->offset2;
}

static uint64_t pack(const struct cfi_row *row)
{
	uint64_t word = ROW_HAS_MODULE;
	if (!row->found)
		return ROW_NONE | ROW_HAS_MODULE;
	if (row->ra.how == CFI_UNDEFINED)
		return ROW_END | ROW_HAS_MODULE;
	if (is_kernel_frame(row))
		return ROW_SIGNAL | ROW_HAS_MODULE;
	if (row->signal_frame || row->wanted.how == CFI_SAVED_AT || row->sp.how != CFI_SAME ||
		!pack_return(row, &word) || !pack_frame_pointer(row, &word) || !pack_cfa(row, &word))
		return ROW_SLOW | ROW_HAS_MODULE;
	return word;
}

uint64_t row_compute(uint64_t pc, struct row_entry *entries, uint64_t key)
{
	struct module module;
	struct cfi_row cfi;
	uint64_t row;
	if (known_start(pc)) {
		row = ROW_END | ROW_HAS_MODULE;
	} else if (module_find(pc, &module)) {
		cfi_row(pc, &module, 0, DWARF_EXCEPTION_DATA, &cfi);
		row = pack(&cfi);
	} else {
		return ROW_NONE; /* not kept: a module may be loaded there later, without a new generation */
	}
	count_faults(entries);
	/* The newest first; the other way keeps the one before. */
	__atomic_store_n(&entries[1].check, __atomic_load_n(&entries[0].check, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
	__atomic_store_n(&entries[1].row, __atomic_load_n(&entries[0].row, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
	__atomic_store_n(&entries[0].row, row, __ATOMIC_RELAXED);
	__atomic_store_n(&entries[0].check, key ^ row * ROW_HASH, __ATOMIC_RELAXED);
	return row;
}
