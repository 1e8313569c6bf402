/* SPDX-License-Identifier: Apache-2.0 */
/* The object behind a descriptor: a pipe, an eventfd or a connected socket. All processes of the experiment know it by the same
   number. */
#ifndef DESCRIPTOR_OBJECTS_H
#define DESCRIPTOR_OBJECTS_H

#include "descriptor_table.h"
#include "waiters.h"

/* By descriptor: an object, or less for what has none: OBJECT_SOCKET, if it is a socket, and something besides 0. */
extern struct descriptor_table descriptor_objects __attribute__((visibility("hidden")));

/* Looks it up and keeps it. errno stays as it is. */
uint64_t descriptor_object_learn(int descriptor);
static inline __attribute__((always_inline)) uint64_t descriptor_object(int descriptor)
{
	uint64_t object = descriptor_number(&descriptor_objects, descriptor);
	return __builtin_expect(object != 0, 1) || descriptor < 0 ? object : descriptor_object_learn(descriptor);
}

/* The object that a read waits for, and that a write gives; 0: none. */
static inline uint64_t object_read(uint64_t object)
{
	return object & OBJECT_SHARED ? object : 0;
}
static inline uint64_t object_written(uint64_t object)
{
	return object & OBJECT_SHARED ? object ^ (object & OBJECT_SOCKET ? 1 : 0) : 0;
}

/* The descriptor is closed: before the real call, and after it. */
static inline void descriptor_object_forget(int descriptor)
{
	uint64_t *place = descriptor_place(&descriptor_objects, descriptor);
	if (place && __atomic_load_n(place, __ATOMIC_RELAXED))
		descriptors_forget(&descriptor_objects, (unsigned)descriptor, (unsigned)descriptor);
}

/* From now on the calls that close descriptors tell of them. */
void descriptor_objects_start(void);

#endif
