/* SPDX-License-Identifier: Apache-2.0 */
/* architecture.h for x86-64. */
#ifndef ARCHITECTURE_X86_64_H
#define ARCHITECTURE_X86_64_H

enum { DWARF_FRAME_POINTER = 6, DWARF_STACK_POINTER = 7, DWARF_RETURN = 16, DWARF_REGISTERS = 17 };

/* The register that hands the exception to a landing pad: saved only by functions that end in one, libgcc's unwinder. */
#define DWARF_EXCEPTION_DATA 0

#define ADDRESS_BITS 47
/* The return address lies just below the CFA: call pushed it. */
#define RETURN_BELOW_CFA 1
#define RETURN_ALIGNMENT 1u

/* Positions in the kernel's order of registers, struct sigcontext's. */
enum { SAVED_FRAME_POINTER = 10, SAVED_STACK_POINTER = 15, SAVED_PC = 16, SAVED_COUNT = 17 };
/* From the stack pointer in the signal trampoline (at the ucontext) to these registers. */
#define SIGNAL_REGISTERS_OFFSET 40

static inline const uint64_t *registers_of(const ucontext_t *context)
{
	return (const uint64_t *)context->uc_mcontext.gregs;
}

/* Which registers a perf record is to have (bits of enum perf_event_x86_regs: no flags, no segments), and where each of them
   goes among the saved ones, in the order of their bits: ax bx cx dx si di bp sp ip r8 to r15. */
#define PERF_REGISTERS 0xff01ffull
static inline unsigned perf_register_position(unsigned index)
{
	static const unsigned char position[SAVED_COUNT] = {13, 11, 14, 12, 9, 8, 10, 15, 16, 0, 1, 2, 3, 4, 5, 6, 7};
	return position[index];
}

/* The position of a DWARF register among the saved ones; -1: not there. */
static inline int saved_position(unsigned dwarf)
{
	static const signed char position[DWARF_REGISTERS] = {13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16};
	return dwarf < DWARF_REGISTERS ? position[dwarf] : -1;
}

/* Registers that a called function must preserve: the ABI's promise, by which a register without a rule keeps its value. */
static inline bool register_is_preserved(unsigned dwarf)
{
	return dwarf == 3 || dwarf == 6 || (dwarf >= 12 && dwarf <= 15);
}

static inline uint64_t return_address_strip(uint64_t value)
{
	return value;
}

/* The content of a remembered return address slot, given the caller's pc that was read from it. */
static inline uint64_t return_slot_value(uint64_t slot, uint64_t pc)
{
	(void)slot;
	return pc;
}

/* The instruction that calls the kernel. */
#define SYSTEM_CALL_BYTES 2
static inline bool bytes_are_system_call(const unsigned char code[SYSTEM_CALL_BYTES])
{
	return code[0] == 0x0f && code[1] == 0x05;
}

/* Code bytes before an address that tell whether it follows a call. */
#define CALL_BYTES 7
static inline bool bytes_are_call(const unsigned char code[CALL_BYTES])
{
	const unsigned char *end = code + CALL_BYTES;
	return end[-5] == 0xe8 || (end[-2] == 0xff && (end[-1] & 0x38) == 0x10) ||
	       (end[-3] == 0xff && (end[-2] & 0xf8) == 0x50) || (end[-4] == 0xff && end[-3] == 0x54) ||
	       (end[-6] == 0xff && (end[-5] & 0x38) == 0x10) || (end[-7] == 0xff && end[-6] == 0x94);
}
/* The target of a direct call that ends at `address`; 0 if the bytes before it are none. */
static inline uint64_t call_target(const unsigned char code[CALL_BYTES], uint64_t address)
{
	int32_t displacement;
	memcpy(&displacement, code + CALL_BYTES - 4, sizeof displacement);
	return code[CALL_BYTES - 5] == 0xe8 ? address + displacement : 0;
}

/* mov $__NR_rt_sigreturn, %rax; syscall: a signal trampoline of the target's own, known to every unwinder by its bytes. */
#define TRAMPOLINE_BYTES   9
#define TRAMPOLINE_SYSCALL 7 /* offset of its second instruction */
static inline bool bytes_are_trampoline(const unsigned char code[TRAMPOLINE_BYTES])
{
	static const unsigned char trampoline[TRAMPOLINE_BYTES] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	return memcmp(code, trampoline, TRAMPOLINE_BYTES) == 0;
}

