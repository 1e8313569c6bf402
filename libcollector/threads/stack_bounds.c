/* SPDX-License-Identifier: Apache-2.0 */
/* Where the calling thread's stack is. */
#include "stack_bounds.h"
#include "layout.h"
#include "system_calls.h"
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

enum { LARGEST = 1 << 30 }; /* of a stack without a limit */

static uintptr_t size_limit(void)
{
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
	system_call(SYS_prlimit64, 0, RLIMIT_STACK, 0, &limit);
	return limit.rlim_cur < LARGEST ? (uintptr_t)limit.rlim_cur : LARGEST;
}

void stack_bounds(uintptr_t *low, uintptr_t *high)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	/* glibc keeps a thread's descriptor at the top of its stack, also of a stack that the target provides. */
	*high = (uintptr_t)pthread_self();
	if (*high < here) { /* the first thread, whose descriptor is elsewhere */
		/* The kernel puts the name of the executed file above everything else on the first stack. */
		const char *name = (const char *)getauxval(AT_EXECFN);
		*high = name ? ((uintptr_t)name + strlen(name) + PAGE_UNIT) & ~(uintptr_t)(PAGE_UNIT - 1) : 0;
	}
	uintptr_t size = size_limit();
	if (*high < here)
		*low = *high = 0;
	else
		*low = *high > size ? *high - size : 0;
}
