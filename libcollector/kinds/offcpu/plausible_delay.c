/* SPDX-License-Identifier: Apache-2.0 */
/* Files of /proc are read for long times only: see plausible_delay.h. */
#include "plausible_delay.h"
#include "proc_text.h"
#include <string.h>

/* A control group that has used up its share may wait until its next period, mostly a tenth of a second; and each thread that can
   run takes a few time slices of three milliseconds before others. Nanoseconds. */
enum { PLAUSIBLE = 200000000, FOR_EACH = 10000000 };

static const char *number(const char *text, long *value)
{
	bool negative = *text == '-';
	*value = 0;
	for (text += negative; *text >= '0' && *text <= '9'; text++)
		*value = *value * 10 + (*text - '0');
	*value = negative ? -*value : *value;
	return text;
}

/* "6.18.44-generic" */
static bool errs(const char *release)
{
	long major, minor = 0;
	const char *after = number(release, &major);
	if (*after == '.')
		number(after + 1, &minor);
	return major > 6 || (major == 6 && minor >= 12);
}

/* "0.25 0.30 0.41 3/210 4711": the mean over a minute of what ran or could run, three such, and how many do now. */
static uint64_t threads_to_run(const char *load)
{
	long mean, now = 0;
	number(load, &mean);
	for (unsigned spaces = 0; *load; load++)
		if (*load == ' ' && ++spaces == 3)
			number(load + 1, &now);
	return (uint64_t)(mean + 1 > now ? mean + 1 : now);
}

/* Field 19 is how nice the thread is, 41 its scheduling policy; the first after the name in parentheses is field 3. */
static bool is_ordinary(const char *stat)
{
	enum { NICE = 19, POLICY = 41 };
	long nice = 0, policy = 0;
	const char *at = strrchr(stat, ')');
	for (unsigned field = 2; at && *at; at++)
		if (*at == ' ' && (++field == NICE || field == POLICY))
			number(at + 1, field == NICE ? &nice : &policy);
	return at && nice <= 0 && policy == 0;
}

bool delay_is_plausible_by(uint64_t nanoseconds, const char *release, const char *load, const char *stat)
{
	return nanoseconds <= PLAUSIBLE || !*release || !*load || !errs(release) || !is_ordinary(stat) ||
	       nanoseconds <= PLAUSIBLE + FOR_EACH * threads_to_run(load);
}

bool delay_is_plausible(uint64_t nanoseconds)
{
	char release[64], load[128], stat[1024];
	if (nanoseconds <= PLAUSIBLE)
		return true;
	proc_text_read("/proc/sys/kernel/osrelease", release, sizeof release);
	proc_text_read("/proc/loadavg", load, sizeof load);
	proc_text_read("/proc/thread-self/stat", stat, sizeof stat);
	return delay_is_plausible_by(nanoseconds, release, load, stat);
}
