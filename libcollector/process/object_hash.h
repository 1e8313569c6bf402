/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of objects that all processes of the experiment know by the same number: a hash of what they are known by. */
#ifndef OBJECT_HASH_H
#define OBJECT_HASH_H

#include "waiters.h"
#include <stdint.h>

/* The first number says what kind of object it is; 0: a pipe or a socket. */
enum { HASH_EVENTFD = 1, HASH_LISTENER, HASH_LOCK };

static inline uint64_t hash_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9E3779B97F4A7C15ull;
	return hash ^ hash >> 29;
}

static inline uint64_t object_of_hash(uint64_t hash)
{
	return OBJECT_SHARED | (hash & OBJECT_NUMBER);
}

#endif
