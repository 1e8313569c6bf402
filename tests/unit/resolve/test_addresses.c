/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, lines and inlined calls of thousands of addresses are those that eu-addr2line names, or where it is alone
   with its answer, those that binutils' addr2line names: of a C++ program, of this test itself (C, and static libraries
   of others), of a stripped copy with separate debug information, of DWARF 4, of split DWARF, of what clang makes. */
#include "archive_name.h"
#include "demangle.h"
#include "elf_file.h"
#include "one_object.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDRESSES = 2000, /* of the program */ VARIANT_ADDRESSES = 600, LINE_SIZE = 65536, FRAMES = FRAMES_MAX };

/* A third of them without THOROUGH in the environment: the oracles take milliseconds for each. */
static unsigned some_of(unsigned addresses)
{
	return getenv("THOROUGH") ? addresses : addresses / 3;
}

/* The functions of a file, as nm lists them. */
struct code {
	struct stretch {
		uint64_t low, size;
	} * stretches;
	unsigned count;
	uint64_t total;
};

static struct code code_of(const char *path)
{
	struct code code = {0, 0, 0};
	char command[8400], type[8];
	unsigned long low, size;
	snprintf(command, sizeof command,
		"{ nm -S --defined-only '%s' 2>&1 || :; nm -DS --defined-only '%s' 2>&1 || :; } | grep -i ' [tw] '",
		path, path);
	FILE *list = popen(command, "r");
	while (fscanf(list, "%lx %lx %7s %*[^\n]", &low, &size, type) == 3) {
		code.stretches = realloc(code.stretches, (code.count + 1) * sizeof *code.stretches);
		code.stretches[code.count++] = (struct stretch){low, size};
		code.total += size;
	}
	pclose(list);
	ck_assert_uint_gt(code.total, 0);
	return code;
}

static uint64_t random_state = 42;
static uint64_t random_number(void)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return random_state >> 33;
}

static uint64_t random_address(const struct code *code)
{
	uint64_t place = random_number() % code->total;
	unsigned i = 0;
	while (place >= code->stretches[i].size)
		place -= code->stretches[i++].size;
	return code->stretches[i].low + place;
}

/* One tool's answer about one address. */
struct answer {
	unsigned count;
	struct {
		char *function, *path;
		unsigned line;
	} frames[FRAMES];
};

struct oracle {
	FILE *output;
	char next[LINE_SIZE]; /* the line that begins the next address */
};

static void oracle_start(struct oracle *oracle, const char *tool, const char *path, const char *addresses)
{
	char command[4096];
	snprintf(command, sizeof command, "%s -a -i -f -e '%s' <%s", tool, path, addresses);
	oracle->output = popen(command, "r");
	ck_assert_msg(fgets(oracle->next, LINE_SIZE, oracle->output) != 0, "%s says nothing", tool);
}

/* An address, then for each frame two lines: "function [inlined at ...]" and "path:line[:column] [(discriminator n)]". */
static void oracle_read(struct oracle *oracle, uint64_t address, struct answer *answer)
{
	static char path[LINE_SIZE];
	ck_assert_msg(strtoull(oracle->next, 0, 16) == address, "unexpected: %s", oracle->next);
	answer->count = 0;
	while (fgets(oracle->next, LINE_SIZE, oracle->output) && strncmp(oracle->next, "0x", 2) != 0) {
		char *function = oracle->next, *inlined = strstr(function, " inlined at ");
		*(inlined ? inlined : function + strcspn(function, "\n")) = 0;
		ck_assert(answer->count < FRAMES && fgets(path, LINE_SIZE, oracle->output));
		path[strcspn(path, "\n")] = 0;
		char *slash = strrchr(path, '/'), *colon = strchr(slash ? slash : path, ':');
		answer->frames[answer->count].line = colon ? (unsigned)strtoul(colon + 1, 0, 10) : 0;
		if (colon)
			*colon = 0;
		archive_simplify_path(path);
		answer->frames[answer->count].function = strdup(function);
		answer->frames[answer->count++].path = strdup(path);
	}
}

static void answer_free(struct answer *answer)
{
	for (unsigned i = 0; i < answer->count; i++) {
		free(answer->frames[i].function);
		free(answer->frames[i].path);
	}
}

/* Demangled, because constructors have several linkage names. Clones have a suffix in the symbol table, none in the debug
   information, and what no other unit sees may have no linkage name there: then the bare name must be part of ours, which is whole
   (resolve-names shows that it is right). */
