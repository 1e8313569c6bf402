/* SPDX-License-Identifier: Apache-2.0 */
/* Variables, their types and the members of these, as compilers of C, C++ and Fortran describe them; offsets are what the
   sources assert of themselves. */
#include "made.h"
#include "one_object.h"

#include <inttypes.h>

static const char c_source[] =
	"#include <stddef.h>\n"
	"struct vec { double x, y, z; };\n"
	"typedef struct vec vec_t;\n"
	"struct cell { int id; unsigned a : 3, b : 7, c : 20; char tag; vec_t at[2][3];\n"
	"  union { int whole; float part; }; union { long l; double d; } u; const struct vec *next; char rest[100]; "
	"};\n"
	"_Static_assert(offsetof(struct cell, tag) == 8 && offsetof(struct cell, at) == 16, \"\");\n"
	"_Static_assert(offsetof(struct cell, whole) == 160 && offsetof(struct cell, u) == 168, \"\");\n"
	"_Static_assert(offsetof(struct cell, next) == 176 && offsetof(struct cell, rest) == 184, \"\");\n"
	"_Static_assert(sizeof(struct cell) == 288, \"\");\n"
	"__attribute__((used)) struct cell cells[100] = {{1}};\n"
	"__attribute__((used)) double grid[50][40][20] = {{{1}}};\n"
	"__attribute__((used)) int (*handlers[600])(int) = {0};\n"
	"__attribute__((used)) volatile vec_t *const fixed = 0;\n"
	"struct open { int count; int at[]; } open_end __attribute__((used)) = {3, {1, 2, 3}};\n"
	"__attribute__((used)) char big[65000] = {1};\n"
	"__thread int own = 5;\n"
	"__attribute__((noinline)) int *touched(int n) { static int cursor[2000] __attribute__((used)) = {7}; return "
	"&cursor[n]; }\n"
	"static inline __attribute__((always_inline)) char *in(int n) { static char seen[30] = {1}; return &seen[n]; "
	"}\n"
	"int main(int argc, char **argv) { (void)argv; *touched(argc) = 1; *(volatile char *)in(argc) = 2;\n"
	"  ((volatile struct cell *)cells)[argc].id = own;\n"
	"  big[argc] = 1; grid[argc][0][0] = open_end.at[0]; return handlers[argc] != 0 || fixed; }\n";

/* The variable of that name among the places that nm lists; fails if there is none. */
static const struct data_variable *named(struct one_object *one, const char *name)
{
	const struct data_variable *found = 0;
	char line[4096], type;
	uint64_t address;
	FILE *list = popen("nm program", "r");
	while (!found && fgets(line, sizeof line, list)) {
		if (sscanf(line, "%" SCNx64 " %c", &address, &type) != 2 || !strchr("bBdDrRuV", type))
			continue;
		const struct data_variable *variable = resolver_variable(one->resolver, one->object, address);
		if (variable && !strcmp(variable->name, name))
			found = variable;
	}
	pclose(list);
	ck_assert_msg(found != 0, "there is no variable %s", name);
	return found;
}

struct expected {
	uint64_t at;             /* bytes from the variable's start */
	const char *path, *type; /* type 0: any */
	uint64_t offset, size;
};

static void check_members(const struct data_variable *variable, const struct expected *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t number = data_variable_member(variable, variable->start + expected[i].at);
		ck_assert_msg(number < variable->member_count, "%s: no member", expected[i].path);
		const struct data_member *member = &variable->members[number];
		ck_assert_str_eq(member->path, expected[i].path);
		if (expected[i].type)
			ck_assert_str_eq(member->type, expected[i].type);
		ck_assert_uint_eq(member->offset, expected[i].offset);
		ck_assert_uint_eq(member->size, expected[i].size);
	}
	/* All of an element, and nothing twice. */
	uint64_t end = 0;
	for (uint32_t m = 0; m < variable->member_count; m++) {
		ck_assert_uint_ge(variable->members[m].offset, end);
		end = variable->members[m].offset + variable->members[m].size;
	}
	ck_assert_uint_le(end, variable->element);
}
#define CHECK_MEMBERS(variable, ...)                                                                                   \
	check_members(variable, (const struct expected[]){__VA_ARGS__},                                                \
		sizeof(const struct expected[]){__VA_ARGS__} / sizeof(struct expected))

