/* SPDX-License-Identifier: Apache-2.0 */
/* The names of addresses: symbols and their aliases, stripped code, PLT entries, artificial functions, names long and
   short, and what is said of files that cannot be used. */
#include "demangle.h"
#include "made.h"
#include "one_object.h"
#include <dlfcn.h>
#include <inttypes.h>

static uint32_t function_at(struct one_object *one, uint64_t address)
{
	struct frame frames[FRAMES_MAX];
	unsigned count = resolver_address_frames(one->resolver, one->object, address, frames);
	return frames[count - 1].function;
}

static const char *name_at(struct one_object *one, uint64_t address)
{
	return resolver_function(one->resolver, function_at(one, address))->mangled;
}

static uint64_t symbol(const char *file, const char *name)
{
	char command[256];
	snprintf(command, sizeof command, "nm %s | awk '$3 == \"%s\" {print $1; exit}'", file, name);
	return made_number(command);
}

START_TEST(the_name_of_several_is_the_one_of_the_source)
{
	made_file("a.c",
		"int __both(void){return 1;} extern int both(void) __attribute__((alias(\"__both\")));\n"
		"static int hidden(void){return 2;} extern int shown(void) __attribute__((alias(\"hidden\")));\n"
		"int longer_name(void){return 3;} extern int longer(void) __attribute__((alias(\"longer_name\")));\n"
		"int main(void){return __both() + hidden();}\n");
	made_by("gcc -O1 -fno-inline -fno-ipa-icf -o program a.c");
	struct one_object one = one_object_open(made_path("program"), "");
	ck_assert_str_eq(name_at(&one, symbol("program", "__both")), "both");
	ck_assert_str_eq(name_at(&one, symbol("program", "hidden")), "shown");
	ck_assert_str_eq(name_at(&one, symbol("program", "longer_name")), "longer");
	one_object_close(&one);
}
END_TEST

START_TEST(static_functions_of_one_name_are_kept_apart_by_file)
{
	made_file("a.c", "__attribute__((noipa)) static int helper(void){return 1;} int a(void){return helper();}\n");
	made_file("b.c", "__attribute__((noipa)) static int helper(void){return 2;} int b(void){return helper();}\n"
			 "int a(void); int main(void){return a() + b();}\n");
	static const char *const flags[] = {"-g", "", "-g -flto"};
	for (int i = 0; i < 3; i++) {
		made_by("gcc -O2 %s -o program a.c b.c", flags[i]);
		struct one_object one = one_object_open(made_path("program"), "");
		uint32_t count, *helpers = resolver_functions_named(one.resolver, "helper", &count);
		if (i == 2)
			count = count ? count : 2; /* link-time optimization names them helper.lto_priv.0 */
		else
			ck_assert_uint_eq(count, 2);
		for (uint32_t h = 0; helpers && h < count; h++) {
			const struct function *function = resolver_function(one.resolver, helpers[h]);
			uint32_t again = function_at(&one, function->start);
			ck_assert_uint_eq(again, helpers[h]);
			const char *file = resolver_file(one.resolver, function->file), *slash = strrchr(file, '/');
			ck_assert_int_eq((slash ? slash + 1 : file)[0], "ab"[h]);
			ck_assert_int_eq(slash != 0, i != 1);
		}
		free(helpers);
		one_object_close(&one);
	}
}
END_TEST

