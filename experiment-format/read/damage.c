/* SPDX-License-Identifier: Apache-2.0 */
/* Counting what is unusable. */
#include "parts.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void part_is_missing(struct experiment *experiment, uint64_t *number, const char *file)
{
	for (unsigned i = 0; i < experiment->source_count; i++)
		if (experiment->sources[i].block_count) {
			damage_count(experiment, number, 1, "%s: %s", file,
				errno == EINVAL || errno == ELOOP ? "it is no regular file" : strerror(errno));
			return;
		}
}

void damage_count(struct experiment *experiment, uint64_t *number, uint64_t n, const char *format, ...)
{
	struct experiment_private *private = experiment->private;
	__atomic_fetch_add(number, n, __ATOMIC_RELAXED);
	/* The first text is kept, and only that: later damage mostly follows from it. Several threads read blocks at once. */
	if (__atomic_exchange_n(&private->damage_noted, 1, __ATOMIC_RELAXED))
		return;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(experiment->damage.first, sizeof(experiment->damage.first), format, arguments);
	va_end(arguments);
}
