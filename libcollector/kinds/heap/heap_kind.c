/* SPDX-License-Identifier: Apache-2.0 */
/* The heap kind: whether it is recorded, and who the allocator is. */
#include "collector.h"
#include "growth.h"
#include "heap.h"
#include "held.h"
#include "kind.h"
#include "weak_libc.h"
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

bool heap_on;

static struct object {
	uintptr_t address; /* whose object is wanted */
	uintptr_t low, high;
	const char *name;
} allocator;

extern __typeof__(malloc) heap_our_malloc __attribute__((visibility("hidden")));

bool heap_is_allocator(uintptr_t address)
{
	return address - allocator.low < allocator.high - allocator.low;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	struct object *object = data;
	uintptr_t low = UINTPTR_MAX, high = 0;
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD)
			continue;
		low = start < low ? start : low;
		high = start + header->p_memsz > high ? start + header->p_memsz : high;
	}
	if (object->address < low || object->address >= high)
		return 0;
	*object = (struct object){object->address, low, high, info->dlpi_name};
	return 1;
}

/* libc's own calls pass no wrapper, and who else calls from it is the program. */
static void find_allocator(void)
{
	void *kept = 0;
	allocator.address = (uintptr_t)real_function("malloc", &kept);
	dl_iterate_phdr(look_at, &allocator);
	struct object libc = {.address = (uintptr_t)real_function("gnu_get_libc_version", (kept = 0, &kept))};
	dl_iterate_phdr(look_at, &libc);
	if (libc.low == allocator.low)
		allocator.low = allocator.high = 0;
}

/* A function whose address the code of a non-PIE takes has a symbol with the address of a jump in the executable's PLT, by
   which everybody compares that function; who is called stands elsewhere. The symbol is undefined all the same. */
static bool is_jump(const void *address)
{
	Dl_info info;
	void *symbol = 0;
	return dladdr1 && dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) != 0 && symbol &&
	       ((const ElfW(Sym) *)symbol)->st_shndx == SHN_UNDEF;
}

/* Some malloc stands before ours: what it gives passes us by. */
static void look_for_another(void)
{
	struct object other = {.address = (uintptr_t)dlsym(RTLD_DEFAULT, "malloc")};
	if (!other.address || other.address == (uintptr_t)heap_our_malloc || is_jump((void *)other.address))
		return;
	dl_iterate_phdr(look_at, &other);
	collector_log(
		"cwarn", other.name && *other.name
				 ? "heap tracing: a library that comes before the collector has a malloc of its own: "
				   "its blocks are not recorded"
				 : "heap tracing: the executable has a malloc of its own: its blocks are not recorded");
}

static bool wanted(void)
{
	return collector.settings.heap != 0;
}

static void start(void)
{
	static bool known;
	if (!known) {
		find_allocator();
		look_for_another();
	}
	known = true;
	growth_start();
	held_start();
	__atomic_store_n(&heap_on, true, __ATOMIC_RELEASE);
}

const struct kind_operations heap_operations = {.wanted = wanted, .start = start};
