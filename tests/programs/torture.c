/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of code that make stacks hard to take: torture CASE [SECONDS]. Everything that a case does, for SECONDS (0.4) of CPU
   time, it does below its function outer_CASE, so that nearly every sample must show that function. Without arguments it
   lists its cases. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
/* Keeps the call before it from becoming a tail call. */
#define STAY __asm__ volatile("")

static double seconds = 0.4;
static volatile unsigned long sink;

static double cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
/* Repeats a statement until the case's time is used up; the clock is read seldom. */
#define REPEAT(statement)                                                                                              \
	for (double end_ = cpu_time() + seconds; cpu_time() < end_;)                                                   \
		for (int i_ = 0; i_ < 50; i_++) {                                                                      \
			statement;                                                                                     \
		}

static NOINLINE unsigned long spin(unsigned n)
{
	unsigned long x = n;
	for (unsigned i = 0; i < n; i++) {
		x = x * 6364136223846793005ul + 1;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static NOINLINE void with_alloca(unsigned n)
{
	char *space = __builtin_alloca(n % 4096 + 1);
	space[0] = 1;
	__asm__ volatile("" : : "r"(space) : "memory");
	sink += spin(200) + (unsigned char)space[0];
}
NOINLINE void outer_alloca(void)
{
	unsigned n = 0;
	REPEAT(with_alloca(n += 37))
}

/* A local that must be aligned beyond the stack, beside alloca: the compiler keeps the caller's frame in another register. */
static NOINLINE void realigned(unsigned n)
{
	char buffer[256] __attribute__((aligned(256)));
	char *space = __builtin_alloca(n % 512 + 1);
	memset(buffer, (int)n, sizeof buffer);
	__asm__ volatile("" : : "r"(space), "r"(buffer) : "memory");
	sink += spin(200) + (unsigned char)buffer[n % 256];
}
NOINLINE void outer_realigned(void)
{
	unsigned n = 0;
	REPEAT(realigned(n += 37))
}

static NOINLINE unsigned long switched(unsigned n)
{
	switch (n % 11) {
	case 0:
		return spin(20);
	case 1:
		return spin(21) + 1;
	case 2:
		return spin(22) * 3;
	case 3:
		return spin(23) ^ n;
	case 4:
		return spin(24) - n;
	case 5:
		return spin(25) | 1;
	case 6:
		return spin(26) & n;
	case 7:
		return spin(27) % 7;
	case 8:
		return spin(28) / 3;
	case 9:
		return spin(29) << 1;
	default:
		return spin(30) >> 1;
	}
}
NOINLINE void outer_switch(void)
{
	unsigned n = 0;
	REPEAT(sink += switched(n++))
}

static jmp_buf back;
static NOINLINE __attribute__((noreturn)) void never_returns(unsigned n)
{
	sink += spin(200 + n % 3);
	longjmp(back, 1);
}
/* The call is the last instruction: the return address lies in the next function. */
static NOINLINE __attribute__((noreturn)) void ends_in_a_call(unsigned n)
{
	never_returns(n + 1);
}
static NOINLINE void come_back(unsigned n)
{
	if (setjmp(back) == 0)
		ends_in_a_call(n);
}
NOINLINE void outer_noreturn(void)
{
	REPEAT(come_back((unsigned)i_))
}

static NOINLINE void jump_from(int depth)
{
	if (depth > 0)
		jump_from(depth - 1);
	else if (sink != 1)
		longjmp(back, 1);
	STAY;
}
static NOINLINE void jump_back(int depth)
{
	if (setjmp(back) == 0)
		jump_from(depth);
}
NOINLINE void outer_longjmp(void)
{
	REPEAT(jump_back(20); sink += spin(30))
}

static int compare(const void *a, const void *b)
{
	return (int)(spin(5) & 0) + *(const int *)a - *(const int *)b;
}
NOINLINE void outer_qsort(void)
{
	static int numbers[2000];
	REPEAT(for (int i = 0; i < 2000; i++) numbers[i] = i * 7919 % 2003;
		qsort(numbers, 2000, sizeof numbers[0], compare))
}

static void on_signal(int signal_number)
{
	(void)signal_number;
	sink += spin(3000);
}
static void work_in_handlers(int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
	sigaction(SIGUSR1, &action, 0);
	REPEAT(raise(SIGUSR1))
}
NOINLINE void outer_signal(void)
{
	work_in_handlers(0);
	STAY;
}
NOINLINE void outer_altstack(void)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	sigaltstack(&stack, 0);
	work_in_handlers(SA_ONSTACK);
	STAY;
}
static void on_segv(int signal_number, siginfo_t *info, void *context)
{
	(void)signal_number, (void)info, (void)context;
	sink += spin(3000);
	siglongjmp(back, 1);
}
static NOINLINE void fault(void)
{
	volatile int *volatile nowhere = 0;
	if (sigsetjmp(back, 1) == 0)
		*nowhere = 1;
}
/* A fault in a leaf, its handler on the alternate stack, left by a jump. */
NOINLINE void outer_fault(void)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_sigaction = on_segv, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER};
	sigaltstack(&stack, 0);
	sigaction(SIGSEGV, &action, 0);
	REPEAT(fault())
}

