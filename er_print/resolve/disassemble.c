/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a load object, with the functions that their operands refer to. */
#include "resolver_state.h"
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 160 }; /* of an instruction's text, which has room for 255 */

/* " <function+0x10>", as objdump writes it: with the linkage name, which is exact. */
static void symbolize(void *context, uint64_t address, char *text, size_t size)
{
	const struct code_object *object = context;
	uint32_t number = symbols_find(&object->symbols, address);
	const struct symbol *symbol = number == NO_INTERVAL ? 0 : &object->symbols.array[number];
	if (!symbol || !symbol->name)
		return;
	bool cut = strlen(symbol->name) > NAME_LENGTH;
	snprintf(text, size, address == symbol->start ? "<%.*s%s>" : "<%.*s%s+%#" PRIx64 ">", NAME_LENGTH, symbol->name,
		cut ? "..." : "", address - symbol->start);
}

static bool use_machine(struct resolver *resolver, unsigned machine, const char *name, struct error *error)
{
	if (resolver->disassembler && disassembler_machine(resolver->disassembler) == machine)
		return true;
	disassembler_free(resolver->disassembler);
	resolver->disassembler = disassembler_create(machine, error);
	return resolver->disassembler || error_context(error, "%s", name);
}

static void no_names(void *context, uint64_t address, char *text, size_t size)
{
	(void)context, (void)address, (void)text, (void)size;
}

/* Code that the program announced, from the copy that was made then. */
static unsigned decode_announced(struct resolver *resolver, uint32_t object, uint64_t address, uint64_t end,
	disassembler_symbolizer *symbolizer, void *context, struct instruction *instruction, struct error *error)
{
	const char *name = resolver_object_name(resolver, object);
	const struct dynamic_function *function = data_dynamic_function(resolver->data, object, address);
	const struct experiment *file = resolver->data->experiments[resolver->data->objects[object].experiment].file;
	if (!function || !function->code) {
		error_set(error, "%s: its instructions were not recorded", name);
		return 0;
	}
	if (address >= end ||
		!use_machine(resolver, disassembler_machine_named(file->system->architecture), name, error))
		return 0;
	uint64_t offset = address - function->start, left = function->size - offset;
	unsigned length = disassembler_decode(resolver->disassembler, function->code + offset, left, address,
		symbolizer ? symbolizer : no_names, context, instruction);
	return address + length <= end ? length : 0;
}

unsigned resolver_decode(struct resolver *resolver, uint32_t object, uint64_t offset, uint64_t end,
	disassembler_symbolizer *symbolizer, void *context, struct instruction *instruction, struct error *error)
{
	error->text[0] = 0;
	if (object < resolver->data->object_count && resolver->data->objects[object].type == OBJECT_DYNAMIC)
		return decode_announced(resolver, object, offset, end, symbolizer, context, instruction, error);
	/* Its symbols are only needed to name addresses. */
	struct code_object *opened = object >= resolver->data->object_count ? 0
				     : symbolizer                           ? resolver_found(resolver, object)
									    : resolver_opened(resolver, object);
	if (!opened) {
		error_set(error, "%s: its instructions were not recorded",
			object < resolver->data->object_count ? resolver_object_name(resolver, object) : "?");
		return 0;
	}
	if (!opened->file) {
		error_set(error, "%s: cannot be disassembled: %.400s", opened->name, opened->remark);
		return 0;
	}
	if (offset >= end || !use_machine(resolver, opened->file->header.e_machine, opened->name, error))
		return 0;
	uint64_t size;
	const unsigned char *code = elf_file_at(opened->file, offset, &size);
	if (!code) {
		error_set(error, "%s: no code at %#" PRIx64, opened->name, offset);
		return 0;
	}
	unsigned length = disassembler_decode(resolver->disassembler, code, size, offset,
		symbolizer ? symbolizer : symbolize, symbolizer ? context : opened, instruction);
	return offset + length <= end ? length : 0;
}

unsigned resolver_disassemble(struct resolver *resolver, uint32_t object, uint64_t offset, uint64_t end,
	struct instruction *instruction, struct error *error)
{
	return resolver_decode(resolver, object, offset, end, 0, 0, instruction, error);
}