/* Without symbols every function that has unwind information still is one of its own. */
START_TEST(stripped_functions_are_separated_by_their_unwind_information)
{
	ck_assert_msg(getenv("PROGRAMS") != 0, "run by tests/run");
	made_by("strip -o stripped $PROGRAMS/resolve_templates");
	struct one_object one = one_object_open(made_path("stripped"), "");
	FILE *list = popen("nm -S --defined-only $PROGRAMS/resolve_templates | grep -i ' [tw] '", "r");
	unsigned long start, size, asked = 0;
	char name[4096];
	while (fscanf(list, "%lx %lx %*s %4095s", &start, &size, name) == 3) {
		const struct function *function = resolver_function(one.resolver, function_at(&one, start + size / 2));
		char expected[128];
		snprintf(expected, sizeof expected, "<static>@%#lx (<stripped>)", start);
		/* A cold part may follow its neighbour without information of its own. */
		if (strstr(function->mangled, "<static>"))
			ck_assert_str_eq(function->mangled, expected);
		else
			ck_assert_str_eq(function->mangled, name); /* exported */
		ck_assert_uint_eq(function->start, start);
		ck_assert_uint_ge(function->size, size);
		ck_assert_uint_lt(function->size, size + 64);
		asked++;
	}
	pclose(list);
	ck_assert_uint_gt(asked, 20);
	one_object_close(&one);
}
END_TEST

/* The start code shows where main is, whatever way it loads the address. */
START_TEST(a_stripped_program_has_start_and_main)
{
	made_file("a.c", "int main(int c, char **v){return c + !v;}\n");
	static const char *const flags[] = {"-pie", "-no-pie"};
	for (int i = 0; i < 2; i++) {
		made_by("gcc -O2 %s -o whole a.c && strip -o stripped whole", flags[i]);
		struct one_object one = one_object_open(made_path("stripped"), "");
		ck_assert_str_eq(name_at(&one, symbol("whole", "main") + 2), "main");
		ck_assert_str_eq(name_at(&one, symbol("whole", "_start") + 2), "_start");
		one_object_close(&one);
	}
}
END_TEST

START_TEST(a_missing_part_of_split_information_is_said)
{
	made_file("a.c", "static inline int wait(int x){for (volatile int i = 0; i < x; i++) ; return x;}\nint "
			 "main(int c, char **v){\n"
			 "return wait(c) + !v;}\n");
	made_by("gcc -O2 -g -gsplit-dwarf -o program a.c");
	for (int i = 0; i < 2; i++) {
		struct one_object one = one_object_open(made_path("program"), "");
		struct frame frames[FRAMES_MAX];
		unsigned most = 0;
		for (uint64_t at = symbol("program", "main"), end = at + 40; at < end; at++) {
			unsigned count = resolver_address_frames(one.resolver, one.object, at, frames);
			most = count > most ? count : most;
			ck_assert_uint_gt(resolver_line(one.resolver, frames->line)->line, 0);
		}
		ck_assert_uint_eq(most, i ? 1 : 2);
		ck_assert_int_eq(strstr(resolver_object_remark(one.resolver, one.object), ".dwo not found") != 0, i);
		one_object_close(&one);
		made_by("rm -f *.dwo");
	}
}
END_TEST

/* The server is a folder; only who asks for it is served. */
START_TEST(debuginfod_is_asked_only_when_it_is_asked_for)
{
	made_file("a.c", "__attribute__((noipa)) static int quiet(int x){return x;} int main(int c, char **v)"
			 "{return quiet(c) + !v;}\n");
	made_by("gcc -O2 -g -o whole a.c && strip -o stripped whole && "
		"id=$(readelf -n whole | sed -n 's/.*Build ID: //p') && mkdir -p server/buildid/$id cache && "
		"objcopy --only-keep-debug whole server/buildid/$id/debuginfo");
	char url[512];
	snprintf(url, sizeof url, "file://%s", made_path("server"));
	if (!dlopen("libdebuginfod.so.1", RTLD_NOW)) {
		printf("debuginfod not tested: libdebuginfod.so.1 is not installed\n");
		return;
	}
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", made_path("cache"), 1);
	uint64_t quiet = symbol("whole", "quiet");
	struct one_object one = one_object_open(made_path("stripped"), "");
	ck_assert_str_ne(name_at(&one, quiet), "quiet");
	one_object_close(&one);
	one = one_object_open(made_path("stripped"), "");
	resolver_set_debuginfod(one.resolver, true);
	ck_assert_str_eq(name_at(&one, quiet), "quiet");
	struct frame frames[FRAMES_MAX];
	resolver_address_frames(one.resolver, one.object, quiet, frames);
	ck_assert_uint_eq(resolver_line(one.resolver, frames->line)->line, 1);
	one_object_close(&one);
}
END_TEST

