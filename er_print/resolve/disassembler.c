/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions as text, by libopcodes. */
#include "disassembler.h"
#include "storage.h"
/* bfd.h refuses to be included without the names of a package. */
#define PACKAGE         "er-tools"
#define PACKAGE_VERSION "1"
#include <dis-asm.h>
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct disassembler {
	unsigned machine;
	disassembler_ftype decode;
	struct disassemble_info info;
	disassembler_symbolizer *symbolizer;
	void *context;
	char text[sizeof((struct instruction *)0)->text];
	size_t length;
};

static void append(struct disassembler *disassembler, const char *format, va_list arguments)
{
	size_t room = sizeof disassembler->text - disassembler->length;
	char *end = disassembler->text + disassembler->length;
	int length;
	if (!strcmp(format, "%.*s")) { /* all that it prints of x86 */
		size_t precision = (size_t)va_arg(arguments, int);
		const char *text = va_arg(arguments, const char *);
		length = (int)strnlen(text, precision);
		size_t taken = (size_t)length < room ? (size_t)length : room - 1;
		memcpy(end, text, taken);
		end[taken] = 0;
	} else {
		length = vsnprintf(end, room, format, arguments);
	}
	if (length > 0)
		disassembler->length += (size_t)length < room ? (size_t)length : room - 1;
}

static int print(void *stream, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	append(stream, format, arguments);
	va_end(arguments);
	return 0;
}

static int print_styled(void *stream, enum disassembler_style style, const char *format, ...)
{
	(void)style;
	va_list arguments;
	va_start(arguments, format);
	append(stream, format, arguments);
	va_end(arguments);
	return 0;
}

static void print_address(bfd_vma address, struct disassemble_info *info)
{
	struct disassembler *disassembler = info->stream;
	char name[sizeof disassembler->text] = "";
	disassembler->symbolizer(disassembler->context, address, name, sizeof name);
	print(disassembler, "%" PRIx64 "%s%s", (uint64_t)address, *name ? " " : "", name);
}

/* A read past the end is the end of the code. */
static void memory_error(int status, bfd_vma address, struct disassemble_info *info)
{
	(void)status, (void)address, (void)info;
}

static const struct machine {
	unsigned elf;
	const char *name;
	enum bfd_architecture architecture;
	unsigned long mach;
	const char *title;
} machines[] = {
#define PROCESSOR(elf, name, architecture, mach, title) {elf, name, architecture, mach, title},
#include "processors.def"
};

unsigned disassembler_machine_named(const char *name)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].name && !strcmp(machines[i].name, name))
			return machines[i].elf;
	return EM_NONE;
}

struct disassembler *disassembler_create(unsigned elf_machine, struct error *error)
{
	const struct machine *machine = 0;
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].elf == elf_machine)
			machine = &machines[i];
	disassembler_ftype decode =
		machine ? disassembler(machine->architecture, false, machine->mach, 0) : (disassembler_ftype)0;
	if (!decode) {
		error_set(error, "%s code cannot be disassembled by this er_print: use one built on that architecture",
			machine ? machine->title : "this machine's");
		return 0;
	}
	struct disassembler *new = memory_new(1, sizeof *new);
	new->machine = elf_machine;
	new->decode = decode;
	init_disassemble_info(&new->info, new, print, print_styled);
	new->info.arch = machine->architecture;
	new->info.mach = machine->mach;
	new->info.endian = new->info.endian_code = BFD_ENDIAN_LITTLE;
	new->info.read_memory_func = buffer_read_memory;
	new->info.print_address_func = print_address;
	new->info.memory_error_func = memory_error;
	disassemble_init_for_target(&new->info);
	return new;
}

void disassembler_free(struct disassembler *disassembler)
{
	if (disassembler)
		disassemble_free_target(&disassembler->info);
	free(disassembler);
}

unsigned disassembler_machine(const struct disassembler *disassembler)
{
	return disassembler->machine;
}

unsigned disassembler_decode(struct disassembler *disassembler, const unsigned char *code, uint64_t size,
	uint64_t offset, disassembler_symbolizer *symbolizer, void *context, struct instruction *instruction)
{
	disassembler->symbolizer = symbolizer;
	disassembler->context = context;
	disassembler->length = 0;
	disassembler->text[0] = 0;
	disassembler->info.buffer = (bfd_byte *)code;
	disassembler->info.buffer_vma = offset;
	disassembler->info.buffer_length = size;
	int length = disassembler->decode(offset, &disassembler->info);
	if (length <= 0 || (uint64_t)length > size)
		return 0;
	while (disassembler->length && disassembler->text[disassembler->length - 1] == ' ')
		disassembler->text[--disassembler->length] = 0;
	instruction->offset = offset;
	instruction->size = (unsigned)length;
	memcpy(instruction->text, disassembler->text, disassembler->length + 1);
	return instruction->size;
}
