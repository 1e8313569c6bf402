/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of dlopen, dlmopen and dlclose, to see load objects come and go. The loader looks at the return
   address of dlopen: the caller's RUNPATH, $ORIGIN and namespace decide what is found. So the names are short pieces of
   assembly that ask which function to jump to, with the caller's own return address in place: one of ours, which calls the
   loader and looks at once at what is new, where the caller can make no difference, else the loader's own; what is new is
   then seen at the next occasion. */
#include "architecture.h"
#include "interpose.h"
#include "leaving_code.h"
#include "load_objects.h"
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

struct question {
	uintptr_t caller;
	bool caller_known;    /* it lies in an object of the first namespace, where we are too */
	bool any_search_path; /* some object brings its own RPATH or RUNPATH */
};

static bool has_search_path(const ElfW(Dyn) * dynamic)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == DT_RPATH || dynamic->d_tag == DT_RUNPATH)
			return true;
	return false;
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct question *question = data;
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type == PT_LOAD && question->caller - start < header->p_memsz)
			question->caller_known = true;
		if (header->p_type == PT_DYNAMIC)
			question->any_search_path |= has_search_path((const void *)start);
	}
	return 0;
}

/* Whether a file would be found the same way if we called the loader. */
static bool caller_makes_no_difference(const char *file, uintptr_t caller)
{
	struct question question = {.caller = caller};
	if (!load_objects_may_ask_loader() || (file && strchr(file, '$')))
		return false;
	dl_iterate_phdr(look_at_object, &question);
	return question.caller_known && (!file || strchr(file, '/') || !question.any_search_path);
}

static void *open_and_look(const char *file, int flags)
{
	void *handle = REAL(dlopen)(file, flags);
	load_objects_update();
	return handle;
}

static void *open_in_and_look(Lmid_t namespace, const char *file, int flags)
{
	void *handle = REAL(dlmopen)(namespace, file, flags);
	if (namespace == LM_ID_BASE)
		load_objects_update();
	else
		load_objects_update_all();
	return handle;
}

/* Called by the assembly. */
__attribute__((used)) static void *choose_dlopen(const char *file, uintptr_t caller)
{
	load_objects_update();
	return caller_makes_no_difference(file, caller) ? (void *)open_and_look : (void *)REAL(dlopen);
}

__attribute__((used)) static void *choose_dlmopen(const char *file, uintptr_t caller)
{
	load_objects_update();
	return caller_makes_no_difference(file, caller) ? (void *)open_in_and_look : (void *)REAL(dlmopen);
}

ENTRY_THAT_CHOOSES(dlopen, FIRST_ARGUMENT, choose_dlopen);
ENTRY_THAT_CHOOSES(dlmopen, SECOND_ARGUMENT, choose_dlmopen);

INTERPOSE int dlclose(void *handle)
{
	load_objects_update();
	code_leaves_begin();
	int result = REAL(dlclose)(handle);
	load_objects_update();
	code_leaves_end();
	return result;
}
