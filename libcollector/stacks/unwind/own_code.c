/* SPDX-License-Identifier: Apache-2.0 */
/* Finds this library's own code by its ELF header, which the linker puts at its start. */
#include "own_code.h"
#include <link.h>

uint64_t own_code_start, own_code_size;

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

void own_code_learn(void)
{
	if (own_code_size) /* a fork child, whose parent did */
		return;
	const ElfW(Phdr) *headers = (const void *)((const char *)&__ehdr_start + __ehdr_start.e_phoff);
	uint64_t start = 0, size = 0;
	for (int i = 0; i < __ehdr_start.e_phnum; i++) {
		if (headers[i].p_type == PT_INTERP) /* a program, not a library */
			return;
		if (headers[i].p_type == PT_LOAD && headers[i].p_flags & PF_X) {
			start = (uint64_t)&__ehdr_start + headers[i].p_vaddr;
			size = headers[i].p_memsz;
		}
	}
	own_code_start = start;
	own_code_size = size;
}
