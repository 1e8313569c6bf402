/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of symbols, each appending to a list: symbol tables, PLT entries, the entry point, the unwind table. */
#ifndef SYMBOL_TABLES_H
#define SYMBOL_TABLES_H

#include "symbols.h"

/* Appends to symbols->array, in any order, duplicates included. */
void symbols_append(struct symbols *symbols, const struct symbol *symbol);

/* Visits each symbol of .symtab, or .dynsym when `dynamic`, that has a name and a place; `source` is the file of a local one,
   or 0. The names point into the file. */
typedef void symbol_visitor(
	void *context, const struct elf_file *file, const GElf_Sym *symbol, const char *name, const char *source);
void symbol_table_visit(const struct elf_file *file, bool dynamic, symbol_visitor *visitor, void *context);
/* A name's part before the version: "memcpy@@GLIBC_2.14" is memcpy. */
const char *symbol_unversioned(struct arena *names, const char *name);

/* .symtab, or .dynsym when `dynamic`: functions and other labels in code. */
void symbol_table_read(struct symbols *symbols, const struct elf_file *file, bool dynamic);
/* PLT entries, as "NAME@plt": the slot that each one jumps through names it. x86-64 and AArch64. */
void plt_read(struct symbols *symbols, const struct elf_file *file);
/* _start and main of a program of x86-64, by its entry point. */
void entry_symbols_read(struct symbols *symbols, const struct elf_file *file);
/* The starts of the functions that have unwind information (.eh_frame_hdr), ascending. The caller frees them. */
uint64_t *unwind_starts(const struct elf_file *file, uint32_t *count);
/* Where in memory the .eh_frame entry of the last function that starts at or before an address is; 0: none is known. */
uint64_t unwind_entry(const struct elf_file *file, uint64_t address);
/* The ELF file packed in .gnu_debugdata ("MiniDebugInfo"), or 0. */
struct elf_file *mini_debug_open(const struct elf_file *file);

#endif
