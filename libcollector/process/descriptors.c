/* SPDX-License-Identifier: Apache-2.0 */
/* Which descriptors are ours. */
#include "descriptors.h"
#include "collector.h"
#include "system_calls.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>

/* The kernel's table of descriptors is as long as the highest number and copied by fork: not higher than needed. */
enum { HIGHEST = 8192, MOST = HIGHEST / 4 };

/* Where the target may open no more than so many, it needs each. */
enum { FEW = 64 };

static int *owners[MOST]; /* atomic, each: where the number is kept; 0: not in use */
static int base, amount;  /* the numbers [base, base + amount) */
static int used;          /* atomic: those from base + used on never were in use */

void descriptors_start(void)
{
	struct rlimit limit = {1024, 1024};
	system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit);
	int top = limit.rlim_cur < HIGHEST ? (int)limit.rlim_cur : HIGHEST;
	if (amount == 0) { /* else: a fork child, whose numbers stay as they were */
		amount = top > FEW ? top / 4 : 0;
		base = top - amount;
	}
}

__attribute__((hot)) bool descriptor_in_range(int number)
{
	return number >= base && number - base < amount;
}

static bool is_perf(int number)
{
	return descriptor_in_range(number) && __atomic_load_n(&owners[number - base], __ATOMIC_ACQUIRE);
}

/* Whether it is one of the descriptors that the experiment holds open. */
static bool is_held(int number)
{
	return collector_recording() && (experiment_directory_holds(&collector.directory, number) ||
						experiment_directory_holds(&collector.founder, number));
}

/* The lowest from `first` on of what the experiment holds open, unless the target has put something else there. */
static int next_held(int first)
{
	if (!collector_recording() || first < 0)
		return -1;
	int own = experiment_directory_next_held(&collector.directory, first);
	int founder = experiment_directory_next_held(&collector.founder, first);
	return own < 0 || (founder >= 0 && founder < own) ? founder : own;
}

bool descriptor_is_ours(int number)
{
	return is_perf(number) || is_held(number);
}

static void own(int number, int *owner)
{
	int least = number - base + 1, now = __atomic_load_n(&used, __ATOMIC_RELAXED);
	while (now < least &&
		!__atomic_compare_exchange_n(&used, &now, least, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	__atomic_store_n(&owners[number - base], owner, __ATOMIC_RELEASE);
}

static int take_from(int first, int fd, int *owner)
{
	int number = (int)system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, first);
	sys_close(fd);
	if (number < 0)
		return -1;
	if (!descriptor_in_range(number)) {
		sys_close(number);
		return -1;
	}
	own(number, owner);
	return number;
}

int descriptor_take(int fd, int *owner)
{
	return take_from(base, fd, owner);
}

int descriptor_take_spare(int fd, int *owner)
{
	return take_from(base + amount / 2, fd, owner);
}

void descriptor_forget(int number)
{
	if (descriptor_in_range(number))
		__atomic_store_n(&owners[number - base], 0, __ATOMIC_RELEASE);
}

void descriptor_release(int number)
{
	descriptor_forget(number);
	sys_close(number);
}

void descriptor_give_way(int number)
{
	if (!descriptor_in_range(number))
		return;
	int *owner = __atomic_exchange_n(&owners[number - base], 0, __ATOMIC_ACQ_REL);
	if (!owner)
		return;
	int moved = (int)system_call(SYS_fcntl, number, F_DUPFD_CLOEXEC, base);
	if (moved >= 0 && !descriptor_in_range(moved)) {
		sys_close(moved);
		moved = -1;
	}
	if (moved >= 0)
		own(moved, owner);
	__atomic_store_n(owner, moved, __ATOMIC_RELEASE);
}

void descriptors_after_fork(void)
{
	for (int i = 0; i < used; i++)
		if (owners[i]) {
			owners[i] = 0;
			sys_close(base + i);
		}
}

/* The lowest of ours from `first` on; -1: none. */
static int next_of_ours(unsigned first)
{
	int held = next_held((int)first);
	int end = base + __atomic_load_n(&used, __ATOMIC_ACQUIRE);
	for (int number = first > (unsigned)base ? (int)first : base; number < end; number++) {
		if (held >= 0 && number >= held)
			break;
		if (is_perf(number))
			return number;
	}
	return held;
}

int descriptors_visit_gaps(
	unsigned first, unsigned last, int (*f)(unsigned first, unsigned last, void *context), void *context)
{
	int result = 0;
	while (result == 0 && first <= last) {
		int ours = first <= INT_MAX ? next_of_ours(first) : -1;
		if (ours < 0 || (unsigned)ours > last)
			return f(first, last, context);
		if (first < (unsigned)ours)
			result = f(first, (unsigned)ours - 1, context);
		first = (unsigned)ours + 1;
	}
	return result;
}