/* The frame pointer holds a number; the unwind table says where the caller's is. */
#if defined(__x86_64__)
__asm__(".text\n.type clobbers_frame_pointer, @function\nclobbers_frame_pointer:\n.cfi_startproc\n"
	"push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset rbp, 0\n"
	"mov $0x123456789, %rbp\nmov $2000, %eax\n1: dec %eax\njnz 1b\n"
	"pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore rbp\nret\n.cfi_endproc\n"
	".size clobbers_frame_pointer, .-clobbers_frame_pointer\n");
extern void clobbers_frame_pointer(void);
#else
static NOINLINE void clobbers_frame_pointer(void)
{
	sink += spin(2000);
}
#endif
NOINLINE void outer_clobbered(void)
{
	REPEAT(clobbers_frame_pointer(); STAY)
}

static NOINLINE unsigned long tail_end(unsigned n, unsigned long x)
{
	for (unsigned i = 0; i < 100; i++)
		x = x * 31 + n;
	return x;
}
static NOINLINE unsigned long tail_middle(unsigned n, unsigned long x)
{
	return tail_end(n, x + 1);
}
static NOINLINE unsigned long tail_begin(unsigned n)
{
	return tail_middle(n, n);
}
NOINLINE void outer_tail(void){REPEAT(sink += tail_begin((unsigned)i_))}

NOINLINE void outer_vdso(void)
{
	struct timespec t;
	REPEAT(for (int i = 0; i < 20; i++) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		sink += (unsigned long)t.tv_nsec;
	})
}
NOINLINE void outer_syscalls(void)
{
	REPEAT(sink += (unsigned long)getppid() + (unsigned long)syscall(SYS_gettid))
}

static NOINLINE unsigned long leaf1(unsigned long x)
{
	return x + 1;
}
static NOINLINE unsigned long leaf2(unsigned long x)
{
	return leaf1(x) * 3;
}
NOINLINE void outer_leaves(void)
{
	REPEAT(for (int i = 0; i < 100; i++) sink = leaf2(sink) + leaf1(sink))
}

#if defined(__x86_64__)
static NOINLINE __attribute__((target("avx2"))) long vectors(const int *numbers, int n)
{
	typedef int vector __attribute__((vector_size(32), aligned(4)));
	vector sum = {0};
	for (int i = 0; i + 8 <= n; i += 8)
		sum += *(const vector *)(numbers + i) * sum + 3;
	return sum[0] + sum[7];
}
NOINLINE void outer_avx2(void)
{
	static int numbers[4096];
	if (!__builtin_cpu_supports("avx2"))
		REPEAT(sink += spin(1000))
	REPEAT(sink += (unsigned long)vectors(numbers, 4096))
}
#endif

NOINLINE void outer_memset(void)
{
	static char area[65536];
	unsigned n = 0;
	REPEAT(memset(area, i_, 1 + (n += 4099) % sizeof area); STAY)
}
NOINLINE void outer_strlen(void)
{
	static char area[65536];
	memset(area, 'x', sizeof area - 1);
	char *volatile text = area;
	REPEAT(sink += strlen(text + i_) + (strchr(text, 'y') != 0))
}

static NOINLINE unsigned long recurse(int n)
{
	volatile char pad[24];
	pad[0] = (char)n;
	unsigned long x = n > 1 ? recurse(n - 1) : spin(20000);
	return x + (unsigned char)pad[0];
}
NOINLINE void outer_depth200(void){REPEAT(sink += recurse(200))} NOINLINE void outer_depth2000(void)
{
	REPEAT(sink += recurse(2000))
}
/* Depth that changes all the time. */
static NOINLINE unsigned long tree(int n)
{
	if (n < 2)
		return spin(3);
	unsigned long x = tree(n - 1);
	x += tree(n - 2);
	STAY;
	return x;
}
NOINLINE void outer_tree(void)
{
	REPEAT(sink += tree(15))
}

static ucontext_t main_context, other_context;
NOINLINE void outer_swapcontext(void)
{
	unsigned n = 0;
	REPEAT(sink += spin(1000); if (++n % 1000 == 0) swapcontext(&other_context, &main_context))
	seconds = 0;
	swapcontext(&other_context, &main_context);
}
static void run_swapcontext(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof stack;
	other_context.uc_link = &main_context;
	makecontext(&other_context, outer_swapcontext, 0);
	while (seconds > 0)
		swapcontext(&main_context, &other_context);
}

