/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cores that the process may run on, unless fewer are asked for. */
#include "cores.h"

#include <sched.h>
#include <stdlib.h>
#include <strings.h>

static unsigned asked; /* 0: all */

/* More threads than this many have nothing to do: the one that takes what they made is then the slowest. */
enum { USEFUL = 16 };

static unsigned allowed(void)
{
	cpu_set_t set;
	/* Without a set (more processors than it has room for) there are many. */
	unsigned count = sched_getaffinity(0, sizeof set, &set) ? USEFUL : (unsigned)CPU_COUNT(&set);
	return count < 1 ? 1 : count > USEFUL ? USEFUL : count;
}

unsigned cores(void)
{
	static unsigned all;
	if (asked)
		return asked;
	if (!all)
		all = allowed();
	return all;
}

bool cores_set_text(const char *text)
{
	char *end;
	bool all = !strcasecmp(text, "all");
	unsigned long count = strtoul(text, &end, 10);
	if (!all && (*text == '-' || *end || count < 1 || count > CORES_MAX))
		return false;
	asked = all ? 0 : (unsigned)count;
	return true;
}