static bool same_function(const struct function *ours, const char *theirs)
{
	char *long_name = demangle_name(theirs, true);
	size_t length = strlen(long_name ? long_name : theirs), bare = strcspn(theirs, "<(");
	bool same = !strncmp(ours->long_name, long_name ? long_name : theirs, length) &&
		    (!ours->long_name[length] || !strncmp(ours->long_name + length, " [clone ", 8) ||
			    ours->long_name[length] == '.');
	if (!same && !long_name && bare) {
		char name[256];
		snprintf(name, sizeof name, "%.*s", (int)bare, theirs);
		bool whole = strchr(ours->long_name, '(') || strstr(ours->long_name, "::");
		same = (ours->mangled[0] == '_' || whole) && strstr(ours->long_name, name);
	}
	free(long_name);
	return same;
}

static bool same_path(const char *ours, const char *theirs)
{
	const char *base = strrchr(ours, '/');
	return !strcmp(ours, theirs) || (*theirs != '/' && !strcmp(base ? base + 1 : ours, theirs));
}

static const char *difference(
	struct resolver *resolver, const struct frame *frames, unsigned count, const struct answer *answer, bool names)
{
	if (count != answer->count)
		return "number of frames";
	for (unsigned i = 0; i < count; i++) {
		const struct source_line *line = resolver_line(resolver, frames[i].line);
		if (line->line != answer->frames[i].line)
			return "line";
		if (line->line && !same_path(resolver_file(resolver, line->file), answer->frames[i].path))
			return "file";
		if (names &&
			!same_function(resolver_function(resolver, frames[i].function), answer->frames[i].function))
			return "function";
	}
	return 0;
}

static void show(struct resolver *resolver, const struct frame *frames, unsigned count, const struct answer *answer)
{
	for (unsigned i = 0; i < count; i++)
		fprintf(stderr, "   ours %s %s:%u\n", resolver_function(resolver, frames[i].function)->mangled,
			resolver_file(resolver, resolver_line(resolver, frames[i].line)->file),
			resolver_line(resolver, frames[i].line)->line);
	for (unsigned i = 0; i < answer->count; i++)
		fprintf(stderr, "   eu   %s %s:%u\n", answer->frames[i].function, answer->frames[i].path,
			answer->frames[i].line);
}

struct outcome {
	unsigned frames, most; /* of all addresses; of the deepest */
	unsigned eu_alone;     /* eu-addr2line differs, binutils agrees */
	unsigned different;    /* both differ */
};

static struct outcome compare_file(const char *path, unsigned addresses, bool names)
{
	struct error error;
	struct elf_file *file = elf_file_open(path, &error);
	ck_assert_msg(file != 0, "%s", error.text);
	char oracle[1024]; /* the same code, with debug information that both tools can read */
	snprintf(oracle, sizeof oracle, "%.*s/oracle", (int)(strrchr(path, '/') - path), path);
	if (access(oracle, R_OK))
		snprintf(oracle, sizeof oracle, "%s", path);
	struct code code = code_of(oracle);
	uint64_t *asked = calloc(addresses, sizeof *asked);
	char list[] = "/tmp/resolve-addresses.XXXXXX";
	FILE *out = fdopen(mkstemp(list), "w");
	for (unsigned i = 0; i < addresses; i++) {
		asked[i] = random_address(&code);
		fprintf(out, "%#lx\n", (unsigned long)asked[i]);
	}
	fclose(out);
	struct one_object one = one_object_open(path, file->build_id);
	elf_file_close(file);
	static struct oracle elfutils, binutils;
	oracle_start(&elfutils, "eu-addr2line -A", oracle, list);
	oracle_start(&binutils, "addr2line", oracle, list);
	struct outcome outcome = {0, 0, 0, 0};
	for (unsigned i = 0; i < addresses; i++) {
		struct frame frames[FRAMES_MAX];
		unsigned count = resolver_address_frames(one.resolver, one.object, asked[i], frames);
		static struct answer first, second;
		oracle_read(&elfutils, asked[i], &first);
		oracle_read(&binutils, asked[i], &second);
		const char *eu = difference(one.resolver, frames, count, &first, names);
		const char *other =
			eu ? difference(one.resolver, frames, count, &second, false) : 0; /* it names symbols */
		outcome.frames += count;
		outcome.most = count > outcome.most ? count : outcome.most;
		outcome.eu_alone += eu && !other;
		outcome.different += eu && other;
		if (eu && other) {
			fprintf(stderr, "%#lx: %s (eu-addr2line), %s (addr2line)\n", (unsigned long)asked[i], eu,
				other);
			show(one.resolver, frames, count, &first);
		}
		answer_free(&first);
		answer_free(&second);
	}
	pclose(elfutils.output);
	pclose(binutils.output);
	unlink(list);
	free(asked);
	free(code.stretches);
	one_object_close(&one);
	printf("%s: %u addresses, %u frames, at most %u; eu-addr2line alone differs on %u, both on %u\n", path,
		addresses, outcome.frames, outcome.most, outcome.eu_alone, outcome.different);
	return outcome;
}

