/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions are objdump's, code lines are the line table's, foreign and damaged files are survived. */
#include "made.h"
#include "one_object.h"
#include <fcntl.h>
#include <inttypes.h>

/* One instruction of objdump's listing: "  401000:\tTEXT", comments included. */
static bool read_instruction(FILE *list, uint64_t *address, char text[512])
{
	static char line[1024];
	while (fgets(line, sizeof line, list)) {
		char *end;
		*address = strtoull(line, &end, 16);
		if (end == line || strncmp(end, ":\t", 2) != 0)
			continue;
		snprintf(text, 512, "%s", end + 2);
		for (size_t length = strlen(text); length && strchr(" \n", text[length - 1]);)
			text[--length] = 0;
		return true;
	}
	return false;
}

/* objdump also names data, and symbols by another choice of aliases: the part in angle brackets is left out. */
static void without_names(char *text)
{
	for (char *open = text; (open = strstr(open, " <"));) {
		char *close = strchr(open, '>');
		if (!close)
			return;
		while (close[1] == '>' || (strchr(close, '>') && strchr(close, '>')[1] == '('))
			close++;
		memmove(open, close + 1, strlen(close + 1) + 1);
	}
}

START_TEST(instructions_are_those_of_objdump)
{
	ck_assert_msg(getenv("PROGRAMS") != 0, "run by tests/run");
	char path[4096], text[512];
	snprintf(path, sizeof path, "%s/resolve_templates", getenv("PROGRAMS"));
	struct one_object one = one_object_open(path, "");
	FILE *list = popen("objdump -d --no-show-raw-insn -j .text -j .plt $PROGRAMS/resolve_templates", "r");
	struct instruction ours;
	struct error error = {""};
	uint64_t address, next = 0;
	unsigned count = 0, named = 0;
	while (read_instruction(list, &address, text)) {
		if (next && address != next) /* another section */
			ck_assert_uint_gt(address, next);
		unsigned size = resolver_disassemble(one.resolver, one.object, address, UINT64_MAX, &ours, &error);
		ck_assert_msg(
			size > 0 && size == ours.size && ours.offset == address, "%#lx: %s", (long)address, error.text);
		named += strstr(ours.text, "<_Z") != 0;
		without_names(ours.text);
		without_names(text);
		ck_assert_str_eq(ours.text, text);
		next = address + size;
		count++;
	}
	pclose(list);
	ck_assert_uint_gt(count, 1000);
	ck_assert_uint_gt(named, 100);
	one_object_close(&one);
}
END_TEST

START_TEST(operands_name_the_function_that_is_called)
{
	made_file("a.c", "#include <stdio.h>\n__attribute__((noipa)) int callee(int x){return x;}\n"
			 "int main(int c, char **v){ puts(v[0]); return callee(c); }\n");
	made_by("gcc -O1 -o program a.c");
	struct one_object one = one_object_open(made_path("program"), "");
	uint64_t at = made_number("nm program | grep ' main$'");
	struct instruction instruction;
	struct error error;
	bool callee = false, puts_plt = false;
	while (resolver_disassemble(one.resolver, one.object, at, at + 15, &instruction, &error) &&
		!strstr(instruction.text, "ret")) {
		callee |= strstr(instruction.text, " <callee>") != 0;
		puts_plt |= strstr(instruction.text, " <puts@plt>") != 0;
		at += instruction.size;
	}
	ck_assert(callee && puts_plt);
	one_object_close(&one);
}
END_TEST

START_TEST(what_cannot_be_disassembled_is_one_line)
{
	made_file("a.c", "int main(void){return 0;}\n");
	made_by("aarch64-linux-gnu-gcc -O1 -g -o program a.c");
	struct instruction instruction;
	struct error error = {""};
	struct one_object one = one_object_open(made_path("program"), "");
	uint64_t start = made_number("nm program | grep ' main$'");
	struct frame frames[FRAMES_MAX];
	resolver_address_frames(one.resolver, one.object, start, frames);
	ck_assert_str_eq(resolver_function(one.resolver, frames->function)->mangled, "main");
	ck_assert_uint_eq(resolver_line(one.resolver, frames->line)->line, 1);
	/* With a libopcodes of many architectures it is disassembled instead. */
	if (!resolver_disassemble(one.resolver, one.object, start, start + 8, &instruction, &error))
		ck_assert_ptr_nonnull(strstr(error.text, "<program>: AArch64 code cannot be disassembled"));
	one_object_close(&one);

	one = one_object_open("/nonexistent/lib.so", "");
	ck_assert(!resolver_disassemble(one.resolver, one.object, 0, 16, &instruction, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "<lib.so>"));
	ck_assert(!resolver_disassemble(one.resolver, OBJECT_INDEX_UNKNOWN, 0, 16, &instruction, &error));
	ck_assert_str_ne(error.text, "");
	one_object_close(&one);
}
END_TEST

