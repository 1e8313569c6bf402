/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two functions of a stripped program whose names are known all the same: where it starts, and its main, which the C
   library's start code (crt1.o) passes to __libc_start_main in the first argument's register. */
#include "symbol_tables.h"
#include <string.h>

enum { START_CODE_MAX = 64 };

static bool is_program(const struct elf_file *file)
{
	size_t count;
	if (file->header.e_machine != EM_X86_64 || elf_getphdrnum(file->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

static void add_label(struct symbols *symbols, uint64_t start, const char *name)
{
	symbols_append(
		symbols, &(struct symbol){.start = start, .end = start, .name = name, .local = true, .function = true});
}

void entry_symbols_read(struct symbols *symbols, const struct elf_file *file)
{
	uint64_t entry = file->header.e_entry, size;
	const unsigned char *code = entry && is_program(file) ? elf_file_at(file, entry, &size) : 0;
	if (!code)
		return;
	add_label(symbols, entry, "_start");
	for (uint64_t at = 0; at + 13 <= size && at < START_CODE_MAX; at++) {
		int32_t number;
		memcpy(&number, code + at + 3, sizeof number);
		/* lea main(%rip),%rdi or mov $main,%rdi, then call *__libc_start_main@GOT(%rip) */
		if (code[at] != 0x48 || code[at + 7] != 0xff || code[at + 8] != 0x15)
			continue;
		if (code[at + 1] == 0x8d && code[at + 2] == 0x3d)
			add_label(symbols, entry + at + 7 + (uint64_t)(int64_t)number, "main");
		else if (code[at + 1] == 0xc7 && code[at + 2] == 0xc7)
			add_label(symbols, (uint64_t)(int64_t)number, "main");
	}
}
