/* SPDX-License-Identifier: Apache-2.0 */
/* The manual's figure 2-1 and recursions, exactly, through the whole reader: written as experiments, loaded, resolved
   with this program's own symbols, summed. */
#include "callers_callees.h"
#include "equations.h"
#include "key_sums.h"
#include "synthetic.h"

#include <check.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions whose names the stacks have. They are never called. */
#ifdef __clang__
#define ONCE __attribute__((noinline))
#else
#define ONCE __attribute__((noinline, noclone))
#endif
static volatile int places[32];
#define FUNCTION(name, n)                                                                                              \
	void name(void);                                                                                               \
	ONCE void name(void)                                                                                           \
	{                                                                                                              \
		places[n] = n;                                                                                         \
		places[n] += n + 1;                                                                                    \
	}
FUNCTION(figure_main, 1)
FUNCTION(figure_A, 3)
FUNCTION(figure_B, 5)
FUNCTION(figure_C, 7)
FUNCTION(figure_E, 9)
FUNCTION(figure_F, 11)
FUNCTION(figure_G, 13)
FUNCTION(figure_r, 15)
FUNCTION(figure_s, 17)
static const struct {
	char letter;
	void (*function)(void);
	const char *name;
} functions[] = {{'m', figure_main, "figure_main"}, {'A', figure_A, "figure_A"}, {'B', figure_B, "figure_B"},
	{'C', figure_C, "figure_C"}, {'E', figure_E, "figure_E"}, {'F', figure_F, "figure_F"},
	{'G', figure_G, "figure_G"}, {'r', figure_r, "figure_r"}, {'s', figure_s, "figure_s"}};

enum { BASE = 0x10000000, MILLISECOND = 1000000 };
static ElfW(Addr) load_bias;
static ElfW(Phdr) code;

static int find_code(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	(void)context;
	load_bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
			code = info->dlpi_phdr[i];
	return 1; /* the first one is this program */
}

static char scratch[] = "/tmp/synthetic-test.XXXXXX";

static void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

static struct synthetic *begin(const char *path)
{
	static char program[4096];
	struct synthetic *s = synthetic_begin(path);
	ck_assert(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
	dl_iterate_phdr(find_code, 0);
	synthetic_map_object(s, BASE + code.p_vaddr, code.p_memsz, code.p_offset, code.p_vaddr, program);
	return s;
}

/* The kernel's: in its map, and one that is not. */
static const struct {
	char letter;
	uint64_t pc;
	const char *name;
} kernel[] = {{'k', 0xffffffff81000020, "do_syscall_64"}, {'K', 0xffffffff81000105, "vfs_read"},
	{'x', 0xffffffffc0000000, "<kernel>"}};
static const char kernel_map[] = "ffffffff81000000 100 do_syscall_64\nffffffff81000100 80 vfs_read\n";
static enum view_mode mode;

/* Work of a stack that is written as letters, root first; user time in units of milliseconds. */
static void work(struct synthetic *s, const char *letters, uint64_t units)
{
	static uint64_t time = MILLISECOND;
	uint64_t pcs[16];
	unsigned count = 0;
	for (; *letters; letters++) {
		for (unsigned k = 0; k < sizeof kernel / sizeof *kernel; k++)
			if (kernel[k].letter == *letters)
				pcs[count++] = kernel[k].pc;
		for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++)
			if (functions[f].letter == *letters)
				pcs[count++] = BASE + (uint64_t)(uintptr_t)functions[f].function - load_bias + 4;
	}
	synthetic_clock(s, 1, time += MILLISECOND, synthetic_stack(s, pcs, count, 0), units * MILLISECOND, 0);
}

static struct data *data;
static struct resolver *resolver;
static struct stack_sums *sums;
static struct path_tree *merged;
static struct call_graph *graph;
static struct key_sums *by_function;

