/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the collector, by raw mmap: the target's allocator is never touched. */
#include "pages.h"
#include "place.h"
#include "system_calls.h"
#include <sys/mman.h>

void *pages_map(size_t size)
{
	void *pages = place_map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return sys_failed(pages) ? 0 : pages;
}

void pages_unmap(void *pages, size_t size)
{
	if (pages)
		sys_munmap(pages, size);
}
