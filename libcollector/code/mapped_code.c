/* SPDX-License-Identifier: Apache-2.0 */
/* When to look for code that the loader does not list. */
#include "mapped_code.h"
#include "collector.h"
#include "modules.h"
#include <errno.h>

#define PASSED_MOST 256u

/* Ticks in generated code find no file: after each look that was in vain twice as many of them pass as before. */
static uint32_t to_pass, passed;

void mapped_code_update(void)
{
	int saved = errno;
	if (collector_recording())
		load_objects_update_all();
	errno = saved;
}

void mapped_code_unmapped(uint64_t address, uint64_t size)
{
	int saved = errno;
	load_objects_unmapped(address, size);
	errno = saved;
}

void mapped_code_tick(uint64_t pc)
{
	struct module module;
	if (module_find(pc, &module))
		return;
	if (__atomic_add_fetch(&passed, 1, __ATOMIC_RELAXED) < __atomic_load_n(&to_pass, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&passed, 0, __ATOMIC_RELAXED);
	uint32_t before = __atomic_load_n(&to_pass, __ATOMIC_RELAXED), next = before ? 2 * before : 1;
	bool known = load_objects_look_in_handler(pc);
	__atomic_store_n(&to_pass, known ? 0 : next < PASSED_MOST ? next : PASSED_MOST, __ATOMIC_RELAXED);
}