/* The phase of a frame by the instructions that the thread stands before: run-times begin functions with (an optional
   touch of the stack and) push %rbp; mov %rsp,%rbp and end them with pop %rbp; ret. */
#define PHASE_BYTES 12
static inline enum frame_phase bytes_phase(const unsigned char code[PHASE_BYTES])
{
	static const unsigned char touch[] = {0x89, 0x84, 0x24}; /* mov %eax, -N(%rsp) */
	if (memcmp(code, touch, sizeof touch) == 0)
		code += 7;
	if (memcmp(code, (const unsigned char[]){0xf3, 0x0f, 0x1e, 0xfa}, 4) == 0) /* endbr64 */
		code += 4;
	if (code[0] == 0x55 || code[0] == 0xc3 || code[0] == 0xc2)
		return FRAME_AT_RETURN;
	if ((code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe5) ||
		(code[0] == 0x48 && code[1] == 0x8b && code[2] == 0xec) || code[0] == 0x5d)
		return FRAME_PUSHED;
	return FRAME_UNKNOWN;
}

/* libc's version of the functions that all programs may ask for. */
#define FIRST_LIBC_VERSION "GLIBC_2.2.5"
/* libc has the waits for condition variables twice, for another layout of their memory before GLIBC_2.3.2. */
#define CONDITIONS_IN_TWO_FORMS 1
#define AUDIT_ARCHITECTURE      AUDIT_ARCH_X86_64

/* libunwind's functions have the architecture in their names, L: of the own process. */
#define LIBUNWIND_LOCAL(name)   "_ULx86_64_" name
#define LIBUNWIND_GENERAL(name) "_Ux86_64_" name
#define LIBUNWIND_REGISTER_PC   16
/* It tells that a frame is the kernel's of a signal when it has left it. */
#define LIBUNWIND_SIGNAL_TOLD_AFTER 1

/* All loads before it are done. */
static inline void wait_for_loads(void)
{
	__builtin_ia32_lfence();
}

/* The result of a function of type STT_GNU_IFUNC, called as the loader calls it (glibc's sysdeps/ARCHITECTURE/dl-irel.h). */
static inline void *indirect_function(ElfW(Addr) function)
{
	return ((void *(*)(void))function)();
}

/* The thread pointer by an instruction, if the kernel allows it (Linux, arch/x86/include/uapi/asm/hwcap2.h). */
#define HAS_THREAD_POINTER_INSTRUCTION (getauxval(AT_HWCAP2) & 1ul << 1)
static inline uintptr_t thread_pointer_by_instruction(void)
{
	uintptr_t pointer;
	__asm__ volatile("rdfsbase %0" : "=r"(pointer));
	return pointer;
}
/* By the kernel: ARCH_GET_FS of arch/x86/include/uapi/asm/prctl.h. */
#define THREAD_POINTER_BY_KERNEL(pointer) system_call(SYS_arch_prctl, 0x1003, pointer)
/* Where it is libc's, it points to itself: no need to ask the kernel. */
static inline uintptr_t thread_pointer_of_libc(void)
{
	uintptr_t pointer;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
}
/* The thread's descriptor of libc begins with its own address, and has it again in the third word. */
#define THREAD_DESCRIPTOR_NAMES_ITSELF 1

/* own_stack_call() of own_stack.h. */
#define OWN_STACK_CALL                                                                                                 \
	__asm__(".pushsection .text\n"                                                                                 \
		".globl own_stack_call\n"                                                                              \
		".hidden own_stack_call\n"                                                                             \
		".type own_stack_call, @function\n"                                                                    \
		"own_stack_call:\n"                                                                                    \
		".cfi_startproc\n"                                                                                     \
		"push %rbp\n"                                                                                          \
		".cfi_def_cfa_offset 16\n"                                                                             \
		".cfi_offset %rbp, -16\n"                                                                              \
		"mov %rsp, %rbp\n"                                                                                     \
		".cfi_def_cfa_register %rbp\n"                                                                         \
		"mov %rdi, %rax\n"                                                                                     \
		"mov %rsi, %rdi\n"                                                                                     \
		"mov %rdx, %rsp\n"                                                                                     \
		"call *%rax\n"                                                                                         \
		"mov %rbp, %rsp\n"                                                                                     \
		"pop %rbp\n"                                                                                           \
		".cfi_def_cfa %rsp, 8\n"                                                                               \
		"ret\n"                                                                                                \
		".cfi_endproc\n"                                                                                       \
		".size own_stack_call, . - own_stack_call\n"                                                           \
		".popsection\n")

