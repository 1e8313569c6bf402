/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads .symtab and .dynsym: what labels code, with the source file of local symbols. */
#include "symbol_tables.h"
#include <string.h>

void symbols_append(struct symbols *symbols, const struct symbol *symbol)
{
	symbols->array = memory_room(symbols->array, symbols->count, sizeof *symbols->array);
	symbols->array[symbols->count++] = *symbol;
}

static bool is_code(const struct elf_file *file, const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	if (type != STT_NOTYPE || symbol->st_shndx >= SHN_LORESERVE)
		return false;
	GElf_Shdr header;
	Elf_Scn *section = elf_getscn(file->elf, symbol->st_shndx);
	return section && gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR;
}

const char *symbol_unversioned(struct arena *names, const char *name)
{
	const char *at = strchr(name + 1, '@');
	return at ? arena_string(names, name, (size_t)(at - name)) : name;
}

static void add_symbol(
	void *context, const struct elf_file *file, const GElf_Sym *symbol, const char *name, const char *source)
{
	struct symbols *symbols = context;
	int type = GELF_ST_TYPE(symbol->st_info), binding = GELF_ST_BIND(symbol->st_info);
	/* "$x" and "$d" mark code and data for the disassembler; they name nothing. */
	if ((type == STT_NOTYPE && *name == '$') || !is_code(file, symbol))
		return;
	bool local = binding == STB_LOCAL;
	symbols_append(symbols, &(struct symbol){
					.start = symbol->st_value,
					.end = symbol->st_value + (type == STT_NOTYPE ? 0 : symbol->st_size),
					.name = symbol_unversioned(&symbols->names, name),
					.file = local ? source : 0,
					.local = local,
					.function = type != STT_NOTYPE,
					.sized = symbol->st_size && type != STT_NOTYPE,
				});
}

void symbol_table_read(struct symbols *symbols, const struct elf_file *file, bool dynamic)
{
	symbol_table_visit(file, dynamic, add_symbol, symbols);
}

void symbol_table_visit(const struct elf_file *file, bool dynamic, symbol_visitor *visitor, void *context)
{
	for (Elf_Scn *section = 0; (section = elf_nextscn(file->elf, section));) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != (dynamic ? SHT_DYNSYM : SHT_SYMTAB) ||
			header.sh_entsize == 0)
			continue;
		Elf_Data *data = elf_getdata(section, 0);
		size_t count = data ? data->d_size / header.sh_entsize : 0;
		const char *source = 0;
		for (size_t i = 0; i < count && i < INT32_MAX; i++) {
			GElf_Sym symbol;
			const char *name;
			if (!gelf_getsym(data, (int)i, &symbol) ||
				!(name = elf_strptr(file->elf, header.sh_link, symbol.st_name)))
				continue;
			if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
				source = *name ? name : 0;
			else if (symbol.st_shndx != SHN_UNDEF && *name &&
				 symbol.st_size <= UINT64_MAX - symbol.st_value)
				visitor(context, file, &symbol, name, source);
		}
	}
}