static void load(const char *path, ...)
{
	struct error error;
	data = data_create();
	va_list paths;
	va_start(paths, path);
	for (; path; path = va_arg(paths, const char *))
		ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	va_end(paths);
	resolver = resolver_create(data);
	sums = stack_sums_compute(data, metrics_builtin(), 0, 0);
	struct path_tree *tree = path_tree_build(resolver, data, sums, &(struct stack_view){.mode = mode});
	merged = path_tree_merge(tree);
	path_tree_free(tree);
	graph = call_graph_compute(merged, resolver_function_count(resolver));
	by_function = key_sums_compute(merged, resolver_function_count(resolver), key_function, resolver);
	struct equations equations = equations_check(resolver, data, sums, &(struct stack_view){.mode = mode});
	ck_assert_msg(equations.checked > 0 && !equations.violated, "%s", equations.first);
}

static void unload(void)
{
	key_sums_free(by_function);
	call_graph_free(graph);
	path_tree_free(merged);
	stack_sums_free(sums);
	resolver_destroy(resolver);
	data_destroy(data);
}

static uint32_t function_of(char letter)
{
	if (letter == 'T')
		return FUNCTION_TOTAL;
	for (uint32_t f = 0; f < resolver_function_count(resolver); f++)
		for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
			if (functions[i].letter == letter &&
				!strcmp(resolver_function(resolver, f)->mangled, functions[i].name))
				return f;
	for (uint32_t f = 0; f < resolver_function_count(resolver); f++)
		for (unsigned k = 0; k < sizeof kernel / sizeof *kernel; k++)
			if (kernel[k].letter == letter &&
				!strcmp(resolver_function(resolver, f)->mangled, kernel[k].name))
				return f;
	ck_abort_msg("the function %c was not resolved", letter);
	return 0;
}

static void expect(char letter, uint64_t exclusive, uint64_t inclusive)
{
	uint32_t f = function_of(letter);
	ck_assert_uint_eq(by_function->exclusive[0][f], exclusive * MILLISECOND);
	ck_assert_uint_eq(by_function->inclusive[0][f], inclusive * MILLISECOND);
}

static void expect_attributed(
	const struct attributed *edges, const uint32_t *from, char centre, char other, uint64_t units)
{
	uint32_t f = function_of(centre), g = function_of(other);
	for (uint32_t e = from[f]; e < from[f + 1]; e++)
		if (edges[e].other == g) {
			ck_assert_uint_eq(edges[e].sums[0], units * MILLISECOND);
			return;
		}
	ck_abort_msg("%c is not beside %c", other, centre);
}
static void expect_caller(char centre, char caller, uint64_t units)
{
	expect_attributed(graph->callers, graph->callers_from, centre, caller, units);
}
static void expect_callee(char centre, char callee, uint64_t units)
{
	expect_attributed(graph->callees, graph->callees_from, centre, callee, units);
}

static void write_figure(const char *path, uint64_t scale)
{
	struct synthetic *s = begin(path);
	work(s, "m", 2 * scale);
	work(s, "mAC", 2 * scale);
	work(s, "mACE", 4 * scale);
	work(s, "mACF", 2 * scale);
	work(s, "mACFG", 2 * scale);
	work(s, "mBC", scale);
	work(s, "mB", 5 * scale);
	work(s, "mBC", 2 * scale);
	work(s, "mBCE", 6 * scale);
	work(s, "mBCF", 3 * scale);
	work(s, "mBCFG", 3 * scale);
	synthetic_end(s);
}

static void expect_figure(uint64_t n)
{
	expect('T', 0, 32 * n);
	expect('m', 2 * n, 32 * n);
	expect('A', 0, 10 * n);
	expect('B', 5 * n, 20 * n);
	expect('C', 5 * n, 25 * n);
	expect('E', 10 * n, 10 * n);
	expect('F', 5 * n, 10 * n);
	expect('G', 5 * n, 5 * n);
	expect_callee('m', 'A', 10 * n);
	expect_callee('m', 'B', 20 * n);
	expect_caller('C', 'A', 10 * n);
	expect_caller('C', 'B', 15 * n);
	expect_callee('C', 'E', 10 * n);
	expect_callee('C', 'F', 10 * n);
	expect_caller('E', 'C', 10 * n);
	expect_caller('m', 'T', 32 * n);
}

