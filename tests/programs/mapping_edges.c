// SPDX-License-Identifier: Apache-2.0
// Spins in a function without unwind information where whoever looks for its caller comes to the edges of mappings:
//   mapping_edges code MILLISECONDS    the stack is full of addresses beside the edges of the code. The entry point is the first
//                                      byte of a mapping: nothing is mapped before it
//   mapping_edges stack MILLISECONDS   in a thread with a small stack, on another stack that lies below it; between the two is a
//                                      page without access
// Linked with -nostartfiles and segments that are far from each other (tests.mk).
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { VALUES = 16, PAGE = 4096, STACK = 65536 };
typedef int main_function(int, char **, char **);
int __libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
void spin_without_table(const void *values, unsigned long rounds, char *stack); // of 16 words; stack: 0: where it is
extern const char _start[], etext[];
static double wanted;

// .init is the first section that the linker puts into the segment of code.
#if defined(__x86_64__)
__asm__(".section .init,\"ax\",@progbits\n"
	".globl _start\n"
	"_start: xor %ebp,%ebp\n"
	"mov %rsp,%rdi\n"
	"mov %rdx,%rsi\n"
	"and $-16,%rsp\n"
	"call begin\n"
	"hlt\n"
	".text\n"
	".globl spin_without_table\n"
	"spin_without_table: push %rbp\n"
	"push %rbx\n"
	"mov %rsp,%rbx\n"
	"test %rdx,%rdx\n"
	"cmovne %rdx,%rsp\n"
	"xor %ebp,%ebp\n"
	"sub $128,%rsp\n"
	"xor %eax,%eax\n"
	"1: mov (%rdi,%rax,8),%rdx\n"
	"mov %rdx,(%rsp,%rax,8)\n"
	"inc %eax\n"
	"cmp $16,%eax\n"
	"jne 1b\n"
	"2: dec %rsi\n"
	"jnz 2b\n"
	"mov %rbx,%rsp\n"
	"pop %rbx\n"
	"pop %rbp\n"
	"ret\n");
#elif defined(__aarch64__)
__asm__(".section .init,\"ax\",@progbits\n"
	".globl _start\n"
	"_start: mov x29, #0\n"
	"mov x30, #0\n"
	"mov x1, x0\n"
	"mov x0, sp\n"
	"bl begin\n"
	"brk #0\n"
	".text\n"
	".globl spin_without_table\n"
	"spin_without_table: mov x4, x30\n"
	"mov x5, x29\n"
	"mov x6, sp\n"
	"cbz x2, 3f\n"
	"mov sp, x2\n"
	"3: mov x29, #0\n"
	"sub sp, sp, #128\n"
	"mov x3, #0\n"
	"1: ldr x2, [x0, x3, lsl #3]\n"
	"str x2, [sp, x3, lsl #3]\n"
	"add x3, x3, #1\n"
	"cmp x3, #16\n"
	"b.ne 1b\n"
	"mov x30, x2\n" // a link register that is none
	"2: subs x1, x1, #1\n"
	"b.ne 2b\n"
	"mov sp, x6\n"
	"mov x29, x5\n"
	"ret x4\n");
#endif

static void spin(const uintptr_t *values, char *stack)
{
	clock_t start = clock();
	do
		spin_without_table(values, 100000, stack);
	while ((double)(clock() - start) / CLOCKS_PER_SEC < wanted);
}

static void beside_code(void)
{
	uintptr_t values[VALUES], start = (uintptr_t)_start,
				  end = ((uintptr_t)etext + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	for (unsigned i = 0; i < VALUES / 2; i++) {
		values[2 * i] = start + i;
		values[2 * i + 1] = end - 3 + i;
	}
	spin(values, 0);
}

static void *on_stack_below(void *end)
{
	static const uintptr_t values[VALUES];
	spin(values, end);
	return 0;
}

// Below the thread's stack lie a page that nobody may touch, and the other stack.
static int on_own_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	char *low = mmap(0, 5 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *end = low + STACK;
	if (low == MAP_FAILED || mprotect(end, PAGE, PROT_NONE) != 0)
		return 1;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, end + PAGE, 4 * STACK - PAGE);
	if (pthread_create(&thread, &attributes, on_stack_below, end) != 0)
		return 1;
	return pthread_join(thread, 0);
}

static int run(int count, char **arguments, char **environment)
{
	int failed = 0;
	(void)environment;
	if (count != 3)
		return 2;
	wanted = atof(arguments[2]) / 1000;
	if (!strcmp(arguments[1], "code"))
		beside_code();
	else
		failed = on_own_stack();
	puts(failed ? "failed" : "done");
	return failed;
}

__attribute__((used)) void begin(long *stack, void (*finish)(void))
{
	__libc_start_main(run, (int)stack[0], (char **)(stack + 1), 0, 0, finish, stack);
	abort();
}
