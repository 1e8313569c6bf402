/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names PLT entries: each jumps through a slot, and the relocation of the slot names the function. */
#include "search.h"
#include "symbol_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot {
	uint64_t address;
	const char *name;
};
struct slots {
	struct slot *array;
	uint32_t count;
	const char **lazy; /* by index in .rela.plt: what a lazy entry pushes */
	uint32_t lazy_count;
};

static bool is_function_slot(unsigned machine, uint64_t type)
{
#define SLOT(of, relocation)                                                                                           \
	if (machine == (of) && type == (relocation))                                                                   \
		return true;
#include "processors.def"
	return false;
}

static const char *name_at(const struct symbols *symbols, uint64_t address)
{
	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols->array[i].start == address && symbols->array[i].function)
			return symbols->array[i].name;
	return "*ABS*";
}

static const char *relocation_name(
	struct symbols *symbols, const struct elf_file *file, const GElf_Rela *relocation, uint32_t symbol_table)
{
	uint64_t index = GELF_R_SYM(relocation->r_info);
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Scn *section = elf_getscn(file->elf, symbol_table);
	if (!index)
		return name_at(symbols, (uint64_t)relocation->r_addend);
	if (!section || !gelf_getshdr(section, &header) || index > INT32_MAX ||
		!gelf_getsym(elf_getdata(section, 0), (int)index, &symbol))
		return 0;
	return elf_strptr(file->elf, header.sh_link, symbol.st_name);
}

static void read_relocations(
	struct slots *slots, struct symbols *symbols, const struct elf_file *file, const char *section_name, bool lazy)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file_section(file, section_name, &header);
	Elf_Data *data = section && header.sh_type == SHT_RELA && header.sh_entsize ? elf_getdata(section, 0) : 0;
	size_t count = data ? data->d_size / header.sh_entsize : 0;
	if (lazy) {
		slots->lazy = memory_new(count, sizeof *slots->lazy);
		slots->lazy_count = (uint32_t)count;
	}
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		GElf_Rela relocation;
		const char *name;
		if (!gelf_getrela(data, (int)i, &relocation) ||
			!is_function_slot(file->header.e_machine, GELF_R_TYPE(relocation.r_info)) ||
			!(name = relocation_name(symbols, file, &relocation, header.sh_link)))
			continue;
		slots->array = memory_room(slots->array, slots->count, sizeof *slots->array);
		slots->array[slots->count++] = (struct slot){relocation.r_offset, name};
		if (lazy)
			slots->lazy[i] = name;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	return COMPARE(x->address, y->address);
}

static const char *slot_name(const struct slots *slots, uint64_t address)
{
	struct slot key = {address, 0};
	const struct slot *found = slots->count ? bsearch(&key, slots->array, slots->count, sizeof key, by_address) : 0;
	return found ? found->name : 0;
}

static void add_entry(struct symbols *symbols, uint64_t start, uint64_t size, const char *name)
{
	char text[1024];
	snprintf(text, sizeof text, "%.1000s@plt", name ? name : "");
	symbols_append(symbols, &(struct symbol){
					.start = start,
					.end = start + size,
					.name = arena_string(&symbols->names, text, strlen(text)),
					.function = true,
					.sized = true,
				});
}

/* [endbr64] then either [bnd] jmp *slot(%rip), or push $index. */
static const char *x86_entry_name(const struct slots *slots, const unsigned char *code, size_t size, uint64_t address)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	size_t at = size >= sizeof endbr64 && !memcmp(code, endbr64, sizeof endbr64) ? sizeof endbr64 : 0;
	if (size >= at + 5 && code[at] == 0x68) {
		uint32_t index;
		memcpy(&index, code + at + 1, sizeof index);
		return index < slots->lazy_count ? slots->lazy[index] : 0;
	}
	if (at < size && code[at] == 0xf2)
		at++;
	if (size < at + 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	int32_t displacement;
	memcpy(&displacement, code + at + 2, sizeof displacement);
	return slot_name(slots, address + at + 6 + (uint64_t)(int64_t)displacement);
}

static void x86_section(
	struct symbols *symbols, const struct slots *slots, const GElf_Shdr *header, const unsigned char *code)
{
	uint64_t step = header->sh_entsize == 8 || header->sh_entsize == 16 ? header->sh_entsize : 16;
	for (uint64_t at = 0; at < header->sh_size; at += step) {
		uint64_t left = header->sh_size - at, size = left < step ? left : step;
		add_entry(symbols, header->sh_addr + at, size,
			x86_entry_name(slots, code + at, size, header->sh_addr + at));
	}
}

/* adrp x16, PAGE; ldr x17, [x16, #OFFSET]; add x16, x16, #OFFSET; br x17. */
static void aarch64_section(
	struct symbols *symbols, const struct slots *slots, const GElf_Shdr *header, const unsigned char *code)
{
	for (uint64_t at = 0; at + 16 <= header->sh_size; at += 4) {
		uint32_t adrp, ldr;
		memcpy(&adrp, code + at, sizeof adrp);
		memcpy(&ldr, code + at + 4, sizeof ldr);
		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		uint64_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
		uint64_t base = ((header->sh_addr + at) & ~0xfffull) +
				(uint64_t)((int64_t)(pages << 43) >> 31); /* 21 signed bits, times 4096 */
		const char *name = slot_name(slots, base + (ldr >> 10 & 0xfff) * 8);
		if (name)
			add_entry(symbols, header->sh_addr + at, 16, name);
	}
}

void plt_read(struct symbols *symbols, const struct elf_file *file)
{
	if (file->header.e_machine != EM_X86_64 && file->header.e_machine != EM_AARCH64)
		return;
	struct slots slots = {0};
	read_relocations(&slots, symbols, file, ".rela.plt", true);
	read_relocations(&slots, symbols, file, ".rela.dyn", false);
	if (slots.count)
		qsort(slots.array, slots.count, sizeof *slots.array, by_address);
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got"};
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		GElf_Shdr header;
		const unsigned char *code;
		if (!elf_file_section(file, sections[i], &header) || !(code = elf_file_section_bytes(file, &header)))
			continue;
		if (file->header.e_machine == EM_X86_64)
			x86_section(symbols, &slots, &header, code);
		else
			aarch64_section(symbols, &slots, &header, code);
	}
	free(slots.array);
	free(slots.lazy);
}