START_TEST(figure_2_1)
{
	enter_scratch();
	write_figure("figure.er", 1);
	load("figure.er", (char *)0);
	expect_figure(1);
	ck_assert_uint_eq(sums->total[0], 32 * MILLISECOND);
	ck_assert_uint_eq(sums->events[0], 11);
	unload();
	leave_scratch();
}
END_TEST

START_TEST(several_experiments_are_summed)
{
	enter_scratch();
	write_figure("one.er", 1);
	write_figure("two.er", 10);
	load("one.er", "two.er", (char *)0);
	expect_figure(11);
	unload();
	leave_scratch();
}
END_TEST

START_TEST(recursion)
{
	enter_scratch();
	struct synthetic *s = begin("recursion.er");
	work(s, "mrrr", 7); /* direct, all in the last call */
	work(s, "mAs", 1);  /* direct, on every level */
	work(s, "mAss", 2);
	work(s, "mAsss", 4);
	work(s, "mBC", 10); /* mutual */
	work(s, "mBCB", 20);
	work(s, "mBCBC", 40);
	synthetic_end(s);
	load("recursion.er", (char *)0);
	expect('r', 7, 7);
	expect_caller('r', 'r', 7);
	expect_caller('r', 'm', 0);
	expect_callee('m', 'r', 7);
	expect('s', 7, 7);
	expect_caller('s', 'A', 1);
	expect_caller('s', 's', 6);
	expect('B', 20, 70);
	expect_caller('B', 'm', 10);
	expect_caller('B', 'C', 60);
	expect_callee('B', 'C', 10 + 40);
	expect('C', 50, 70);
	expect_caller('C', 'B', 70);
	expect_callee('C', 'B', 20);
	expect_callee('m', 'B', 70);
	unload();
	leave_scratch();
}
END_TEST

static void write_kernel(void)
{
	struct synthetic *s = begin("kernel.er");
	work(s, "mA", 1);
	work(s, "mAk", 2);
	work(s, "mAkK", 4);
	work(s, "mBkK", 8);
	work(s, "mCkx", 16);
	work(s, "k", 32);
	synthetic_end(s);
	FILE *map = fopen("kernel.er/" KERNEL_MAP_FILE, "w");
	ck_assert(map && fputs(kernel_map, map) >= 0 && fclose(map) == 0);
}

START_TEST(the_kernel_is_part_of_its_caller_in_the_user_view)
{
	enter_scratch();
	write_kernel();
	load("kernel.er", (char *)0);
	expect('A', 7, 7);
	expect('B', 8, 8);
	expect('C', 16, 16);
	expect('m', 0, 31);
	ck_assert_uint_eq(by_function->exclusive[0][FUNCTION_NO_STACK], 32 * MILLISECOND);
	unload();
	leave_scratch();
}
END_TEST

START_TEST(the_kernel_has_functions_in_the_other_views)
{
	enter_scratch();
	write_kernel();
	for (mode = VIEW_EXPERT; mode <= VIEW_MACHINE; mode++) {
		load("kernel.er", (char *)0);
		expect('A', 1, 7);
		expect('B', 0, 8);
		expect('k', 34, 62);
		expect('K', 12, 12);
		expect('x', 16, 16);
		expect_caller('K', 'k', 12);
		expect_caller('k', 'B', 8);
		expect_caller('x', 'k', 16);
		ck_assert_str_eq(resolver_object_name(resolver, resolver_function(resolver, function_of('K'))->object),
			"<kernel>");
		unload();
	}
	mode = VIEW_USER;
	leave_scratch();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("synthetic experiments");
	TCase *tests = tcase_create("synthetic experiments");
	tcase_add_test(tests, figure_2_1);
	tcase_add_test(tests, several_experiments_are_summed);
	tcase_add_test(tests, recursion);
	tcase_add_test(tests, the_kernel_is_part_of_its_caller_in_the_user_view);
	tcase_add_test(tests, the_kernel_has_functions_in_the_other_views);
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