/* As some distributions leave it: the symbols of a stripped file, packed. */
START_TEST(mini_debug_information_names_functions)
{
	made_file("a.c", "__attribute__((noipa)) static int quiet(int x){return x;} int main(int c, char **v)"
			 "{return quiet(c) + !v;}\n");
	made_by("gcc -O2 -o whole a.c && objcopy --only-keep-debug whole mini && xz -f mini && "
		"strip -o stripped whole && objcopy --add-section .gnu_debugdata=mini.xz stripped");
	struct one_object one = one_object_open(made_path("stripped"), "");
	ck_assert_str_eq(name_at(&one, symbol("whole", "quiet")), "quiet");
	one_object_close(&one);
}
END_TEST

static void check_plt(const char *file, const char *objdump)
{
	struct one_object one = one_object_open(made_path(file), "");
	char command[512], name[512];
	/* Entries that only push a number for lazy binding have no name of their own in objdump's list. */
	snprintf(command, sizeof command,
		"%s -d -j .plt -j .plt.sec -j .plt.got %s 2>&1 | sed -nE 's/^0*([0-9a-f]+) <(.*@plt)>:/\\1 \\2/p'",
		objdump, file);
	FILE *list = popen(command, "r");
	unsigned long start, asked = 0;
	while (fscanf(list, "%lx %511s", &start, name) == 2) {
		if (!strcmp(name, "*ABS*@plt"))
			continue;
		ck_assert_str_eq(name_at(&one, start), name);
		ck_assert_str_eq(name_at(&one, start + 4), name);
		asked++;
	}
	pclose(list);
	ck_assert_uint_gt(asked, 2);
	one_object_close(&one);
}

START_TEST(plt_entries_are_named_by_what_they_call)
{
	made_file("a.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
			 "int main(int c, char **v){ void (*f)(void *) = free; f(0); puts(v[0]); fputs(v[0], stderr);"
			 "return strlen(v[c - 1]) + rand(); }\n");
	static const char *const flags[] = {"", "-fcf-protection -Wl,-z,ibtplt", "-fno-plt -fPIC", "-Wl,-z,now -no-pie",
		"-Wl,-z,lazy -Wl,-z,ibtplt"};
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (i == 2)
			continue; /* nothing goes through the PLT */
		made_by("gcc -O1 -fno-builtin %s -o program a.c && strip program", flags[i]);
		check_plt("program", "objdump");
	}
	made_by("aarch64-linux-gnu-gcc -O1 -fno-builtin -o program a.c && aarch64-linux-gnu-strip program");
	check_plt("program", "aarch64-linux-gnu-objdump");
}
END_TEST

/* Where calls are bound lazily and marked for branch tracking, the entries that push the relocation's number are apart. */
START_TEST(lazy_plt_entries_are_named_by_their_relocation)
{
	made_file("a.c",
		"#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v){ puts(v[0]); fputs(v[0], stderr);"
		"return rand() + c; }\n");
	made_by("gcc -O1 -fno-builtin -fcf-protection -Wl,-z,lazy -Wl,-z,ibtplt -o program a.c");
	struct one_object one = one_object_open(made_path("program"), "");
	uint64_t entry = made_number("readelf -SW program | sed -nE 's/.* \\.plt +PROGBITS +([0-9a-f]+) .*/\\1/p'");
	FILE *list = popen("readelf -rW program | awk '/JUMP_SLO/ {sub(/@.*/, \"\", $5); print $5}'", "r");
	char name[256];
	unsigned asked = 0;
	ck_assert_str_eq(name_at(&one, entry), "@plt");
	while (fscanf(list, "%250s", name) == 1) {
		entry += 16;
		ck_assert_str_eq(name_at(&one, entry), strcat(name, "@plt"));
		asked++;
	}
	pclose(list);
	ck_assert_uint_ge(asked, 3);
	one_object_close(&one);
}
END_TEST

