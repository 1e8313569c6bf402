/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes back from a jump to where its table, and the bound of its index, come from:

	cmp $9,%edi
	ja other                      the index is at most 9
	lea table(%rip),%rdx
	movslq (%rdx,%rdi,4),%rax     entries are relative to the table
	add %rdx,%rax
	jmp *%rax

   or `jmp *table(,%rdi,8)`, with the targets themselves, and likewise where compilers order the same steps in another way. */
#include "jump_tables.h"
#include "operands.h"
#include "resolver_state.h"
#include "storage.h"
#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 64, ENTRIES_MAX = 4096 };

/* An instruction that may run before the one that was looked at. */
struct walk {
	struct resolver *resolver;
	const struct function *function;
	const struct decoding *decoding;
	uint32_t at;
	unsigned steps;
	bool by_branch; /* it jumps there, and does not go on to it */
	struct operation operation;
};
struct table_access {
	uint64_t address; /* of the table */
	int base, index;  /* registers; base NO_REGISTER: the address is known */
	bool relative;    /* its entries are 32 bits, relative to it; else 64 bits, and addresses */
};

static bool read_operation(struct walk *walk)
{
	struct instruction instruction;
	struct error error;
	const struct function *function = walk->function;
	return resolver_disassemble(walk->resolver, function->object,
		       function->start + walk->decoding->all[walk->at].offset, function->start + function->size,
		       &instruction, &error) &&
	       operation_parse(&walk->operation, instruction.text);
}

/* The only instruction that jumps to one; the count of instructions: there is none, or several. */
static uint32_t only_branch_to(const struct decoding *decoding, uint64_t offset)
{
	uint32_t found = decoding->count;
	for (uint32_t i = 0; i < decoding->count; i++) {
		if (!decoding->all[i].jumps || decoding->all[i].target != offset)
			continue;
		if (found != decoding->count)
			return decoding->count;
		found = i;
	}
	return found;
}

static bool step_back(struct walk *walk)
{
	const struct decoding *decoding = walk->decoding;
	if (walk->steps++ == STEPS_MAX)
		return false;
	walk->by_branch = !walk->at || decoding->all[walk->at - 1].ends;
	uint32_t before = walk->by_branch ? only_branch_to(decoding, decoding->all[walk->at].offset) : walk->at - 1;
	if (before == decoding->count)
		return false;
	walk->at = before;
	return read_operation(walk);
}

static const struct operand *last_operand(const struct operation *operation)
{
	return &operation->operands[operation->count - 1];
}

static bool is_access(const struct operand *memory, unsigned scale)
{
	return memory->kind == OPERAND_MEMORY && memory->scale == scale && memory->index != NO_REGISTER;
}

static struct table_access access_of(const struct operand *memory, bool relative)
{
	return (struct table_access){(uint64_t)memory->number, memory->base, memory->index, relative};
}

/* The access that filled the register which is jumped to. */
static bool find_access(struct walk *walk, int reg, struct table_access *access)
{
	int other = NO_REGISTER; /* that was added to it */
	while (step_back(walk)) {
		const struct operation *operation = &walk->operation;
		bool of_reg = operation_writes(operation, reg);
		if (!of_reg && (other == NO_REGISTER || !operation_writes(operation, other)))
			continue;
		const struct operand *from = &operation->operands[0];
		if (of_reg && other == NO_REGISTER && operation->count == 2 &&
			!strncmp(operation->mnemonic, "add", 3) && from->kind == OPERAND_REGISTER) {
			other = from->reg;
			continue;
		}
		bool relative = other != NO_REGISTER && !strncmp(operation->mnemonic, "movslq", 6);
		bool absolute = other == NO_REGISTER && !strncmp(operation->mnemonic, "mov", 3) && !relative;
		if (relative && is_access(from, 4)) {
			*access = access_of(from, true);
			return access->base == (of_reg ? other : reg) || access->base == reg || access->base == other;
		}
		if (absolute && is_access(from, 8)) {
			*access = access_of(from, false);
			return true;
		}
		if (!strncmp(operation->mnemonic, "lea", 3) && operation->address)
			continue; /* of the table's address, between the two */
		return false;
	}
	return false;
}

/* The table's address, from the last instruction before, by address, that sets its register. */
static bool find_base(const struct walk *from, struct table_access *access)
{
	struct walk walk = *from;
	if (access->base == NO_REGISTER)
		return true;
	while (walk.at) {
		walk.at--;
		if (!read_operation(&walk))
			return false;
		if (!operation_writes(&walk.operation, access->base))
			continue;
		access->address += walk.operation.address;
		return walk.operation.address && !strcmp(walk.operation.mnemonic, "lea");
	}
	return false;
}

/* A place that holds the index: a register, or memory by its text. */
struct holder {
	int reg;
	char memory[sizeof((struct operand *)0)->text];
};

static bool holds(const struct holder *holder, const struct operand *operand)
{
	return holder->reg != NO_REGISTER ? operand->kind == OPERAND_REGISTER && operand->reg == holder->reg
					  : operand->kind == OPERAND_MEMORY && !strcmp(operand->text, holder->memory);
}

static struct holder holder_of(const struct operand *operand)
{
	struct holder holder = {.reg = operand->kind == OPERAND_REGISTER ? operand->reg : NO_REGISTER};
	if (operand->kind == OPERAND_MEMORY)
		memcpy(holder.memory, operand->text, sizeof holder.memory);
	return holder;
}

/* How many more entries there are than the number that the index was compared with, where the branch was taken or not; 2: it says
   nothing about that. */
