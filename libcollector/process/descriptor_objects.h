/* SPDX-License-Identifier: Apache-2.0 */
/* The object behind a descriptor: a pipe, an eventfd or a connected socket. All processes of the experiment know it by the same
   number. */
#ifndef DESCRIPTOR_OBJECTS_H
#define DESCRIPTOR_OBJECTS_H

#include "descriptor_table.h"
#include "waiters.h"

/* By descriptor: an object, or what else is known of it. A socket that has none is OBJECT_SOCKET | OBJECT_NONE. */
enum { OBJECT_UNKNOWN, OBJECT_OPENED, OBJECT_NONE }; /* opened by its path: most such are no pipes */
extern struct descriptor_table descriptor_objects __attribute__((visibility("hidden")));

/* Looks it up and keeps it. errno stays as it is. */
uint64_t descriptor_object_learn(int descriptor);
/* That costs a system call: it is made if less is known than `least`. */
static inline __attribute__((always_inline)) uint64_t descriptor_object(int descriptor, uint64_t least)
{
	uint64_t object = descriptor_number(&descriptor_objects, descriptor);
	return __builtin_expect(object >= least, 1) || descriptor < 0 ? object : descriptor_object_learn(descriptor);
}

/* The object of the socket that listens at an address, in the memory of the target; 0: none. */
uint64_t descriptor_object_of_listener(const void *address, unsigned size);

/* It was opened by its path. If that call has waited, it was for the other end of a pipe. */
void descriptor_object_opened(int descriptor, bool waited);

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