NOINLINE void *outer_threads(void *unused)
{
	REPEAT(sink += spin(1000))
	return unused;
}
static void run_threads(void)
{
	pthread_t threads[4];
	seconds /= 4;
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, outer_threads, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
}

NOINLINE void outer_atexit(void)
{
	REPEAT(sink += spin(1000))
}

/* A signal within a signal's handler, each interrupting a function without a frame. */
static void on_outer_signal(int signal_number)
{
	(void)signal_number;
	raise(SIGUSR1);
	sink += spin(500);
}
NOINLINE void outer_nested_signals(void)
{
	struct sigaction inner = {.sa_handler = on_signal}, action = {.sa_handler = on_outer_signal};
	sigaction(SIGUSR1, &inner, 0);
	sigaction(SIGUSR2, &action, 0);
	REPEAT(raise(SIGUSR2))
}

#if defined(__x86_64__)
/* Code made at run time that keeps frame pointers: it calls back into C, which calls it again. */
static unsigned long (*made_call)(unsigned long (*f)(unsigned), unsigned n);
static unsigned long (*made_loop)(unsigned long n);
static NOINLINE unsigned long called_back(unsigned n)
{
	return made_loop(1000 + n) + spin(200);
}
NOINLINE void outer_made_code(void)
{
	static const unsigned char call[] = {0x55, 0x48, 0x89, 0xe5, /* push %rbp; mov %rsp, %rbp */
		0x48, 0x89, 0xf8, 0x89, 0xf7, 0xff, 0xd0,            /* mov %rdi, %rax; mov %esi, %edi; call *%rax */
		0x5d, 0xc3};                                         /* pop %rbp; ret */
	static const unsigned char loop[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x40, /* ...; sub $64, %rsp */
		0x48, 0xff, 0xcf, 0x75, 0xfb,                                                /* 1: dec %rdi; jnz 1b */
		0xc9, 0xc3};                                                                 /* leave; ret */
	char *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, call, sizeof call);
	memcpy(code + 64, loop, sizeof loop);
	made_call = (unsigned long (*)(unsigned long (*)(unsigned), unsigned))(void *)code;
	made_loop = (unsigned long (*)(unsigned long))(void *)(code + 64);
	REPEAT(sink += made_call(called_back, (unsigned)i_))
}

/* Assembly without unwind information that uses the frame pointer for something else. */
__asm__(".text\n.type without_cfi, @function\nwithout_cfi:\n"
	"push %rbx\npush %rbp\nsub $24, %rsp\nmov $77, %ebp\nmov %rdi, %rbx\n"
	"1: dec %rbx\njnz 1b\nadd $24, %rsp\npop %rbp\npop %rbx\nret\n"
	".size without_cfi, .-without_cfi\n");
extern void without_cfi(unsigned long n);
NOINLINE void outer_without_cfi(void)
{
	REPEAT(without_cfi(2000); STAY)
}
#endif

#define SIMPLE(name)                                                                                                   \
	{                                                                                                              \
#name, outer_##name                                                                                    \
	}
static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	SIMPLE(alloca),
	SIMPLE(realigned),
	SIMPLE(switch),
	SIMPLE(noreturn),
	SIMPLE(longjmp),
	SIMPLE(qsort),
	SIMPLE(signal),
	SIMPLE(altstack),
	SIMPLE(fault),
	SIMPLE(nested_signals),
	SIMPLE(clobbered),
	SIMPLE(tail),
	SIMPLE(vdso),
	SIMPLE(syscalls),
	SIMPLE(leaves),
	SIMPLE(memset),
	SIMPLE(strlen),
	SIMPLE(depth200),
	SIMPLE(depth2000),
	SIMPLE(tree),
	SIMPLE(atexit),
	{"swapcontext", run_swapcontext},
	{"threads", run_threads},
#if defined(__x86_64__)
	SIMPLE(avx2),
	SIMPLE(made_code),
	SIMPLE(without_cfi),
#endif
};

int main(int argc, char **argv)
{
	if (argc > 2)
		seconds = atof(argv[2]);
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (argc < 2)
			puts(cases[i].name);
		else if (strcmp(argv[1], "atexit") == 0)
			return atexit(outer_atexit);
		else if (strcmp(argv[1], cases[i].name) == 0)
			return cases[i].run(), 0;
	}
	if (argc > 1)
		fprintf(stderr, "torture: no case %s\n", argv[1]);
	return argc > 1;
}
