/* SPDX-License-Identifier: Apache-2.0 */
/* architecture.h for arm64. */
#ifndef ARCHITECTURE_AARCH64_H
#define ARCHITECTURE_AARCH64_H

enum { DWARF_FRAME_POINTER = 29, DWARF_STACK_POINTER = 31, DWARF_RETURN = 30, DWARF_REGISTERS = 33 };

/* The register that hands the exception to a landing pad: saved only by functions that end in one, libgcc's unwinder. */
#define DWARF_EXCEPTION_DATA 0

#define ADDRESS_BITS 52
/* The return address is where the row says: beside the saved x29, or still in the link register. */
#define RETURN_BELOW_CFA 0
#define RETURN_ALIGNMENT 4u

/* Positions in struct sigcontext: x0 to x30, sp, pc. */
enum { SAVED_FRAME_POINTER = 29, SAVED_LINK = 30, SAVED_STACK_POINTER = 31, SAVED_PC = 32, SAVED_COUNT = 33 };
/* The frame of a signal: siginfo (128), then ucontext, whose registers follow 176 + 8 bytes after its start. */
#define SIGNAL_REGISTERS_OFFSET 312

static inline const uint64_t *registers_of(const ucontext_t *context)
{
	return (const uint64_t *)context->uc_mcontext.regs;
}

/* All of perf's: x0 to x30, sp, pc, in the same order. */
#define PERF_REGISTERS 0x1ffffffffull
static inline unsigned perf_register_position(unsigned index)
{
	return index;
}

static inline int saved_position(unsigned dwarf)
{
	return dwarf <= 31 ? (int)dwarf : -1;
}

static inline bool register_is_preserved(unsigned dwarf)
{
	return dwarf >= 19 && dwarf <= 29;
}

/* xpaclri, a hint: nothing on processors without pointer authentication. It works on x30. */
static inline uint64_t return_address_strip(uint64_t value)
{
	register uint64_t link __asm__("x30") = value;
	__asm__("hint 7" : "+r"(link));
	return link;
}

/* Slots are compared as they are, signed. */
static inline uint64_t return_slot_value(uint64_t slot, uint64_t pc)
{
	(void)pc;
	return *(const volatile uint64_t *)slot;
}

#define CALL_BYTES 4
static inline bool bytes_are_call(const unsigned char code[CALL_BYTES])
{
	uint32_t instruction;
	memcpy(&instruction, code, sizeof instruction);
	return (instruction & 0xfc000000) == 0x94000000 || (instruction & 0xfffffc1f) == 0xd63f0000 ||
	       (instruction & 0xfefff800) == 0xd63f0800; /* bl; blr; blraa, blrab and their zero forms */
}
static inline uint64_t call_target(const unsigned char code[CALL_BYTES], uint64_t address)
{
	uint32_t instruction;
	memcpy(&instruction, code, sizeof instruction);
	if ((instruction & 0xfc000000) != 0x94000000)
		return 0;
	return address - 4 + (int64_t)((int32_t)(instruction << 6) >> 4);
}

/* mov x8, #__NR_rt_sigreturn; svc #0 */
#define TRAMPOLINE_BYTES   8
#define TRAMPOLINE_SYSCALL 4 /* offset of its second instruction */
static inline bool bytes_are_trampoline(const unsigned char code[TRAMPOLINE_BYTES])
{
	static const uint32_t trampoline[2] = {0xd2801168, 0xd4000001};
	return memcmp(code, trampoline, TRAMPOLINE_BYTES) == 0;
}

/* mov x29, sp: the record was just made. (A return, or what stands before the record, proves more: link_register.h.) */
#define PHASE_BYTES 4
static inline enum frame_phase bytes_phase(const unsigned char code[PHASE_BYTES])
{
	uint32_t instruction;
	memcpy(&instruction, code, sizeof instruction);
	return instruction == 0x910003fd ? FRAME_PUSHED : FRAME_UNKNOWN;
}

#endif
