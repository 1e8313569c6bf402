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

#define SYSTEM_CALL_BYTES 4
static inline bool bytes_are_system_call(const unsigned char code[SYSTEM_CALL_BYTES])
{
	uint32_t instruction;
	memcpy(&instruction, code, sizeof instruction);
	return instruction == 0xd4000001; /* svc #0 */
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

/* libc's version of the functions that all programs may ask for. */
#define FIRST_LIBC_VERSION      "GLIBC_2.17"
#define CONDITIONS_IN_TWO_FORMS 0
#define AUDIT_ARCHITECTURE      AUDIT_ARCH_AARCH64

/* libunwind's functions have the architecture in their names, L: of the own process. */
#define LIBUNWIND_LOCAL(name)       "_ULaarch64_" name
#define LIBUNWIND_GENERAL(name)     "_Uaarch64_" name
#define LIBUNWIND_REGISTER_PC       30 /* its number of "the frame's pc", whatever x30 holds */
#define LIBUNWIND_SIGNAL_TOLD_AFTER 0

/* All loads before it are done. */
static inline void wait_for_loads(void)
{
	__asm__ volatile("isb" ::: "memory");
}

/* The result of a function of type STT_GNU_IFUNC, called as the loader calls it (glibc's sysdeps/ARCHITECTURE/dl-irel.h). */
static inline void *indirect_function(ElfW(Addr) function)
{
	const uint64_t has_more = 1ull << 62;
	const uint64_t more[] = {3 * sizeof(uint64_t), getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
	return ((void *(*)(uint64_t, const uint64_t *))function)(more[1] | has_more, more);
}

/* The thread pointer: every program may read it. */
#define HAS_THREAD_POINTER_INSTRUCTION true
static inline uintptr_t thread_pointer_by_instruction(void)
{
	uintptr_t pointer;
	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
	return pointer;
}
#define THREAD_POINTER_BY_KERNEL(pointer) ((void)(pointer))
static inline uintptr_t thread_pointer_of_libc(void)
{
	return thread_pointer_by_instruction();
}
/* The memory that it points to does not tell whose it is. Go leaves the register to libc there. */
#define THREAD_DESCRIPTOR_NAMES_ITSELF 0

/* own_stack_call() of own_stack.h. */
#define OWN_STACK_CALL                                                                                                 \
	__asm__(".pushsection .text\n"                                                                                 \
		".globl own_stack_call\n"                                                                              \
		".hidden own_stack_call\n"                                                                             \
		".type own_stack_call, %function\n"                                                                    \
		"own_stack_call:\n"                                                                                    \
		".cfi_startproc\n"                                                                                     \
		"stp x29, x30, [sp, #-16]!\n"                                                                          \
		".cfi_def_cfa_offset 16\n"                                                                             \
		".cfi_offset 29, -16\n"                                                                                \
		".cfi_offset 30, -8\n"                                                                                 \
		"mov x29, sp\n"                                                                                        \
		".cfi_def_cfa_register 29\n"                                                                           \
		"mov x3, x0\n"                                                                                         \
		"mov x0, x1\n"                                                                                         \
		"mov sp, x2\n"                                                                                         \
		"blr x3\n"                                                                                             \
		"mov sp, x29\n"                                                                                        \
		".cfi_def_cfa_register 31\n"                                                                           \
		"ldp x29, x30, [sp], #16\n"                                                                            \
		".cfi_def_cfa_offset 0\n"                                                                              \
		".cfi_restore 29\n"                                                                                    \
		".cfi_restore 30\n"                                                                                    \
		"ret\n"                                                                                                \
		".cfi_endproc\n"                                                                                       \
		".size own_stack_call, . - own_stack_call\n"                                                           \
		".popsection\n")

/* A global function NAME that keeps its arguments, calls CHOOSE(one of them, caller) and jumps to what it returns. */
#define ENTRY_THAT_CHOOSES(name, first_argument, choose)                                                               \
	__asm__(".pushsection .text\n"                                                                                 \
		".globl " #name "\n"                                                                                   \
		".type " #name ", %function\n" #name ":\n"                                                             \
		".cfi_startproc\n"                                                                                     \
		"stp x29, x30, [sp, #-48]!\n"                                                                          \
		".cfi_def_cfa_offset 48\n"                                                                             \
		".cfi_offset 29, -48\n"                                                                                \
		".cfi_offset 30, -40\n"                                                                                \
		"mov x29, sp\n"                                                                                        \
		"stp x0, x1, [sp, #16]\n"                                                                              \
		"str x2, [sp, #32]\n"                                                                                  \
		"mov x0, " first_argument "\n"                                                                         \
		"mov x1, x30\n"                                                                                        \
		"bl " #choose "\n"                                                                                     \
		"mov x16, x0\n"                                                                                        \
		"ldp x0, x1, [sp, #16]\n"                                                                              \
		"ldr x2, [sp, #32]\n"                                                                                  \
		"ldp x29, x30, [sp], #48\n"                                                                            \
		".cfi_restore 29\n"                                                                                    \
		".cfi_restore 30\n"                                                                                    \
		".cfi_def_cfa_offset 0\n"                                                                              \
		"br x16\n"                                                                                             \
		".cfi_endproc\n"                                                                                       \
		".size " #name ", . - " #name "\n"                                                                     \
		".popsection\n")
#define FIRST_ARGUMENT  "x0"
#define SECOND_ARGUMENT "x1"

/* A global function NAME that calls DECIDE(its arguments in registers, those on the stack, its frame address) and jumps to what
   that returns, with all arguments as they were; 0: it returns. It writes to none of those on the stack: its caller may have
   given fewer than are looked at, and has data of its own there. */
#define ARGUMENT_REGISTERS 8
#define ENTRY_THAT_MAY_JUMP(name, decide)                                                                              \
	__asm__(".pushsection .text\n"                                                                                 \
		".globl " #name "\n"                                                                                   \
		".type " #name ", %function\n" #name ":\n"                                                             \
		".cfi_startproc\n"                                                                                     \
		"stp x29, x30, [sp, #-80]!\n"                                                                          \
		".cfi_def_cfa_offset 80\n"                                                                             \
		".cfi_offset 29, -80\n"                                                                                \
		".cfi_offset 30, -72\n"                                                                                \
		"mov x29, sp\n"                                                                                        \
		"stp x0, x1, [sp, #16]\n"                                                                              \
		"stp x2, x3, [sp, #32]\n"                                                                              \
		"stp x4, x5, [sp, #48]\n"                                                                              \
		"stp x6, x7, [sp, #64]\n"                                                                              \
		"add x0, sp, #16\n"                                                                                    \
		"add x1, sp, #80\n"                                                                                    \
		"mov x2, x29\n"                                                                                        \
		"bl " #decide "\n"                                                                                     \
		"mov x16, x0\n"                                                                                        \
		"ldp x0, x1, [sp, #16]\n"                                                                              \
		"ldp x2, x3, [sp, #32]\n"                                                                              \
		"ldp x4, x5, [sp, #48]\n"                                                                              \
		"ldp x6, x7, [sp, #64]\n"                                                                              \
		"ldp x29, x30, [sp], #80\n"                                                                            \
		".cfi_restore 29\n"                                                                                    \
		".cfi_restore 30\n"                                                                                    \
		".cfi_def_cfa_offset 0\n"                                                                              \
		"cbz x16, 1f\n"                                                                                        \
		"br x16\n"                                                                                             \
		"1: ret\n"                                                                                             \
		".cfi_endproc\n"                                                                                       \
		".size " #name ", . - " #name "\n"                                                                     \
		".popsection\n")

#endif
