// SPDX-License-Identifier: Apache-2.0
// Landing pads as edges: of calls that the tables of an object by g++ and clang++ name, against objdump's and readelf's account of
// the same object; a catch in a loop is in the loop; functions without such tables, and tables that are damaged, have none.
#include "flow_graph.h"
#include "landing_pads.h"
#include "made.h"
#include "one_object.h"

static const char source[] = "extern void work(int);\n"
			     "struct guard { ~guard(); };\n"
			     "extern \"C\" int loop(int n)\n"
			     "{\n"
			     "	int caught = 0;\n"
			     "	for (int i = 0; i < n; i++) {\n"
			     "		try {\n"
			     "			guard held;\n"
			     "			work(i);\n"
			     "		} catch (int) {\n"
			     "			caught++;\n"
			     "		}\n"
			     "	}\n"
			     "	return caught;\n"
			     "}\n"
			     "extern \"C\" int plain(int n) { work(n); return n; }\n"
			     "extern \"C\" int safe(int n) noexcept { return n + 1; }\n";

static struct flow_graph *graph_of(const struct one_object *one, const char *name)
{
	uint32_t count;
	uint32_t *functions = resolver_functions_named(one->resolver, name, &count);
	ck_assert_uint_eq(count, 1);
	struct flow_graph *graph = flow_graph_create(one->resolver, one->data, functions[0]);
	ck_assert_ptr_nonnull(graph);
	free(functions);
	return graph;
}

/* Blocks that no block leads to, the entry aside. */
static unsigned unreached(const struct flow_graph *graph)
{
	unsigned found = 0;
	for (uint32_t b = 1; b < graph->block_count; b++)
		found += !graph->blocks[b].predecessor_count;
	return found;
}

static unsigned pads_after(const struct flow_graph *graph, uint32_t block)
{
	unsigned found = 0;
	for (uint32_t s = 0; s < graph->blocks[block].successor_count; s++)
		found += graph->blocks[graph->successors[graph->blocks[block].successor + s]].is_pad;
	return found;
}

/* The call of a function that a command finds in the disassembly of `loop`, as an offset in it. */
static uint64_t offset_of(const char *pattern)
{
	char command[256];
	uint64_t start = made_number("nm program | grep ' T loop$'");
	snprintf(command, sizeof command, "objdump -d --disassemble=loop program | grep 'call.*%s' | head -n 1",
		pattern);
	return made_number(command) - start;
}

static void check_loop(const char *compiler)
{
	made_file("f.cc", source);
	made_by("%s -O1 -fPIC -shared -o program f.cc", compiler);
	struct one_object one = one_object_open(made_path("program"), "");
	struct frame frames[FRAMES_MAX];
	resolver_address_frames(one.resolver, one.object, 0x1000, frames);
	struct flow_graph *graph = graph_of(&one, "loop");
	uint32_t instruction;
	uint32_t work = flow_graph_block(graph, offset_of("work"), &instruction);
	uint32_t begin = flow_graph_block(graph, offset_of("begin_catch"), &instruction);
	uint32_t resume = flow_graph_block(graph, offset_of("Unwind_Resume"), &instruction);
	ck_assert_uint_eq(unreached(graph), 0);
	/* The call leads to the pad that destroys the guard. */
	ck_assert_uint_eq(pads_after(graph, work), 1);
	/* The catch is in the loop, as the call is; the resumption of other exceptions is not. */
	ck_assert_uint_ne(graph->blocks[work].loop, NO_BLOCK);
	ck_assert(flow_graph_in_loop(graph, begin, graph->blocks[work].loop));
	ck_assert(!flow_graph_in_loop(graph, resume, graph->blocks[work].loop));
	flow_graph_free(graph);
	graph = graph_of(&one, "plain");
	ck_assert_uint_eq(graph->block_count, 1);
	flow_graph_free(graph);
	graph = graph_of(&one, "safe");
	ck_assert_uint_eq(graph->block_count, 1);
	flow_graph_free(graph);
	one_object_close(&one);
}

START_TEST(by_gcc)
{
	check_loop("g++");
}
END_TEST

START_TEST(by_clang)
{
	check_loop("clang++");
}
END_TEST

/* Each byte of .eh_frame and of the language-specific data is another one in turn: nothing but the pads may be wrong. */
START_TEST(damaged)
{
	static const char *const sections[] = {".eh_frame", ".gcc_except_table", ".eh_frame_hdr"};
	made_file("f.cc", source);
	made_by("g++ -O1 -fPIC -shared -o program f.cc");
	uint64_t loop = made_number("nm program | grep ' T loop$'");
	for (unsigned s = 0; s < sizeof sections / sizeof *sections; s++) {
		struct error error;
		GElf_Shdr header;
		struct elf_file *file = elf_file_open(made_path("program"), &error);
		ck_assert_ptr_nonnull(file);
		ck_assert_ptr_nonnull(elf_file_section(file, sections[s], &header));
		for (uint64_t i = 0; i < header.sh_size; i++)
			for (unsigned byte = 0; byte < 256; byte += 85) {
				uint32_t count;
				char *memory = malloc(file->size);
				memcpy(memory, file->bytes, file->size);
				memory[header.sh_offset + i] = (char)byte;
				struct elf_file *changed = elf_file_from_memory(memory, file->size, "changed");
				ck_assert_ptr_nonnull(changed);
				free(landing_pads_read(changed, loop, &count));
				elf_file_close(changed);
			}
		elf_file_close(file);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("landing pads");
	TCase *tests = tcase_create("pads");
	tcase_add_checked_fixture(tests, made_begin, made_end);
	tcase_add_test(tests, by_gcc);
	tcase_add_test(tests, by_clang);
	tcase_add_test(tests, damaged);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
