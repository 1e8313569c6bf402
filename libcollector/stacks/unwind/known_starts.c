/* SPDX-License-Identifier: Apache-2.0 */
/* Learns where threads and contexts start that unwind tables do not mark. */
#include "known_starts.h"
#include "architecture.h"
#include "cfi.h"
#include "modules.h"
#include "weak_libc.h"
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <ucontext.h>

/* Hand-written start code is this short where no table says how long it is. */
#define START_CODE_SIZE 64

static struct {
	uint64_t start, end;
} starts[3];

static void never_called(void)
{
}

/* The address that makecontext makes its function return to. */
static uint64_t context_start(void)
{
	uint64_t stack[256] = {0};
	ucontext_t context;
	if (getcontext(&context) != 0)
		return 0;
	context.uc_link = 0;
	context.uc_stack.ss_sp = stack;
	context.uc_stack.ss_size = sizeof stack;
	makecontext(&context, never_called, 0);
	const uint64_t *registers = registers_of(&context);
#if RETURN_BELOW_CFA
	return *(const uint64_t *)registers[SAVED_STACK_POINTER];
#else
	return registers[SAVED_LINK];
#endif
}

static uint64_t loader_entry(void)
{
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_BASE);
	return header ? (uint64_t)header + header->e_entry : 0;
}

/* One byte before the start counts too: the start itself may be a return address that no call left. */
static void learn(unsigned index, uint64_t address)
{
	struct module module;
	struct cfi_entry entry;
	starts[index].start = starts[index].end = 0;
	if (!address || !module_find(address, &module))
		return;
	starts[index].end = cfi_find(address, &module, &entry) ? entry.end : address + START_CODE_SIZE;
	starts[index].start = address - 1;
}

void known_starts_learn(void)
{
	if (starts[0].end) /* a fork child, whose parent did */
		return;
	learn(0, getauxval(AT_ENTRY));
	learn(1, loader_entry());
	learn(2, context_start());
}

bool known_start(uint64_t pc)
{
	for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (pc - starts[i].start < starts[i].end - starts[i].start)
			return true;
	return false;
}