static void check_plain(struct one_object *one, const char *name, const char *type, uint64_t size)
{
	const struct data_variable *variable = named(one, name);
	if (type)
		ck_assert_str_eq(variable->type, type);
	ck_assert_uint_eq(variable->size, size);
	ck_assert_uint_eq(variable->member_count, 0);
	ck_assert_uint_eq(data_variable_member(variable, variable->start), NO_MEMBER);
}

static void check_c(const char *build)
{
	made_file("a.c", c_source);
	made_by("%s -o program a.c", build);
	struct one_object one = one_object_open(made_path("program"), "");
	const struct data_variable *cells = named(&one, "cells");
	ck_assert_str_eq(cells->type, "struct cell[100]");
	ck_assert_uint_eq(cells->size, 28800);
	ck_assert_uint_eq(cells->element, 288);
	ck_assert_uint_eq(cells->line, 10);
	ck_assert_str_eq(resolver_file(one.resolver, cells->file), made_path("a.c"));
	const uint64_t last = 99 * 288ull;
	CHECK_MEMBERS(cells, {0, "[].id", "int", 0, 4}, {5, "[].a,b,c", "", 4, 4}, {288 + 8, "[].tag", "char", 8, 1},
		{last + 15, "[].<padding>", "", 9, 7}, {last + 16 + 24 + 8, "[].at[][].y", "double", 24, 8},
		{16 + 5 * 24 + 23, "[].at[][].z", "double", 32, 8}, {160, "[].whole,part", "union {...}", 160, 4},
		{168, "[].u", "union {...}", 168, 8}, {183, "[].next", "const struct vec *", 176, 8},
		{last + 283, "[].rest", "char[100]", 184, 100}, {last + 287, "[].<padding>", "", 284, 4});
	check_plain(&one, "grid", "double[50][40][20]", 320000);
	check_plain(&one, "handlers", "int (*[600])()", 4800);
	check_plain(&one, "fixed", "volatile vec_t *const", 8);
	check_plain(&one, "big", "char[65000]", 65000);
	check_plain(&one, "touched::cursor", "int[2000]", 8000);
	/* Clang 14 says nothing of the function that it is in. */
	check_plain(&one, strstr(build, "clang") ? "in.seen" : "in::seen", "char[30]", 30);
	const struct data_variable *open = named(&one, "open_end");
	ck_assert_str_eq(open->type, "struct open");
	ck_assert_uint_eq(open->size, 16); /* the symbol's: the type is without what is in the last array */
	CHECK_MEMBERS(open, {3, ".count", "int", 0, 4});
	one_object_close(&one);
}

START_TEST(types_of_c)
{
	static const char *const builds[] = {"gcc -g", "gcc -g -O2 -gdwarf-4", "gcc -g -gdwarf-2 -gstrict-dwarf",
		"clang -g -gdwarf-5", "clang -g -O1 -gdwarf-4", "gcc -g -gsplit-dwarf",
		"clang -g -gsplit-dwarf -gdwarf-5", "gcc -g -fdebug-types-section", "gcc -g -O2 -flto",
		"gcc -g -gz=zlib"};
	check_c(builds[_i]);
}
END_TEST

static const char cxx_source[] =
	"struct empty {};\n"
	"struct base { double weight; int level; base() : weight(1), level(2) {} };\n"
	"struct node : empty, base { short kind; node *next; static int made; virtual ~node() {} };\n"
	"static_assert(sizeof(node) == 32, \"\");\n" /* kind is in the padding of base */
	"int node::made = 1;\n"
	"namespace mesh { node nodes[7]; namespace { int hidden[3] = {3}; } int *get() { return hidden; } }\n"
	"template <class T> struct box { T held; static T shared; };\n"
	"template <class T> T box<T>::shared = 4;\n"
	"box<long> boxes[2];\n"
	"int *count(int n) { static int calls[9]; return &calls[n]; }\n"
	"int &referred = node::made;\n"
	"int main(int argc, char **) { mesh::nodes[argc].kind = 1; *count(argc) = 2;\n"
	"  return *mesh::get() + node::made + box<long>::shared + boxes[argc].held + referred; }\n";

