/* SPDX-License-Identifier: Apache-2.0 */
/* Watching the program break. */
#include "growth.h"

/* malloc() moves the break by a call within libc that no wrapper sees. But libc keeps the break in a variable, and a comparison
   with it costs a malloc() next to nothing. */
char *growth_known; /* atomic */

static char *now(void)
{
	return &__curbrk ? __atomic_load_n(&__curbrk, __ATOMIC_RELAXED) : 0;
}

void growth_start(void)
{
	growth_known = now();
}

void growth_forget(void)
{
	__atomic_store_n(&growth_known, now(), __ATOMIC_RELAXED);
}

bool growth_look(struct growth *growth)
{
	char *known = __atomic_load_n(&growth_known, __ATOMIC_RELAXED), *end = now();
	if (end == known ||
		!__atomic_compare_exchange_n(&growth_known, &known, end, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return false;
	*growth = end > known ? (struct growth){HEAP(growth), (uint64_t)known, (uint64_t)(end - known)}
			      : (struct growth){HEAP(shrink), (uint64_t)end, (uint64_t)(known - end)};
	return known != 0; /* nobody had a break before */
}
