/* SPDX-License-Identifier: Apache-2.0 */
/* Counting what is unusable. */
#include "layout.h"
#include "parts.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Damage that is found when an experiment is opened, before its blocks are read, is told first: later damage mostly follows from
   it. */
enum { PLACE_OPENING, PLACE_FIRST_SOURCE };
/* A place in a file, after its source's number. */
#define PLACE_OFFSET_BITS 48

void part_is_missing(struct experiment *experiment, uint64_t *number, const char *file)
{
	for (unsigned i = 0; i < experiment->source_count; i++)
		if (experiment->sources[i].block_count) {
			damage_count(experiment, number, 1, "%s: %s", file,
				errno == EINVAL || errno == ELOOP ? "it is no regular file" : strerror(errno));
			return;
		}
}

static void note(struct experiment *experiment, uint64_t place, const char *text)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct experiment_private *private = experiment->private;
	pthread_mutex_lock(&lock);
	if (!private->damage_noted || place < private->damage_place) {
		snprintf(experiment->damage.first, sizeof(experiment->damage.first), "%s", text);
		private->damage_noted = true;
		private->damage_place = place;
	}
	pthread_mutex_unlock(&lock);
}

void damage_count(struct experiment *experiment, uint64_t *number, uint64_t n, const char *format, ...)
{
	char text[sizeof(experiment->damage.first)];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	__atomic_fetch_add(number, n, __ATOMIC_RELAXED);
	note(experiment, PLACE_OPENING, text);
}

void damage_count_in_block(struct experiment *experiment, const struct event_source *source, uint64_t offset,
	uint64_t *number, const char *what)
{
	char text[sizeof(experiment->damage.first)];
	uint64_t index = (uint64_t)(source - experiment->sources) + PLACE_FIRST_SOURCE;
	snprintf(text, sizeof(text), "%s%s: %s in the block at offset %llu", source->name, EVENT_FILE_SUFFIX, what,
		(unsigned long long)offset);
	__atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
	note(experiment, index << PLACE_OFFSET_BITS | offset, text);
}
