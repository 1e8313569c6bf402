/* SPDX-License-Identifier: Apache-2.0 */
/* Signal masks as the kernel has them: 64 bits, and the bit that is ours. Async-signal-safe. */
#ifndef SIGNAL_MASK_H
#define SIGNAL_MASK_H

#include "our_signal.h"
#include "system_calls.h"
#include <string.h>

#define OUR_BIT     (1ull << (OUR_SIGNAL - 1))
#define ALL_SIGNALS (~0ull)

/* rt_sigprocmask. Returns the mask before. */
static inline uint64_t kernel_mask(int how, uint64_t mask)
{
	uint64_t before = 0;
	system_call(SYS_rt_sigprocmask, how, &mask, &before, sizeof(mask));
	return before;
}

/* The first 64 bits of a sigset_t are all that the kernel has. */
static inline uint64_t mask_of(const sigset_t *set)
{
	uint64_t mask;
	memcpy(&mask, set, sizeof(mask));
	return mask;
}

static inline void mask_to(sigset_t *set, uint64_t mask)
{
	memcpy(set, &mask, sizeof(mask));
}

static inline bool mask_has_ours(const sigset_t *set)
{
	return (mask_of(set) & OUR_BIT) != 0;
}

/* A copy of a set, with our bit as given. */
static inline sigset_t mask_with_ours(const sigset_t *set, bool ours)
{
	sigset_t copy = *set;
	mask_to(&copy, ours ? mask_of(set) | OUR_BIT : mask_of(set) & ~OUR_BIT);
	return copy;
}

#endif
