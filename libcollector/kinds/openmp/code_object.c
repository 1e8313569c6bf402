/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a load object in the loader's list. */
#include "code_object.h"
#include "load_objects.h"
#include "weak_libc.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>

struct search {
	uintptr_t code;
	struct code_object *object;
};

static bool take_path(struct code_object *object, const char *path)
{
	if (!path || strlen(path) >= sizeof object->path)
		return false;
	strcpy(object->path, path);
	return true;
}

static int take_object(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct search *search = data;
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD || search->code - start >= header->p_memsz)
			continue;
		search->object->start = start;
		search->object->size = header->p_memsz;
		return take_path(search->object, info->dlpi_name);
	}
	return 0;
}

/* In a fork child the loader's list may be locked for ever; this takes a lock that libc makes anew there. */
static bool find_by_address(struct code_object *object, uintptr_t code)
{
	Dl_info info;
	struct link_map *map;
	if (!dladdr1 || !dladdr1((void *)code, &info, (void **)&map, RTLD_DL_LINKMAP))
		return false;
	object->start = code;
	object->size = 1;
	return take_path(object, map->l_name);
}

bool code_object_find(struct code_object *object, uintptr_t code)
{
	struct search search = {.code = code, .object = object};
	return load_objects_may_ask_loader() ? dl_iterate_phdr(take_object, &search) != 0
					     : find_by_address(object, code);
}