START_TEST(code_lines_are_those_of_the_line_table)
{
	made_file("h.h", "static inline int twice(int x)\n{\n\treturn x * 2;\n}\n");
	made_file("a.c",
		"#include \"h.h\"\n__attribute__((noipa)) static int one(int x)\n{\n\n\treturn twice(x) + 1;\n}\n"
		"/* nothing */\nint unused_by_events(int x)\n{\n\treturn x / 3;\n}\n"
		"int main(int c, char **v)\n{\n\treturn one(c) + !v;\n}\n");
	made_by("gcc -O1 -g -o program a.c && objdump --dwarf=decodedline program | "
		"awk '$1 == \"a.c\" && $2 ~ /^[0-9]+$/ {print $2}' | sort -nu >lines");
	struct one_object one = one_object_open(made_path("program"), "");
	struct frame frames[FRAMES_MAX];
	uint64_t start = made_number("nm program | grep ' main$'");
	resolver_address_frames(one.resolver, one.object, start, frames);
	uint32_t file = resolver_line(one.resolver, frames->line)->file, count;
	ck_assert_str_eq(resolver_file(one.resolver, file), made_path("a.c"));
	ck_assert_str_eq(resolver_file_found(one.resolver, file), made_path("a.c"));
	uint32_t *lines = resolver_code_lines(one.resolver, file, &count);
	FILE *list = fopen("lines", "r");
	unsigned line, i = 0;
	for (; fscanf(list, "%u", &line) == 1; i++)
		ck_assert_msg(i < count && lines[i] == line, "line %u", line);
	fclose(list);
	ck_assert_uint_eq(i, count);
	ck_assert_uint_gt(count, 4);
	free(lines);
	uint32_t *functions = resolver_functions_of_file(one.resolver, file, &count);
	static const char *const names[] = {"one", "unused_by_events", "main"};
	ck_assert_uint_eq(count, 3);
	for (i = 0; i < 3; i++)
		ck_assert_str_eq(resolver_function(one.resolver, functions[i])->mangled, names[i]);
	ck_assert_uint_eq(resolver_function(one.resolver, functions[0])->first_line, 2);
	free(functions);
	made_by("rm a.c");
	ck_assert_ptr_null(resolver_file_found(one.resolver, file));
	one_object_close(&one);
}
END_TEST

/* Asks everything of a damaged file. Returns whether it went wrong in a child, which alone may crash. */
static void ask_everything(const char *path)
{
	struct one_object one = one_object_open(path, "");
	struct frame frames[FRAMES_MAX];
	for (uint64_t address = 0; address < 0x5000; address += 5)
		ck_assert_uint_ge(resolver_address_frames(one.resolver, one.object, address, frames), 1);
	struct instruction instruction;
	struct error error;
	for (uint64_t address = 0x1000; address < 0x1200; address += 16)
		resolver_disassemble(one.resolver, one.object, address, address + 16, &instruction, &error);
	uint32_t count;
	free(resolver_functions_named(one.resolver, "nowhere", &count));
	for (uint32_t file = 1; file < resolver_file_count(one.resolver) && file < 4; file++) {
		free(resolver_functions_of_file(one.resolver, file, &count));
		free(resolver_code_lines(one.resolver, file, &count));
	}
	one_object_close(&one);
}

START_TEST(a_damaged_file_is_survived)
{
	made_file("a.c",
		"static inline int twice(int x){return x * 2;}\n__attribute__((noipa)) int f(int x){return twice(x);}\n"
		"extern int puts(const char *); void g(void){ puts(\"\"); f(1); }\n");
	made_by("gcc -O2 -g -fPIC -shared -o whole.so a.c");
	FILE *file = fopen("whole.so", "r");
	static unsigned char bytes[1 << 16];
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	uint64_t state = 7;
	const char *given = getenv("DAMAGE_ROUNDS"); /* `make fuzz` asks for more */
	unsigned rounds = given ? (unsigned)atoi(given) : 400;
	for (unsigned round = 0; round < rounds; round++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		/* Most bytes of so small a file are of headers and debug information. */
		size_t at = (state >> 20) % size, cut = round % 16 ? size : (state >> 40) % size;
		unsigned char kept = bytes[at];
		bytes[at] = round % 3 == 0 ? 0xff : round % 3 == 1 ? 0 : (unsigned char)(state >> 56);
		int fd = open("damaged.so", O_WRONLY | O_CREAT | O_TRUNC, 0644);
		ck_assert(write(fd, bytes, cut) == (ssize_t)cut);
		close(fd);
		bytes[at] = kept;
		ask_everything(made_path("damaged.so"));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("code");
	TCase *test = tcase_create("made files");
	tcase_set_timeout(test, 120);
	tcase_add_checked_fixture(test, made_begin, made_end);
	tcase_add_test(test, instructions_are_those_of_objdump);
	tcase_add_test(test, operands_name_the_function_that_is_called);
	tcase_add_test(test, what_cannot_be_disassembled_is_one_line);
	tcase_add_test(test, code_lines_are_those_of_the_line_table);
	tcase_add_test(test, a_damaged_file_is_survived);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