/* A global function NAME that keeps its arguments, calls CHOOSE(one of them, caller) and jumps to what it returns. */
#define ENTRY_THAT_CHOOSES(name, first_argument, choose)                                                               \
	__asm__(".pushsection .text\n"                                                                                 \
		".globl " #name "\n"                                                                                   \
		".type " #name ", @function\n" #name ":\n"                                                             \
		".cfi_startproc\n"                                                                                     \
		"endbr64\n"                                                                                            \
		"push %rdi\n"                                                                                          \
		".cfi_adjust_cfa_offset 8\n"                                                                           \
		"push %rsi\n"                                                                                          \
		".cfi_adjust_cfa_offset 8\n"                                                                           \
		"push %rdx\n"                                                                                          \
		".cfi_adjust_cfa_offset 8\n"                                                                           \
		"mov " first_argument ", %rdi\n"                                                                       \
		"mov 24(%rsp), %rsi\n"                                                                                 \
		"call " #choose "\n"                                                                                   \
		"pop %rdx\n"                                                                                           \
		".cfi_adjust_cfa_offset -8\n"                                                                          \
		"pop %rsi\n"                                                                                           \
		".cfi_adjust_cfa_offset -8\n"                                                                          \
		"pop %rdi\n"                                                                                           \
		".cfi_adjust_cfa_offset -8\n"                                                                          \
		"jmp *%rax\n"                                                                                          \
		".cfi_endproc\n"                                                                                       \
		".size " #name ", . - " #name "\n"                                                                     \
		".popsection\n")
#define FIRST_ARGUMENT  "%rdi"
#define SECOND_ARGUMENT "%rsi"

/* A global function NAME that calls DECIDE(its arguments in registers, those on the stack, its frame address) and jumps to what
   that returns, with all arguments as they were; 0: it returns. It writes to none of those on the stack: its caller may have
   given fewer than are looked at, and has data of its own there. */
#define ARGUMENT_REGISTERS 6
#define ENTRY_THAT_MAY_JUMP(name, decide)                                                                              \
	__asm__(".pushsection .text\n"                                                                                 \
		".globl " #name "\n"                                                                                   \
		".type " #name ", @function\n" #name ":\n"                                                             \
		".cfi_startproc\n"                                                                                     \
		"endbr64\n"                                                                                            \
		"push %rbp\n"                                                                                          \
		".cfi_def_cfa_offset 16\n"                                                                             \
		".cfi_offset %rbp, -16\n"                                                                              \
		"mov %rsp, %rbp\n"                                                                                     \
		".cfi_def_cfa_register %rbp\n"                                                                         \
		"push %r9\n"                                                                                           \
		"push %r8\n"                                                                                           \
		"push %rcx\n"                                                                                          \
		"push %rdx\n"                                                                                          \
		"push %rsi\n"                                                                                          \
		"push %rdi\n"                                                                                          \
		"mov %rsp, %rdi\n"                                                                                     \
		"lea 16(%rbp), %rsi\n"                                                                                 \
		"mov %rbp, %rdx\n"                                                                                     \
		"call " #decide "\n"                                                                                   \
		"mov %rax, %r11\n"                                                                                     \
		"pop %rdi\n"                                                                                           \
		"pop %rsi\n"                                                                                           \
		"pop %rdx\n"                                                                                           \
		"pop %rcx\n"                                                                                           \
		"pop %r8\n"                                                                                            \
		"pop %r9\n"                                                                                            \
		"pop %rbp\n"                                                                                           \
		".cfi_def_cfa %rsp, 8\n"                                                                               \
		"test %r11, %r11\n"                                                                                    \
		"je 1f\n"                                                                                              \
		"jmp *%r11\n"                                                                                          \
		"1: ret\n"                                                                                             \
		".cfi_endproc\n"                                                                                       \
		".size " #name ", . - " #name "\n"                                                                     \
		".popsection\n")

#endif