static char *shell(const char *format, ...)
{
	static char text[8192];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return text;
}

START_TEST(inlined_calls_of_a_cxx_program)
{
	ck_assert_msg(getenv("PROGRAMS") != 0, "run by tests/run");
	struct outcome outcome =
		compare_file(shell("%s/resolve_templates", getenv("PROGRAMS")), some_of(ADDRESSES), true);
	ck_assert_uint_gt(outcome.frames, 2 * some_of(ADDRESSES));
	ck_assert_uint_gt(outcome.most, 8);
	ck_assert_uint_lt(outcome.eu_alone, some_of(ADDRESSES) / 20);
	ck_assert_uint_eq(outcome.different, 0);
}
END_TEST

/* One source, built by other compilers and in other forms, in a folder of its own. */
static struct outcome compare_variant(const char *commands)
{
	char folder[] = "/tmp/resolve-variant.XXXXXX";
	ck_assert_msg(mkdtemp(folder) && getenv("TESTS"), "run by tests/run");
	ck_assert_msg(!system(shell("cd %s && source=%s/programs/resolve_templates.cc && { %s; }", folder,
			      getenv("TESTS"), commands)),
		"cannot make it: %s", commands);
	struct outcome outcome = compare_file(shell("%s/program", folder), some_of(VARIANT_ADDRESSES), true);
	ck_assert(!system(shell("rm -rf %s", folder)));
	ck_assert_uint_gt(outcome.frames, 2 * some_of(VARIANT_ADDRESSES));
	ck_assert_uint_eq(outcome.different, 0);
	return outcome;
}

START_TEST(dwarf_4)
{
	compare_variant("g++ -O2 -g -gdwarf-4 -o program $source");
}
END_TEST

/* Neither tool reads its DW_FORM_rnglistx, and eu-addr2line needs .debug_aranges. */
START_TEST(what_clang_makes)
{
	compare_variant(
		"clang++ -O2 -g -o program $source && clang++ -O2 -g -gdwarf-4 -gdwarf-aranges -o oracle $source");
}
END_TEST

START_TEST(split_dwarf)
{
	compare_variant("g++ -O2 -g -gsplit-dwarf -o program $source && g++ -O2 -g -o oracle $source");
}
END_TEST

START_TEST(compressed_debug_sections_and_discarded_code)
{
	compare_variant("g++ -O2 -g -gz=zlib -ffunction-sections -Wl,--gc-sections -o program $source");
}
END_TEST

START_TEST(link_time_optimization)
{
	compare_variant("g++ -O2 -g -flto -o program $source");
}
END_TEST

START_TEST(a_stripped_file_with_a_debug_file_beside_it)
{
	compare_variant("g++ -O2 -g -o program $source && cp program oracle && "
			"objcopy --only-keep-debug program program.debug && strip program && mkdir .debug && "
			"mv program.debug .debug && objcopy --add-gnu-debuglink=.debug/program.debug program");
}
END_TEST

static const char *given; /* test_addresses FILE: shows how it does on any file */

START_TEST(a_file_given_by_hand)
{
	compare_file(given, some_of(ADDRESSES), true);
}
END_TEST

int main(int argc, char **argv)
{
	given = argc > 1 ? argv[1] : 0;
	Suite *suite = suite_create("addresses");
	TCase *test = tcase_create("as addr2line says");
	tcase_set_timeout(test, 120);
	if (given) {
		tcase_add_test(test, a_file_given_by_hand);
	} else {
		tcase_add_test(test, inlined_calls_of_a_cxx_program);
		tcase_add_test(test, dwarf_4);
		tcase_add_test(test, what_clang_makes);
		tcase_add_test(test, split_dwarf);
		tcase_add_test(test, compressed_debug_sections_and_discarded_code);
		tcase_add_test(test, link_time_optimization);
		tcase_add_test(test, a_stripped_file_with_a_debug_file_beside_it);
	}
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
