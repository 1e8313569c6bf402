/* SPDX-License-Identifier: Apache-2.0 */
/* Where the calling thread's stack is. */
#include "stack_bounds.h"
#include "layout.h"
#include "system_calls.h"
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

/* The kernel keeps at least so much below the first stack free of mappings (MIN_GAP of its mmap_base()), whatever the limit
   was when the program began. */
enum { FREE_BELOW_FIRST = 128 << 20 };

static uintptr_t size_limit(void)
{
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
	system_call(SYS_prlimit64, 0, RLIMIT_STACK, 0, &limit);
	return limit.rlim_cur < FREE_BELOW_FIRST ? (uintptr_t)limit.rlim_cur : FREE_BELOW_FIRST;
}

struct stack_bounds stack_bounds_of_process(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), size = size_limit();
	/* The kernel puts the name of the executed file above everything else on the first stack. */
	const char *name = (const char *)getauxval(AT_EXECFN);
	uintptr_t high = name ? ((uintptr_t)name + strlen(name) + PAGE_UNIT) & ~(uintptr_t)(PAGE_UNIT - 1) : 0;
	uintptr_t low = high > size ? high - size : 0;
	return here >= low && here < high ? (struct stack_bounds){low, high} : (struct stack_bounds){0, 0};
}

struct stack_wanted stack_wanted(const pthread_attr_t *attributes)
{
	pthread_attr_t usual;
	void *start = 0;
	size_t size = 0, guard = 0;
	if (!attributes) {
		pthread_attr_init(&usual);
		attributes = &usual;
	}
	/* libc computes the start from an end, which is 0 where nobody provides a stack. */
	if (pthread_attr_getstack(attributes, &start, &size) == 0 && (uintptr_t)start + size != 0)
		return (struct stack_wanted){(uintptr_t)start, size, 0};
	/* Where nobody set the stack size of the attributes, that call says 0, and this one the default. */
	if (pthread_attr_getstacksize(attributes, &size) != 0 || pthread_attr_getguardsize(attributes, &guard) != 0)
		return (struct stack_wanted){0, 0, 0};
	return (struct stack_wanted){0, size, guard};
}

struct stack_bounds stack_bounds_of_created(const struct stack_wanted *wanted)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	/* glibc keeps a thread's descriptor at the top of its stack, also of a stack that the target provides. Before 2.27 the
	   guard is a part of the size; either is rounded to pages. */
	uintptr_t high = (uintptr_t)pthread_self(), low = wanted->start, unsure = wanted->guard + 2 * PAGE_UNIT;
	if (!low && wanted->size > unsure)
		low = high - wanted->size + unsure;
	return low && here >= low && here < high ? (struct stack_bounds){low, high} : (struct stack_bounds){0, 0};
}
