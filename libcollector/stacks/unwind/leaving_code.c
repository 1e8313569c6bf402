/* SPDX-License-Identifier: Apache-2.0 */
/* Two counts, each of which is looked at after the other one was raised: see leaving_code.h. */
#include "leaving_code.h"
#include "system_calls.h"
#include <time.h>

enum { WAIT_NANOSECONDS = 50000, WAITS_MOST = 2000 };

static unsigned walks, leaving; /* atomic */

bool code_stays_begin(void)
{
	__atomic_fetch_add(&walks, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&leaving, __ATOMIC_SEQ_CST))
		return true;
	code_stays_end();
	return false;
}

/* Lowers a count that was perhaps reset meanwhile. */
static void lower(unsigned *number)
{
	unsigned seen = __atomic_load_n(number, __ATOMIC_RELAXED);
	while (seen && !__atomic_compare_exchange_n(number, &seen, seen - 1, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

void code_stays_end(void)
{
	lower(&walks);
}

void code_leaves_begin(void)
{
	__atomic_fetch_add(&leaving, 1, __ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < WAITS_MOST; i++) {
		if (!__atomic_load_n(&walks, __ATOMIC_SEQ_CST))
			return;
		struct timespec wait = {.tv_nsec = WAIT_NANOSECONDS};
		system_call(SYS_nanosleep, &wait, 0);
	}
	/* A handler of the target may have left a walk by a jump: it is waited for once. */
	__atomic_store_n(&walks, 0, __ATOMIC_SEQ_CST);
}

void code_leaves_end(void)
{
	lower(&leaving);
}

void leaving_code_start(void)
{
	__atomic_store_n(&walks, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&leaving, 0, __ATOMIC_SEQ_CST);
}
