/* SPDX-License-Identifier: Apache-2.0 */
/* The table, and where the ends of waits go: see waiters.h. */
#include "waiters.h"
#include <string.h>

uint32_t waiters[1 << WAITER_BITS];

void waiters_forget(void)
{
	memset(waiters, 0, sizeof waiters);
}

static void nobody(const struct waking *waking, const void *frame)
{
	(void)waking;
	(void)frame;
}

waking_taker *waking_take = nobody;
