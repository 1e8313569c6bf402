/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions as text, by libopcodes: the only file that knows it. */
#ifndef DISASSEMBLER_H
#define DISASSEMBLER_H

#include "error.h"
#include "resolver.h"

/* Names an address in an operand: appends "<function+0x10>", or nothing. */
typedef void disassembler_symbolizer(void *context, uint64_t address, char *text, size_t size);

struct disassembler;
/* ELF's number of the processor that experiments name so (processors.def); EM_NONE: not known. */
unsigned disassembler_machine_named(const char *name);
/* For code of an ELF machine (EM_*). 0 with *error set if this er_print's libopcodes does not know it. */
struct disassembler *disassembler_create(unsigned elf_machine, struct error *error);
void disassembler_free(struct disassembler *disassembler);
unsigned disassembler_machine(const struct disassembler *disassembler);

/* Decodes the instruction at `code`, `size` bytes of which can be read, for the address `offset`. Returns its size, 0 if
   there is none. */
unsigned disassembler_decode(struct disassembler *disassembler, const unsigned char *code, uint64_t size,
	uint64_t offset, disassembler_symbolizer *symbolizer, void *context, struct instruction *instruction);

#endif