START_TEST(classes_of_cxx)
{
	made_file("a.cc", cxx_source);
	made_by("%s -g -o program a.cc", _i ? "clang++" : "g++");
	struct one_object one = one_object_open(made_path("program"), "");
	const struct data_variable *nodes = named(&one, "mesh::nodes");
	ck_assert_uint_eq(nodes->size, 224);
	CHECK_MEMBERS(nodes, {7, _i ? "[]._vptr$node" : "[]._vptr.node", 0, 0, 8},
		{32 + 8, "[].weight", "double", 8, 8}, {16, "[].level", "int", 16, 4}, {20, "[].kind", 0, 20, 2},
		{6 * 32 + 22, "[].<padding>", "", 22, 2}, {24, "[].next", "struct node *", 24, 8});
	CHECK_MEMBERS(named(&one, "boxes"), {9, "[].held", 0, 0, 8});
	check_plain(&one, "mesh::(anonymous namespace)::hidden", "int[3]", 12);
	check_plain(&one, "count(int)::calls", "int[9]", 36);
	check_plain(&one, "node::made", "int", 4);
	check_plain(&one, "referred", "int &", 8);
	check_plain(&one, "box<long>::shared", 0, 8);
	one_object_close(&one);
}
END_TEST

START_TEST(modules_of_fortran)
{
	if (system("gfortran --version >version 2>&1") != 0)
		return; /* it is no part of what the tests need */
	made_file("a.f90", "module heat\n"
			   "  type point\n"
			   "    real(8) :: t\n"
			   "    integer :: tag(3)\n"
			   "  end type\n"
			   "  real(8) :: u(0:9, 20) = 1\n"
			   "  type(point) :: points(5) = point(1d0, 2)\n"
			   "end module\n"
			   "program main_program\n"
			   "  use heat\n"
			   "  common /shared/ first(10), second(4)\n"
			   "  integer, save :: kept(-1:6) = 3\n"
			   "  first = 1; second = 2\n"
			   "  print *, u(1, 1), points(1)%t, first(1), second(1), kept(1)\n"
			   "end program\n");
	made_by("gfortran -g -o program a.f90");
	struct one_object one = one_object_open(made_path("program"), "");
	check_plain(&one, "heat::u", "real(kind=8)[10][20]", 1600);
	check_plain(&one, "main_program::kept", "integer(kind=4)[8]", 32);
	CHECK_MEMBERS(named(&one, "heat::points"), {24 + 7, "[].t", "real(kind=8)", 0, 8},
		{8, "[].tag", "integer(kind=4)[3]", 8, 12}, {20, "[].<padding>", "", 20, 4});
	const struct data_variable *first = named(&one, "shared::first");
	ck_assert_uint_eq(first->size, 40);
	const struct data_variable *second = resolver_variable(one.resolver, one.object, first->start + 40);
	ck_assert_str_eq(second->name, "shared::second");
	ck_assert_uint_eq(second->size, 16);
	one_object_close(&one);
}
END_TEST

START_TEST(damaged_debug_information_is_survived)
{
	made_file("a.c", c_source);
	made_by("gcc -g -o whole a.c && nm whole >list && objdump -h whole >sections");
	uint64_t from = made_number("awk '$2 == \".debug_info\" {print $6}' sections");
	uint64_t size = made_number("awk '$2 == \".debug_info\" {print $3}' sections");
	uint64_t table = made_number("awk '$2 == \".debug_abbrev\" {print $6}' sections");
	uint64_t table_size = made_number("awk '$2 == \".debug_abbrev\" {print $3}' sections");
	uint64_t low = made_number("grep -w cells list"), members = 0;
	uint32_t state = 12345;
	unsigned rounds = getenv("THOROUGH") ? 600 : 200;
	for (unsigned round = 0; round < rounds; round++) {
		state = state * 1664525 + 1013904223;
		uint64_t at = round % 2 ? from + state % size : table + state % table_size;
		made_by("cp whole program");
		FILE *file = fopen("program", "r+");
		ck_assert(file && !fseek(file, (long)at, SEEK_SET) && fputc((int)(state >> 24), file) >= 0);
		fclose(file);
		struct one_object one = one_object_open(made_path("program"), "");
		for (uint64_t address = low; address < low + 3000; address += 61) {
			const struct data_variable *variable = resolver_variable(one.resolver, one.object, address);
			if (variable && variable->member_count)
				members += data_variable_member(variable, address) < variable->member_count;
		}
		one_object_close(&one);
	}
	ck_assert_uint_gt(members, rounds);
}
END_TEST

static Suite *variables_suite(void)
{
	Suite *suite = suite_create("variables");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 60);
	tcase_add_checked_fixture(all, made_begin, made_end);
	tcase_add_loop_test(all, types_of_c, 0, 10);
	tcase_add_loop_test(all, classes_of_cxx, 0, 2);
	tcase_add_test(all, modules_of_fortran);
	tcase_add_test(all, damaged_debug_information_is_survived);
	suite_add_tcase(suite, all);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(variables_suite());
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
