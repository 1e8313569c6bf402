/* SPDX-License-Identifier: Apache-2.0 */
/* Follows arm64 instructions to the end of a function. Source: Arm Architecture Reference Manual, chapter C4, "A64 instruction
   set encoding"; Procedure Call Standard for the Arm 64-bit Architecture, section 6.1.1. */
#include "link_register.h"
#include "architecture.h"

#if RETURN_BELOW_CFA
bool link_register_is_return(struct memory *memory, uint64_t pc)
{
	(void)memory, (void)pc;
	return false;
}
#else

#define INSTRUCTIONS_MOST 256
#define LINK              30u
#define STACK             31u /* in some encodings; in others the register that is always 0 */

static inline uint32_t bits(uint32_t instruction, unsigned low, unsigned count)
{
	return instruction >> low & ((1u << count) - 1);
}

/* Data processing. Only additions and logic without flags can name the stack pointer as what they write. */
static bool immediate_spares(uint32_t i)
{
	uint32_t group = bits(i, 23, 3), written = bits(i, 0, 5);
	bool addition = group == 2 || group == 3, logic = group == 4;
	if (written == LINK)
		return false;
	return written != STACK || !((addition && !bits(i, 29, 1)) || (logic && bits(i, 29, 2) != 3));
}
static bool registers_spare(uint32_t i)
{
	bool extended_addition = (i & 0x1f200000) == 0x0b200000;
	uint32_t written = bits(i, 0, 5);
	return written != LINK && (written != STACK || !extended_addition || bits(i, 29, 1));
}

/* Loads and stores: they write what they load (a store is taken for a load here: it seldom names the link register), and
   where they move their base, the base. */
static bool memory_spares(uint32_t i)
{
	uint32_t group = bits(i, 27, 3), base = bits(i, 5, 5);
	bool vector = bits(i, 26, 1), pair = group == 5, single = group == 7;
	bool moves_base = (pair && bits(i, 23, 1)) ||
			  (single && !bits(i, 24, 1) && !bits(i, 21, 1) && bits(i, 10, 1)) ||
			  (group == 1 && vector && bits(i, 23, 1));
	if (moves_base && (base == LINK || base == STACK))
		return false;
	if (vector)
		return true;
	if (group == 1 && bits(i, 16, 5) == LINK) /* the status of an exclusive store */
		return false;
	return bits(i, 0, 5) != LINK && (!(pair || group == 1) || bits(i, 10, 5) != LINK);
}

enum course { GOES_ON, GOES_TO, PROVEN, UNCERTAIN };

/* Branches and what the system does. */
static enum course branch_course(uint32_t i, uint64_t *target)
{
	if ((i & 0xfc000000) == 0x14000000) { /* b */
		*target += (uint64_t)((int64_t)((int32_t)(i << 6) >> 4));
		return GOES_TO;
	}
	if (i == 0xd65f03c0 || i == 0xd65f0bff || i == 0xd65f0fff) /* ret, retaa, retab */
		return PROVEN;
	bool conditional = (i & 0xfe000000) == 0x54000000 || (i & 0x7c000000) == 0x34000000;
	bool hint_or_barrier = (i & 0xfffff01f) == 0xd503201f || (i & 0xfffff01f) == 0xd503301f;
	bool reads_system = (i & 0xfff00000) == 0xd5300000 && bits(i, 0, 5) != LINK;
	bool calls_system = (i & 0xffe0001f) == 0xd4000001;
	return conditional || hint_or_barrier || reads_system || calls_system ? GOES_ON : UNCERTAIN;
}

static enum course course_of(uint32_t i, uint64_t *target)
{
	uint32_t group = bits(i, 25, 4);
	bool spares = false;
	if ((i & 0xffc07fff) == 0xa9807bfd || i == 0xa9bf7bf0) /* stp x29, x30, [sp, #-n]!; the same of x16 and x30 */
		return PROVEN;
	if ((group & 14) == 10)
		return branch_course(i, target);
	if ((group & 14) == 8)
		spares = immediate_spares(i);
	else if ((group & 7) == 5)
		spares = registers_spare(i);
	else if ((group & 5) == 4)
		spares = memory_spares(i);
	else if ((group & 7) == 7)
		spares = bits(i, 0, 5) != LINK; /* floating point and vectors; some write general registers */
	return spares ? GOES_ON : UNCERTAIN;
}

/* The jump of a stub: add x16, x16, #n; [autia1716;] br x17, or br x16. */
static bool is_stub_jump(struct memory *memory, uint64_t pc, uint32_t i)
{
	uint32_t before[2];
	if ((i != 0xd61f0220 && i != 0xd61f0200) || !memory_read_bytes(memory, pc - 8, before, sizeof before))
		return false;
	uint32_t addition = before[1] == 0xd503219f ? before[0] : before[1];
	return (addition & 0xff8003ff) == 0x91000210;
}

bool link_register_is_return(struct memory *memory, uint64_t pc)
{
	uint32_t instruction;
	for (int n = 0; n < INSTRUCTIONS_MOST; n++) {
		uint64_t target = pc;
		if (pc & 3 || !memory_read_bytes(memory, pc, &instruction, sizeof instruction))
			return false;
		switch (course_of(instruction, &target)) {
		case GOES_ON:
			pc += 4;
			break;
		case GOES_TO:
			pc = target;
			break;
		case PROVEN:
			return true;
		case UNCERTAIN:
			return is_stub_jump(memory, pc, instruction);
		}
	}
	return false;
}
#endif
