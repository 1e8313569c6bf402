/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the loaded object of an address, in handlers. The own table is double-buffered: readers use the published half
   and check afterwards that it was not rewritten meanwhile. */
#include "modules.h"
#include "architecture.h"
#include "pages.h"
#include "search.h"
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>

#pragma weak _dl_find_object

struct module_table {
	struct module *modules; /* sorted by start */
	uint32_t count, capacity;
};
static struct module_table tables[2];
static uint32_t published; /* atomic: how often a table was published; its lowest bit is the half in use */
static int refreshing;     /* atomic: 1 while a thread rebuilds; 2: and another asked for it again */
static bool own_table;

static bool table_find(uint64_t pc, struct module *module)
{
	for (int tries = 0; tries < 4; tries++) {
		uint32_t version = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
		const struct module_table *table = &tables[version & 1];
		const struct module *modules = table->modules;
		bool found = false;
		uint32_t low = FIRST_WHERE(i, table->count, modules[i].start > pc);
		if (low && pc < modules[low - 1].end) {
			*module = modules[low - 1];
			found = true;
		}
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&published, __ATOMIC_RELAXED) - version < 2) /* the half was not written again */
			return found;
	}
	return false;
}

/* libc describes an object with gaps between its segments by the one segment: then its tables are somewhere else, and
   trusted. */
static void bound_tables(struct module *module)
{
	uint64_t header = (uint64_t)module->eh_frame_hdr;
	bool inside = header >= module->start && header < module->end;
	module->tables_start = inside ? module->start : 0;
	module->tables_end = inside ? module->end : 1ull << ADDRESS_BITS;
}

bool module_find(uint64_t pc, struct module *module)
{
	struct dl_find_object object;
	if (own_table)
		return table_find(pc, module);
	if (_dl_find_object((void *)pc, &object) != 0)
		return false;
	*module = (struct module){.start = (uint64_t)object.dlfo_map_start,
		.end = (uint64_t)object.dlfo_map_end,
		.eh_frame_hdr = object.dlfo_eh_frame};
	bound_tables(module);
	return true;
}

static int count_module(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info, (void)size;
	++*(uint32_t *)data;
	return 0;
}

/* Inserts one object in order; a table that became too small meanwhile leaves the last ones out until the next refresh. */
static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct module_table *table = data;
	struct module module = {.start = ~0ull};
	uint32_t i;
	(void)size;
	for (int k = 0; k < info->dlpi_phnum; k++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[k];
		uint64_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type == PT_LOAD) {
			module.start = start < module.start ? start : module.start;
			module.end = start + header->p_memsz > module.end ? start + header->p_memsz : module.end;
		} else if (header->p_type == PT_GNU_EH_FRAME) {
			module.eh_frame_hdr = (const unsigned char *)start;
		}
	}
	if (module.start >= module.end || table->count == table->capacity)
		return 0;
	bound_tables(&module);
	for (i = table->count++; i && table->modules[i - 1].start > module.start; i--)
		table->modules[i] = table->modules[i - 1];
	table->modules[i] = module;
	return 0;
}

/* The half that nobody reads is rebuilt. An outgrown array stays mapped: a reader may still be in it. */
static void rebuild(void)
{
	struct module_table *table = &tables[(published + 1) & 1];
	uint32_t count = 0;
	dl_iterate_phdr(count_module, &count);
	if (count + 8 > table->capacity) {
		uint32_t capacity = 2 * (count + 8);
		struct module *modules = pages_map(capacity * sizeof *modules);
		if (modules) {
			table->count = 0;
			__atomic_thread_fence(__ATOMIC_RELEASE);
			table->modules = modules;
			table->capacity = capacity;
		}
	}
	table->count = 0;
	dl_iterate_phdr(add_module, table);
	__atomic_fetch_add(&published, 1, __ATOMIC_RELEASE);
}

void modules_refresh(void)
{
	if (!own_table || __atomic_exchange_n(&refreshing, 2, __ATOMIC_ACQUIRE) != 0)
		return;
	int expected = 1;
	do {
		__atomic_store_n(&refreshing, 1, __ATOMIC_RELAXED);
		rebuild();
		expected = 1;
	} while (!__atomic_compare_exchange_n(&refreshing, &expected, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

void modules_start(void)
{
	own_table = !_dl_find_object || getenv(ENVIRONMENT_OWN_MODULES);
	refreshing = 0;
	modules_refresh();
}
