/* SPDX-License-Identifier: Apache-2.0 */
/* Where the context switches of blocking calls go: see blocking_call.h. */
#include "blocking_call.h"

static void nobody(const struct blocking_call *call, const void *frame)
{
	(void)call;
	(void)frame;
}

blocking_call_taker *blocking_call_take = nobody;

uint64_t blocking_call_long;