/* Inlined code belongs to the function of its own unit, where that has a copy of its own as well. */
START_TEST(inlined_static_functions_are_those_of_their_unit)
{
	static const char text[] = "static int helper(int x){for (volatile int i = 0; i < x; i++) ; return x + %d;}\n"
				   "int (*pointer_%c)(int) = helper; int %c(int x){return helper(x);}\n";
	char source[512];
	for (int i = 0; i < 2; i++) {
		snprintf(source, sizeof source, text, i, "ab"[i], "ab"[i]);
		made_file(i ? "b.c" : "a.c", source);
	}
	made_file("main.c", "int a(int), b(int); int main(int c, char **v){return a(c) + b(c) + !v;}\n");
	made_by("gcc -O2 -g -o program a.c b.c main.c");
	struct one_object one = one_object_open(made_path("program"), "");
	for (int i = 0; i < 2; i++) {
		struct frame frames[FRAMES_MAX];
		uint64_t at = symbol("program", i ? "b" : "a"), end = at + 64;
		while (resolver_address_frames(one.resolver, one.object, at, frames) != 2 && at < end)
			at++;
		ck_assert(at < end && frames[0].inlined && !frames[1].inlined);
		const struct function *helper = resolver_function(one.resolver, frames[0].function);
		ck_assert_str_eq(helper->mangled, "helper");
		ck_assert_uint_eq(function_at(&one, helper->start), frames[0].function);
		ck_assert_str_eq(resolver_file(one.resolver, helper->file), made_path(i ? "b.c" : "a.c"));
		ck_assert_uint_eq(resolver_line(one.resolver, frames[1].line)->line, 2);
	}
	one_object_close(&one);
}
END_TEST

