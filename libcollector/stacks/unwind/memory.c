/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded reads: rt_sigprocmask with an impossible `how` reads the set first and changes nothing, so EFAULT or EINVAL tells
   whether a page can be read. Needs no descriptor and is allowed by every seccomp filter that lets threads live. */
#include "memory.h"
#include "architecture.h"
#include "system_calls.h"
#include <errno.h>
#include <string.h>

#define PAGES_KEPT (sizeof((struct memory *)0)->pages / sizeof(uint64_t))

static bool page_readable(struct memory *memory, uint64_t address)
{
	uint64_t page = address >> MEMORY_PAGE_SHIFT;
	memory->probed = true;
	if (!page || address >> ADDRESS_BITS)
		return false; /* a page of 0 stands for none below */
	for (unsigned i = 0; i < PAGES_KEPT; i++)
		if (page == memory->pages[i])
			return true;
	if (system_call(SYS_rt_sigprocmask, -1, address & ~7ull, 0, 8) != -EINVAL)
		return false;
	memmove(memory->pages + 1, memory->pages, (PAGES_KEPT - 1) * sizeof *memory->pages);
	memory->pages[0] = page;
	return true;
}

/* Where bytes of the copied stack are now; 0: nowhere. */
static const char *copied(struct memory *memory, uint64_t address, size_t size)
{
	const struct stack_copy *copy = memory->copy;
	if (address >= copy->low && address - copy->low + size <= copy->size)
		return copy->bytes + (address - copy->low);
	if (copy->unchanged && address >= copy->unchanged && address < copy->until && page_readable(memory, address) &&
		page_readable(memory, address + size - 1)) {
		memory->later = true;
		return (const char *)address;
	}
	memory->missing = true;
	return 0;
}

bool memory_read_elsewhere(struct memory *memory, uint64_t address, uint64_t *value)
{
	if (memory->copy) {
		const char *place = address & 7 ? 0 : copied(memory, address, sizeof *value);
		if (place)
			memcpy(value, place, sizeof *value);
		return place;
	}
	if (address & 7 || !page_readable(memory, address))
		return false;
	*value = MEMORY_LOAD(address);
	return true;
}

bool memory_read_bytes(struct memory *memory, uint64_t address, void *bytes, size_t size)
{
	bool probed = memory->probed; /* code is not the stack: what was read there need not be verified again */
	bool readable = page_readable(memory, address) && page_readable(memory, address + size - 1);
	memory->probed = probed;
	if (readable)
		memcpy(bytes, (const void *)address, size);
	return readable;
}

const uint64_t *memory_words(struct memory *memory, uint64_t address, size_t count)
{
	return memory->copy ? (const uint64_t *)copied(memory, address, count * sizeof(uint64_t))
			    : (const uint64_t *)address;
}
