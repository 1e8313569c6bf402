/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the functions that we stand in front of. The target's own reference would have been bound to the definition that
   comes after ours in the order that all objects share, or else to one that only the calling object sees: of the libraries that
   it was opened with (RTLD_LOCAL, as Python opens its modules). Programs with several such run-times are common, as Python's
   packages bring one each, and a region must run in the one whose other functions its code calls. */
#include "capture.h"
#include "code_object.h"
#include "hold.h"
#include "interpose.h"
#include "libgomp.h"
#include "next_definition.h"
#include "openmp.h"
#include "pages.h"
#include "weak_libc.h"
#include <dlfcn.h>

static const struct {
	const char *name, *version;
} functions[LIBGOMP_FUNCTIONS] = {
#define REGION(name, version, extra, reduces) {#name, version},
#define START(name, version, extra)           {#name, version},
#define END(name, version)                    {#name, version},
#define TASK(name, version)                   {#name, version},
#define WAIT(name, version, construct)        {#name, version},
#define DOACROSS_WAIT(name, version)          {#name, version},
#include "libgomp.def"
};

/* By function: the one that all objects share and that was there before the program started, which stays; 0: not looked up yet, or
   there is none. */
static void *shared[LIBGOMP_FUNCTIONS];

enum { OBJECTS_MAX = 64 };
/* Other objects, and the functions that they see. Mapped when there is one: most processes have none. */
struct object {
	uintptr_t start, size;
	uint32_t generation; /* in which it is mapped there (capture_generation) */
	void *functions[LIBGOMP_FUNCTIONS];
};
static struct object *objects; /* OBJECTS_MAX of them */
static unsigned object_count;
static unsigned changes; /* atomic: odd while an object is written */
/* The lock of who writes: beside other variables that are used in each process, as it is looked at when recording begins. */
static struct hold lock __attribute__((section(".data")));

/* Called under the lock, or while nothing changes. */
static struct object *known(uintptr_t code)
{
	uint32_t generation = capture_generation();
	struct object *all = __atomic_load_n(&objects, __ATOMIC_RELAXED);
	for (unsigned i = 0; all && i < object_count; i++)
		if (code - all[i].start < all[i].size && all[i].generation == generation)
			return &all[i];
	return 0;
}

static void *known_function(enum libgomp_function function, uintptr_t code)
{
	unsigned before = __atomic_load_n(&changes, __ATOMIC_ACQUIRE);
	const struct object *object = before & 1 ? 0 : known(code);
	void *found = object ? object->functions[function] : 0;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&changes, __ATOMIC_RELAXED) == before ? found : 0;
}

/* A place for an object that is not known: where one was whose code may be gone, or a new one; 0: there is none. */
static struct object *take_place(void)
{
	for (unsigned i = 0; i < object_count; i++)
		if (objects[i].generation != capture_generation())
			return &objects[i];
	if (!objects)
		__atomic_store_n(&objects, pages_map(OBJECTS_MAX * sizeof *objects), __ATOMIC_RELAXED);
	return objects && object_count < OBJECTS_MAX ? &objects[object_count++] : 0;
}

static void *function_in(void *handle, enum libgomp_function function)
{
	return dlvsym ? dlvsym(handle, functions[function].name, functions[function].version) : 0;
}

/* Looks among what was opened with the object of that path. */
static void *function_seen_by(const char *path, enum libgomp_function function)
{
	void *handle = *path ? REAL(dlopen)(path, RTLD_LAZY | RTLD_NOLOAD) : 0;
	void *found = handle ? function_in(handle, function) : 0;
	if (handle)
		REAL(dlclose)(handle);
	return found;
}

static void keep(enum libgomp_function function, void *found, uintptr_t code, const struct code_object *where)
{
	unsigned odd = changes | 1; /* it may be already, after a fork in the middle of this */
	__atomic_store_n(&changes, odd, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	struct object *object = known(code), *place = object ? object : take_place();
	if (place && !object)
		*place =
			(struct object){.start = where->start, .size = where->size, .generation = capture_generation()};
	if (place)
		place->functions[function] = found;
	__atomic_store_n(&changes, odd + 1, __ATOMIC_RELEASE);
}

static void *look_in(enum libgomp_function function, uintptr_t code, const struct code_object *where)
{
	void *found = function_in(RTLD_NEXT, function);
	found = found ? found : function_seen_by(where->path, function);
	if (found) {
		keep(function, found, code, where);
		return found;
	}
	dlsym(RTLD_NEXT, "free"); /* a search that succeeds: dlerror() would tell the target of ours that failed */
	return 0;
}

/* Asks the loader, under the lock. */
static void *look_up(enum libgomp_function function, uintptr_t code)
{
	struct code_object *where = pages_map(sizeof *where); /* stacks of targets may be small */
	if (!where)
		return 0;
	void *found = code_object_find(where, code) ? look_in(function, code, where) : 0;
	pages_unmap(where, sizeof *where);
	return found;
}

void *libgomp_real(enum libgomp_function function, const void *code)
{
	void *found = __atomic_load_n(&shared[function], __ATOMIC_RELAXED);
	if (found)
		return found;
	if ((found = known_function(function, (uintptr_t)code)))
		return found;
	if (next_definitions_known())
		found = next_definition(functions[function].name, functions[function].version);
	if (found) {
		__atomic_store_n(&shared[function], found, __ATOMIC_RELAXED);
		return found;
	}
	if (!hold_take(&lock))
		return 0;
	found = look_up(function, (uintptr_t)code);
	hold_release(&lock);
	return found;
}

void libgomp_start(void)
{
	if (lock.holder)
		lock.holder = 0;
}
