/* SPDX-License-Identifier: Apache-2.0 */
/* Loading libunwind and walking by its cursor. Its header is not needed: what is used of its interface is below. */
#include "libunwind.h"
#include "architecture.h"
#include "interpose.h"
#include "own_code.h"
#include "pages.h"
#include "remembered.h"
#include "weak_libc.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libunwind.so.8"

#define CURSOR_WORDS 4096 /* older versions on arm64; others have at most 250 */
enum { INIT_SIGNAL_FRAME = 1 };
enum { CACHE_NONE, CACHE_GLOBAL };

static struct {
	int (*init_local2)(void *cursor, void *context, int flag);
	int (*step)(void *cursor);
	int (*get_reg)(void *cursor, int number, uint64_t *value);
	int (*is_signal_frame)(void *cursor);
	int (*set_caching_policy)(void *space, int policy);
	void (*flush_cache)(void *space, uint64_t low, uint64_t high);
	void **local_space;
	bool loaded;
} api;

struct libunwind_room {
	uint64_t cursor[CURSOR_WORDS];
	ucontext_t here;
	uint64_t frames[]; /* as the context tree names them, from the leaf */
};

static bool find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);
	*(void **)function = found;
	return found;
}

/* Runs libc's own constructors, as ld.so will: loading a library before that would run them with no arguments and no
   environment, which the program would never see again. Running them twice changes nothing. */
static void initialize_libc(int count, char **arguments, char **environment)
{
	typedef void initializer(int, char **, char **);
	const struct link_map *map = _r_debug.r_map;
	while (map && !strstr(map->l_name, "/libc.so.6"))
		map = map->l_next;
	uint64_t functions = 0, size = 0;
	for (const ElfW(Dyn) *entry = map ? map->l_ld : 0; entry && entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_INIT_ARRAY)
			functions = map->l_addr + entry->d_un.d_ptr;
		else if (entry->d_tag == DT_INIT_ARRAYSZ)
			size = entry->d_un.d_val;
	}
	for (uint64_t i = 0; functions && i < size / sizeof(initializer *); i++)
		((initializer **)functions)[i](count, arguments, environment);
}

bool libunwind_load(int count, char **arguments, char **environment)
{
	if (!environ)
		initialize_libc(count, arguments, environment);
	if (!environ)
		return false;
	void *library = REAL(dlopen)(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	api.loaded = library && find(library, LIBUNWIND_LOCAL("init_local2"), &api.init_local2) &&
		     find(library, LIBUNWIND_LOCAL("step"), &api.step) &&
		     find(library, LIBUNWIND_LOCAL("get_reg"), &api.get_reg) &&
		     find(library, LIBUNWIND_LOCAL("is_signal_frame"), &api.is_signal_frame) &&
		     find(library, LIBUNWIND_LOCAL("set_caching_policy"), &api.set_caching_policy) &&
		     find(library, LIBUNWIND_GENERAL("flush_cache"), &api.flush_cache) &&
		     find(library, LIBUNWIND_LOCAL("local_addr_space"), &api.local_space);
	return api.loaded;
}

bool libunwind_is_loaded(void)
{
	return api.loaded;
}

struct libunwind_room *libunwind_room(uint32_t limit)
{
	return pages_map(sizeof(struct libunwind_room) + limit * sizeof(uint64_t));
}

/* Steps out of a frame; *kind: of the one where it gets. */
static bool step(struct libunwind_room *room, uint64_t frame, uint64_t *kind)
{
	bool signal = !LIBUNWIND_SIGNAL_TOLD_AFTER && api.is_signal_frame(room->cursor) > 0;
	if (api.step(room->cursor) <= 0)
		return false;
	signal |= LIBUNWIND_SIGNAL_TOLD_AFTER && api.is_signal_frame(room->cursor) > 0;
	*kind = signal ? CONTEXT_EXACT : row_kind(row_of(step_lookup(frame))) == ROW_NONE ? CONTEXT_HEURISTIC : 0;
	return true;
}

/* Walks into room->frames; returns their number. */
static uint32_t walk(struct libunwind_room *room, const ucontext_t *context, uint32_t limit)
{
	uint64_t pc, kind = CONTEXT_EXACT; /* of the next frame */
	uint32_t n = 0;
	if (api.init_local2(room->cursor, (void *)context, INIT_SIGNAL_FRAME) < 0)
		return 0;
	do {
		if (api.get_reg(room->cursor, LIBUNWIND_REGISTER_PC, &pc) < 0 || !(pc = return_address_strip(pc)))
			break;
		room->frames[n++] = (pc & CONTEXT_ADDRESS) | kind;
	} while (n < limit && step(room, room->frames[n - 1], &kind));
	return n;
}

/* This function's own frame is the first: it must not be gone. */
static __attribute__((noinline)) uint32_t walk_from_here(struct libunwind_room *room, uint32_t limit)
{
	if (getcontext(&room->here) != 0)
		return 0;
	uint32_t n = walk(room, &room->here, limit);
	__asm__ volatile("" ::: "memory");
	return n;
}

static enum root_kind end_of(const struct libunwind_room *room, uint32_t n, uint32_t limit)
{
	if (n == limit)
		return ROOT_TRUNCATED;
	return n && row_kind(row_of(step_lookup(room->frames[n - 1]))) == ROW_END ? ROOT_START : ROOT_FAILED;
}

struct captured libunwind_walk(struct libunwind_room *room, const ucontext_t *context, uint32_t limit)
{
	uint32_t n = context ? walk(room, context, limit) : walk_from_here(room, limit);
	struct captured captured = {.end = end_of(room, n, limit)};
	captured.stack = context_root(captured.end, capture_generation());
	while (captured.stack && n-- > 0) {
		if ((room->frames[n] & CONTEXT_ADDRESS) - own_code_start < own_code_size)
			continue;
		captured.stack = context_child(captured.stack, room->frames[n]);
		captured.heuristic |= (room->frames[n] & CONTEXT_HEURISTIC) != 0;
		captured.depth++;
	}
	return captured;
}

struct captured libunwind_walk_anew(struct libunwind_room *room, const ucontext_t *context, uint32_t limit)
{
	api.set_caching_policy(*api.local_space, CACHE_NONE);
	struct captured captured = libunwind_walk(room, context, limit);
	api.set_caching_policy(*api.local_space, CACHE_GLOBAL);
	return captured;
}

void libunwind_forget(void)
{
	if (api.loaded)
		api.flush_cache(*api.local_space, 0, 0);
}