static unsigned entries_beyond(const char *branch, bool taken)
{
	if (!strcmp(branch, taken ? "jbe" : "ja"))
		return 1;
	return !strcmp(branch, taken ? "jb" : "jae") ? 0 : 2;
}

/* The number of entries, by how the index is bounded; 0: it is not known. */
static uint64_t find_bound(struct walk *walk, int index)
{
	struct holder holder = {.reg = index};
	unsigned beyond = 2;
	uint64_t most = 0; /* by the size of what was loaded */
	while (step_back(walk)) {
		const struct operation *operation = &walk->operation;
		const char *name = operation->mnemonic;
		if (*name == 'j') {
			unsigned here = entries_beyond(name, walk->by_branch);
			beyond = here < 2 ? here : beyond;
			continue;
		}
		if (operation->count != 2)
			continue;
		const struct operand *from = &operation->operands[0], *to = last_operand(operation);
		bool own = holds(&holder, to);
		if (own && beyond < 2 && !strncmp(name, "cmp", 3) && from->kind == OPERAND_NUMBER)
			return (uint64_t)from->number + beyond;
		if (!strncmp(name, "cmp", 3) || !strncmp(name, "test", 4))
			beyond = 2; /* of another comparison */
		else if (own && !strncmp(name, "and", 3) && from->kind == OPERAND_NUMBER)
			return (uint64_t)from->number + 1;
		else if (own && !strncmp(name, "mov", 3) &&
			 (from->kind == OPERAND_REGISTER || from->kind == OPERAND_MEMORY)) {
			most = !strncmp(name, "movzb", 5) ? UINT8_MAX + 1 : most;
			holder = holder_of(from);
		} else if (own || (holder.reg != NO_REGISTER && operation_writes(operation, holder.reg)))
			break;
	}
	return most;
}

/* Takes the addresses that the dynamic linker will write into the table, in a file that can be loaded anywhere. */
static void take_relocations(const struct elf_file *file, uint64_t table, uint64_t count, uint64_t *entries)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file_section(file, ".rela.dyn", &header);
	Elf_Data *data = section ? elf_getdata(section, 0) : 0;
	size_t relocations = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
	for (size_t i = 0; i < relocations && i <= INT_MAX; i++) {
		GElf_Rela rela;
		if (gelf_getrela(data, (int)i, &rela) && GELF_R_TYPE(rela.r_info) == R_X86_64_RELATIVE &&
			rela.r_offset >= table && (rela.r_offset - table) / sizeof *entries < count)
			entries[(rela.r_offset - table) / sizeof *entries] = (uint64_t)rela.r_addend;
	}
}

/* The addresses in a table; the caller frees them. 0: they are not in the file. */
static uint64_t *entries_of(const struct elf_file *file, const struct table_access *access, uint64_t count)
{
	uint64_t size, entry = access->relative ? sizeof(int32_t) : sizeof(uint64_t);
	const unsigned char *bytes = elf_file_at(file, access->address, &size);
	if (!bytes || !count || count > ENTRIES_MAX || count * entry > size)
		return 0;
	uint64_t *entries = memory_new(count, sizeof *entries);
	for (uint64_t i = 0; access->relative && i < count; i++) {
		int32_t offset;
		memcpy(&offset, bytes + i * entry, sizeof offset);
		entries[i] = access->address + (uint64_t)(int64_t)offset;
	}
	if (!access->relative) {
		memcpy(entries, bytes, count * entry);
		take_relocations(file, access->address, count, entries);
	}
	return entries;
}

static bool read_entries(const struct walk *walk, struct decoding *decoding, struct decoded *jump,
	const struct table_access *access, uint64_t count, bool *leaves)
{
	const struct function *function = walk->function;
	const struct code_object *object = resolver_found(walk->resolver, function->object);
	uint64_t *entries = object && object->file ? entries_of(object->file, access, count) : 0;
	bool good = entries;
	*leaves = false;
	jump->table = decoding->target_count;
	for (uint64_t i = 0; good && i < count; i++) {
		bool inside = entries[i] >= function->start && entries[i] < function->start + function->size;
		*leaves |= !inside;
		if (inside && decoded_at(decoding, entries[i] - function->start))
			decoded_add_target(decoding, jump, entries[i] - function->start);
		else
			good = !inside && resolver_object_holds(walk->resolver, function->object, entries[i]);
	}
	free(entries);
	if (good && jump->table_count)
		return true;
	decoding->target_count = jump->table;
	jump->table_count = 0;
	return false;
}

bool jump_table_read(struct resolver *resolver, const struct function *function, struct decoding *decoding,
	uint32_t jump, bool *leaves)
{
	struct walk walk = {.resolver = resolver, .function = function, .decoding = decoding, .at = jump};
	struct table_access access;
	if (disassembler_machine(resolver->disassembler) != EM_X86_64 || !read_operation(&walk) ||
		walk.operation.count != 1 || !walk.operation.operands[0].is_indirect)
		return false;
	const struct operand *operand = &walk.operation.operands[0];
	*leaves = operand->kind == OPERAND_MEMORY && operand->index == NO_REGISTER;
	if (*leaves)
		return true;
	if (is_access(operand, 8))
		access = access_of(operand, false);
	else if (operand->kind != OPERAND_REGISTER || !find_access(&walk, operand->reg, &access))
		return false;
	if (!find_base(&walk, &access))
		return false;
	return read_entries(&walk, decoding, &decoding->all[jump], &access, find_bound(&walk, access.index), leaves);
}