START_TEST(names_are_long_short_or_mangled)
{
	made_file("a.cc",
		"namespace n { template <class T> struct s { __attribute__((noipa)) int f(T, const char *) const "
		"{ return 1; } }; }\nint main() { return n::s<int>().f(1, \"\"); }\n");
	made_by("g++ -O2 -o program a.cc");
	struct one_object one = one_object_open(made_path("program"), "");
	static const char *const names[] = {
		"_ZNK1n1sIiE1fEiPKc", "n::s<int>::f(int, char const*) const", "n::s<int>::f"};
	for (int i = 0; i < 3; i++) {
		uint32_t count, *found = resolver_functions_named(one.resolver, names[i], &count);
		ck_assert_uint_eq(count, 1);
		const struct function *function = resolver_function(one.resolver, *found);
		ck_assert_str_eq(function->mangled, names[0]);
		ck_assert_str_eq(function->long_name, names[1]);
		ck_assert_str_eq(function->short_name, names[2]);
		free(found);
	}
	/* Procedures of Fortran modules, by gfortran and flang; Rust, the old mangling with its hash and the new one; what is
	   not mangled is 0. */
	static const char *const others[][2] = {{"__heavy_MOD_grind", "heavy::grind"},
		{"__heavy_MOD_grind.constprop.0", "heavy::grind [clone .constprop.0]"},
		{"__parent.child_MOD_go_on", "parent::child::go_on"}, {"_QMheavyPgrind", "heavy::grind"},
		{"_QMheavySpartFouterPin_ner2", "heavy::part::outer::in_ner2"},
		{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"}};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		char *name = demangle_name(others[i][0], true);
		ck_assert_str_eq(name, others[i][1]);
		free(name);
	}
	ck_assert_ptr_null(demangle_name("main", true));
	ck_assert_ptr_null(demangle_name("_start", true));
	static const char *const none_of_fortran[] = {
		"___MOD_x", "__x_MO_y", "_QQmain", "_Q", "_QM", "_QMaX", "_QMaPB"};
	for (size_t i = 0; i < sizeof none_of_fortran / sizeof *none_of_fortran; i++)
		ck_assert_ptr_null(demangle_name(none_of_fortran[i], true));
	uint32_t count, *none = resolver_functions_named(one.resolver, "n::s<int>::g", &count);
	ck_assert(!count && !none);
	one_object_close(&one);
}
END_TEST

START_TEST(another_build_is_said_and_not_used)
{
	made_file("a.c", "int main(void){return 0;}\n");
	made_by("gcc -g -o program a.c");
	struct one_object one = one_object_open(made_path("program"), "0123456789abcdef");
	ck_assert_str_eq(name_at(&one, symbol("program", "main")), "<static>@0x0 (<program>)");
	ck_assert_ptr_nonnull(strstr(resolver_object_remark(one.resolver, one.object), "build-id differs"));
	one_object_close(&one);
	one = one_object_open("/nonexistent/lib.so", "");
	ck_assert_str_eq(name_at(&one, 0x1000), "<static>@0x0 (<lib.so>)");
	ck_assert_ptr_nonnull(strstr(resolver_object_remark(one.resolver, one.object), "No such file"));
	ck_assert_str_eq(resolver_object_name(one.resolver, one.object), "<lib.so>");
	one_object_close(&one);
	made_by("mkfifo pipe");
	one = one_object_open(made_path("pipe"), "");
	ck_assert_str_eq(name_at(&one, 0x1000), "<static>@0x0 (<pipe>)");
	one_object_close(&one);
	made_by("strip program");
	one = one_object_open(made_path("program"), "");
	name_at(&one, 0x1000);
	ck_assert_str_eq(resolver_object_remark(one.resolver, one.object), "");
	one_object_close(&one);
}
END_TEST

/* Without a build id, size and time tell. */
START_TEST(a_file_that_changed_is_said_and_not_used)
{
	made_file("a.c", "int main(void){return 0;}\n");
	made_by("gcc -Wl,--build-id=none -o program a.c && touch -d @1000000000 program");
	static const char *const checksums[] = {"1:1000000000", ""};
	for (int i = 0; i < 2; i++) {
		struct one_object one = {.data = data_create()};
		one.object = data_object(one.data, &(struct load_object){.type = OBJECT_FILE,
							   .path = made_path("program"),
							   .build_id = "",
							   .checksum = checksums[i]});
		one.resolver = resolver_create(one.data);
		ck_assert_str_eq(name_at(&one, symbol("program", "main")), i ? "main" : "<static>@0x0 (<program>)");
		ck_assert_int_eq(strstr(resolver_object_remark(one.resolver, one.object), "changed") != 0, !i);
		one_object_close(&one);
	}
}
END_TEST

/* A frame's line is that of the call, and a call that never returns belongs to the function that makes it. */
START_TEST(return_addresses_are_looked_up_as_their_calls)
{
	made_file("a.c", "__attribute__((noipa, noreturn)) static void stop(void){ for(;;) ; }\n"
			 "__attribute__((noipa)) static void first(void)\n"
			 "{\n"
			 "	stop();\n"
			 "}\n"
			 "__attribute__((noipa)) static int second(int x)\n"
			 "{\n"
			 "	return x;\n"
			 "}\n"
			 "int main(int c, char **v){ first(); return second(c + !v); }\n");
	made_by("gcc -O2 -g -fno-reorder-functions -fno-toplevel-reorder -fno-align-functions -fcf-protection=none -o "
		"program a.c");
	uint64_t after = symbol("program", "second"); /* right behind first()'s call */
	struct one_object one = one_object_open(made_path("program"), "");
	struct data *data = one.data;
	uint32_t root = data_stack(data, &(struct stack){0, ROOT_START, STACK_ROOT, 0});
	uint32_t address = data_address(data, one.object, after);
	uint32_t call = data_stack(data, &(struct stack){root, address, 0, 0});
	uint32_t leaf = data_stack(data, &(struct stack){root, address, STACK_EXACT, 0});
	struct frame frames[FRAMES_MAX];
	ck_assert_uint_eq(resolver_frames(one.resolver, call, frames), 1);
	ck_assert_str_eq(resolver_function(one.resolver, frames->function)->mangled, "first");
	ck_assert_uint_eq(resolver_line(one.resolver, frames->line)->line, 4);
	ck_assert_uint_eq(data->addresses[frames->address].offset, after - 1);
	ck_assert_uint_eq(resolver_frames(one.resolver, leaf, frames), 1);
	ck_assert_str_eq(resolver_function(one.resolver, frames->function)->mangled, "second");
	ck_assert_uint_eq(frames->address, address);
	one_object_close(&one);
}
END_TEST

START_TEST(what_is_no_code_has_an_artificial_function)
{
	struct one_object one = one_object_open("/nonexistent", "");
	struct data *data = one.data;
	struct frame frames[FRAMES_MAX];
	static const struct {
		struct stack stack;
		uint32_t function;
		const char *name;
	} cases[] = {
		{{0, ROOT_START, STACK_ROOT, 0}, FUNCTION_TOTAL, "<Total>"},
		{{0, ROOT_TRUNCATED, STACK_ROOT, 0}, FUNCTION_TRUNCATED, "<Truncated-stack>"},
		{{0, ROOT_FAILED, STACK_ROOT, 0}, FUNCTION_UNWIND_FAILED, "<Stack-unwind-failed>"},
	};
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(resolver_frames(one.resolver, data_stack(data, &cases[i].stack), frames), 1);
		ck_assert_uint_eq(frames->function, cases[i].function);
		ck_assert_str_eq(resolver_function(one.resolver, frames->function)->long_name, cases[i].name);
	}
	ck_assert_uint_eq(resolver_frames(one.resolver, 0, frames), 1);
	ck_assert_uint_eq(frames->function, FUNCTION_NO_STACK);
	uint32_t unknown = data_address(data, OBJECT_INDEX_UNKNOWN, 0x1234);
	resolver_frames(one.resolver, data_stack(data, &(struct stack){1, unknown, STACK_EXACT, 0}), frames);
	ck_assert_uint_eq(frames->function, FUNCTION_UNKNOWN);
	ck_assert_uint_eq(frames->address, unknown);
	ck_assert_str_eq(resolver_object_name(one.resolver, OBJECT_INDEX_UNKNOWN), "<Unknown>");
	one_object_close(&one);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("functions");
	TCase *test = tcase_create("made files");
	tcase_set_timeout(test, 60);
	tcase_add_checked_fixture(test, made_begin, made_end);
	tcase_add_test(test, the_name_of_several_is_the_one_of_the_source);
	tcase_add_test(test, static_functions_of_one_name_are_kept_apart_by_file);
	tcase_add_test(test, stripped_functions_are_separated_by_their_unwind_information);
	tcase_add_test(test, a_stripped_program_has_start_and_main);
	tcase_add_test(test, mini_debug_information_names_functions);
	tcase_add_test(test, a_missing_part_of_split_information_is_said);
	tcase_add_test(test, debuginfod_is_asked_only_when_it_is_asked_for);
	tcase_add_test(test, plt_entries_are_named_by_what_they_call);
	tcase_add_test(test, lazy_plt_entries_are_named_by_their_relocation);
	tcase_add_test(test, inlined_static_functions_are_those_of_their_unit);
	tcase_add_test(test, names_are_long_short_or_mangled);
	tcase_add_test(test, another_build_is_said_and_not_used);
	tcase_add_test(test, a_file_that_changed_is_said_and_not_used);
	tcase_add_test(test, return_addresses_are_looked_up_as_their_calls);
	tcase_add_test(test, what_is_no_code_has_an_artificial_function);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
