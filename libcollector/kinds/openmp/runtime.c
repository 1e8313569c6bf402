/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the functions that we stand in front of. The target's own reference would have been bound to the definition that
   comes after ours in the order that all objects share, or else to one that only the calling object sees: of the libraries that
   it was opened with (RTLD_LOCAL, as Python opens its modules). Programs with several such run-times are common, as Python's
   packages bring one each, and a region must run in the one whose other functions its code calls. */
#include "capture.h"
#include "hold.h"
#include "interpose.h"
#include "load_objects.h"
#include "openmp.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>

static const struct {
	const char *name, *version;
} functions[REGION_FUNCTIONS] = {
#define REGION(name, version, extra, reduces) {#name, version},
#include "regions.def"
};

/* By function: the one that all objects share; 0: not looked up yet, or there is none. */
static void *shared[REGION_FUNCTIONS];

enum { OBJECTS_MAX = 64 };
/* Objects that see run-times of their own. Written under the lock, and not changed while their code is mapped. */
static struct object {
	uintptr_t start, size;
	uint32_t generation; /* in which it is mapped there (capture_generation) */
	void *functions[REGION_FUNCTIONS];
} objects[OBJECTS_MAX];
static unsigned object_count; /* atomic */
static struct hold lock;

static struct object *known(uintptr_t code)
{
	unsigned count = __atomic_load_n(&object_count, __ATOMIC_ACQUIRE);
	uint32_t generation = capture_generation();
	for (unsigned i = 0; i < count; i++)
		if (code - objects[i].start < objects[i].size && objects[i].generation == generation)
			return &objects[i];
	return 0;
}

struct question {
	uintptr_t code;
	uintptr_t start, size;
	char path[PATH_MAX];
};

static int take_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct question *question = data;
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD || question->code - start >= header->p_memsz)
			continue;
		question->start = start;
		question->size = header->p_memsz;
		if (info->dlpi_name && strlen(info->dlpi_name) < sizeof question->path)
			strcpy(question->path, info->dlpi_name);
		return 1;
	}
	return 0;
}

/* Among what was opened with the object of that path. */
static void *function_seen_by(const char *path, enum region_function function)
{
	void *handle = *path ? REAL(dlopen)(path, RTLD_LAZY | RTLD_NOLOAD) : 0;
	void *found = handle ? dlvsym(handle, functions[function].name, functions[function].version) : 0;
	if (handle)
		REAL(dlclose)(handle);
	return found;
}

/* Under the lock. */
static void *look_up(enum region_function function, uintptr_t code)
{
	static struct question question; /* static: stacks of targets may be small */
	void *found = real_function_version(functions[function].name, functions[function].version, &shared[function]);
	if (found || !load_objects_may_ask_loader())
		return found;
	question = (struct question){.code = code};
	if (!dl_iterate_phdr(take_object, &question) || !(found = function_seen_by(question.path, function)))
		return 0;
	struct object *object = known(code);
	if (!object && object_count < OBJECTS_MAX) {
		object = &objects[object_count];
		*object = (struct object){
			.start = question.start, .size = question.size, .generation = capture_generation()};
		__atomic_store_n(&object_count, object_count + 1, __ATOMIC_RELEASE);
	}
	if (object)
		__atomic_store_n(&object->functions[function], found, __ATOMIC_RELAXED);
	return found;
}

void *runtime_function(enum region_function function, const void *code)
{
	void *found = __atomic_load_n(&shared[function], __ATOMIC_RELAXED);
	if (found)
		return found;
	struct object *object = known((uintptr_t)code);
	if (object && (found = __atomic_load_n(&object->functions[function], __ATOMIC_RELAXED)))
		return found;
	if (!hold_take(&lock))
		return 0;
	found = look_up(function, (uintptr_t)code);
	hold_release(&lock);
	return found;
}

void runtime_start(void)
{
	lock = (struct hold){0};
}
