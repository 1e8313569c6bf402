/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls that close descriptors: ours stay open, and the target gets the result that it would get
   if they did not exist (close is in kinds/io/io_calls.def). Where it closes one by a bare system call, the next tick finds out
   (kinds/clock/clock.c). */
#include "descriptors.h"
#include "interpose.h"
#include "system_calls.h"
#include <errno.h>
#include <unistd.h>

int __dup2(int from, int to);

static void (*watchers[2])(unsigned first, unsigned last); /* 0: nobody */

void descriptors_watch(void (*closed)(unsigned first, unsigned last))
{
	unsigned i = 0;
	while (watchers[i] && watchers[i] != closed)
		i++;
	if (!watchers[i]) /* a fork child has them: its copy of the page is to stay its parent's */
		watchers[i] = closed;
}

static void tell(unsigned first, unsigned last)
{
	for (unsigned i = 0; i < sizeof watchers / sizeof *watchers && watchers[i]; i++)
		watchers[i](first, last);
}

int descriptor_absent(void)
{
	errno = EBADF;
	return -1;
}

static bool may_copy(int from, int to)
{
	if (descriptor_is_ours(from))
		return false;
	descriptor_give_way(to);
	tell((unsigned)to, (unsigned)to);
	return true;
}

static int copied(int to)
{
	tell((unsigned)to, (unsigned)to);
	return to;
}

INTERPOSE int dup2(int from, int to)
{
	return copied(may_copy(from, to) ? REAL(dup2)(from, to) : descriptor_absent());
}

INTERPOSE int __dup2(int from, int to)
{
	return copied(may_copy(from, to) ? REAL(__dup2)(from, to) : descriptor_absent());
}

INTERPOSE int dup3(int from, int to, int flags)
{
	return copied(may_copy(from, to) ? REAL(dup3)(from, to, flags) : descriptor_absent());
}

static int close_gap(unsigned first, unsigned last, void *context)
{
	int *flags = context;
	int result = REAL(close_range)(first, last, *flags);
	*flags &= ~(int)CLOSE_RANGE_UNSHARE; /* the first part has done that */
	return result;
}

INTERPOSE int close_range(unsigned first, unsigned last, int flags)
{
	tell(first, last);
	if (first > last)
		return REAL(close_range)(first, last, flags);
	return descriptors_visit_gaps(first, last, close_gap, &flags);
}

INTERPOSE void closefrom(int lowest)
{
	int flags = 0;
	unsigned first = lowest > 0 ? (unsigned)lowest : 0;
	tell(first, ~0u);
	if (descriptors_visit_gaps(first, ~0u, close_gap, &flags) != 0)
		REAL(closefrom)(lowest); /* an old kernel: libc knows another way */
}
