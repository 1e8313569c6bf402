/* SPDX-License-Identifier: Apache-2.0 */
/* Interpreting seccomp's classic BPF: the instructions that the kernel accepts there (seccomp_check_filter). */
#include "filter.h"
#include "memory.h"
#include <string.h>

struct machine {
	uint32_t a, x, memory[BPF_MEMWORDS];
	const struct seccomp_data *call;
};

bool filter_read(const struct sock_fprog *program, struct sock_filter *copy, unsigned *length)
{
	struct memory memory = {0};
	struct sock_fprog given;
	if (!memory_read_bytes(&memory, (uint64_t)program, &given, sizeof given) || given.len == 0 ||
		given.len > BPF_MAXINSNS)
		return false;
	/* Instruction by instruction: the target's array may end at the end of what is mapped. */
	for (unsigned i = 0; i < given.len; i++)
		if (!memory_read_bytes(&memory, (uint64_t)(given.filter + i), copy + i, sizeof *copy))
			return false;
	*length = given.len;
	return true;
}

/* The operand of calculations and jumps by a constant. */
static bool operand_is_valid(const struct sock_filter *at, uint64_t left)
{
	unsigned operation = BPF_OP(at->code);
	bool constant = BPF_SRC(at->code) == BPF_K;
	if (BPF_CLASS(at->code) == BPF_JMP)
		return operation == BPF_JA ? constant && at->k < left
					   : operation <= BPF_JSET && at->jt < left && at->jf < left;
	if (operation == BPF_DIV)
		return !constant || at->k;
	/* The kernel refuses such constants; in a register they are allowed and give 0. */
	if (operation == BPF_LSH || operation == BPF_RSH)
		return !constant || at->k < 32;
	return operation <= BPF_NEG || operation == BPF_XOR;
}

/* `left`: how many instructions follow. */
static bool instruction_is_valid(const struct sock_filter *at, uint64_t left)
{
	switch (at->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return at->k % 4 == 0 && at->k < sizeof(struct seccomp_data);
	case BPF_LD | BPF_MEM:
	case BPF_LDX | BPF_MEM:
	case BPF_ST:
	case BPF_STX:
		return at->k < BPF_MEMWORDS;
	case BPF_LD | BPF_IMM:
	case BPF_LDX | BPF_IMM:
	case BPF_LD | BPF_W | BPF_LEN:
	case BPF_LDX | BPF_W | BPF_LEN:
	case BPF_RET | BPF_K:
	case BPF_RET | BPF_A:
	case BPF_MISC | BPF_TAX:
	case BPF_MISC | BPF_TXA:
		return true;
	}
	return (BPF_CLASS(at->code) == BPF_ALU || BPF_CLASS(at->code) == BPF_JMP) && at->code < 256 &&
	       operand_is_valid(at, left);
}

bool filter_is_valid(const struct sock_filter *filter, unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (!instruction_is_valid(&filter[i], length - 1 - i))
			return false;
	return length && BPF_CLASS(filter[length - 1].code) == BPF_RET;
}

static uint32_t load(const struct machine *m, const struct sock_filter *at)
{
	uint32_t word = 0;
	switch (BPF_MODE(at->code)) {
	case BPF_IMM:
		return at->k;
	case BPF_MEM:
		return m->memory[at->k % BPF_MEMWORDS];
	case BPF_LEN:
		return sizeof *m->call;
	}
	if (at->k <= sizeof *m->call - sizeof word)
		memcpy(&word, (const char *)m->call + at->k, sizeof word);
	return word;
}

static uint32_t calculate(uint32_t a, unsigned operation, uint32_t b)
{
	switch (operation) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b ? a / b : 0;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return b < 32 ? a << b : 0;
	case BPF_RSH:
		return b < 32 ? a >> b : 0;
	}
	return -a; /* BPF_NEG */
}

/* How many instructions are jumped over. */
static uint32_t jump(const struct sock_filter *at, uint32_t a, uint32_t b)
{
	bool holds = false;
	switch (BPF_OP(at->code)) {
	case BPF_JA:
		return at->k;
	case BPF_JEQ:
		holds = a == b;
		break;
	case BPF_JGT:
		holds = a > b;
		break;
	case BPF_JGE:
		holds = a >= b;
		break;
	case BPF_JSET:
		holds = a & b;
		break;
	}
	return holds ? at->jt : at->jf;
}

/* Jumps go forward only, so this ends. */
uint32_t filter_verdict(const struct sock_filter *filter, unsigned length, const struct seccomp_data *call)
{
	struct machine m = {.call = call};
	for (uint64_t i = 0; i < length; i++) {
		const struct sock_filter *at = &filter[i];
		uint32_t operand = BPF_SRC(at->code) == BPF_X ? m.x : at->k;
		switch (BPF_CLASS(at->code)) {
		case BPF_LD:
			m.a = load(&m, at);
			break;
		case BPF_LDX:
			m.x = load(&m, at);
			break;
		case BPF_ST:
			m.memory[at->k % BPF_MEMWORDS] = m.a;
			break;
		case BPF_STX:
			m.memory[at->k % BPF_MEMWORDS] = m.x;
			break;
		case BPF_ALU:
			m.a = calculate(m.a, BPF_OP(at->code), operand);
			break;
		case BPF_JMP:
			i += jump(at, m.a, operand);
			break;
		case BPF_RET:
			return BPF_RVAL(at->code) == BPF_A ? m.a : at->k;
		case BPF_MISC:
			if (BPF_MISCOP(at->code) == BPF_TAX)
				m.x = m.a;
			else
				m.a = m.x;
			break;
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}
