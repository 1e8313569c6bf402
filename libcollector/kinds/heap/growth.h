/* SPDX-License-Identifier: Apache-2.0 */
/* How libc's malloc gets memory for itself: it moves the program break by calls of its own, which no wrapper sees, but libc
   exports where the break is. */
#ifndef GROWTH_H
#define GROWTH_H

#include "heap.h"

struct growth {
	enum state_value what; /* GROWTH or SHRINK */
	uint64_t address, size;
};

/* Where the break is now is how it began. */
void growth_start(void);
/* Whether the break has moved since that was asked last: for one caller only. Async-signal-safe. */
bool growth_look(struct growth *growth);
/* The break was moved by the program itself: that is no growth. */
void growth_forget(void);

extern char *growth_known;
extern char *__curbrk __attribute__((weak));

static inline bool growth_seen(struct growth *growth)
{
	if (__builtin_expect(!&__curbrk || __curbrk == __atomic_load_n(&growth_known, __ATOMIC_RELAXED), 1))
		return false;
	return growth_look(growth);
}

#endif
