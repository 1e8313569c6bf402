/* SPDX-License-Identifier: Apache-2.0 */
/* Counting what is unusable. */
#include "parts.h"
#include <stdarg.h>
#include <stdio.h>

void damage_count(struct experiment *experiment, uint64_t *number, uint64_t n, const char *format, ...)
{
	struct experiment_private *private = experiment->private;
	__atomic_fetch_add(number, n, __ATOMIC_RELAXED);
	if (__atomic_exchange_n(&private->damage_noted, 1, __ATOMIC_RELAXED))
		return;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(experiment->damage.first, sizeof(experiment->damage.first), format, arguments);
	va_end(arguments);
}
