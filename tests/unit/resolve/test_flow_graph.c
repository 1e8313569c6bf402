/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of code: blocks, edges, dominators and loops of a function in assembler, where each block has a label. */
#include "flow_graph.h"
#include "made.h"
#include "one_object.h"

static const char code[] = "	.text\n"
			   "	.globl f\n	.type f, @function\n"
			   "f:	cmp $3, %edi\n"
			   "	ja other\n"
			   "left:	mov $1, %eax\n"
			   "	jmp joined\n"
			   "other:	mov $2, %eax\n"
			   "joined:	mov $9, %ecx\n"
			   "outer:	mov $8, %edx\n"
			   "head:	cmp %edx, %ecx\n" /* an inner loop whose exit is at its head */
			   "	je leave\n"
			   "body:	sub $1, %edx\n"
			   "	jmp head\n"
			   "leave:	loop outer\n"
			   "after:	call abort@plt\n"
			   "pad:	test %eax, %eax\n" /* nothing leads to it */
			   "	jne far\n"
			   "tail:	jmp g\n"
			   "far:	jmp *%rax\n"
			   "last:	ret\n"
			   "	.size f, .-f\n"
			   "	.globl g\n	.type g, @function\n"
			   "g:	ret\n"
			   "	.size g, .-g\n"
			   "	.section .note.GNU-stack,\"\",@progbits\n";

/* Blocks in the order of their addresses; loop: the label of the head of the innermost one. */
static const struct {
	const char *label;
	unsigned instructions;
	const char *successors[2], *dominator, *loop;
	bool unknown;
} rows[] = {
	{"f", 2, {"left", "other"}, 0, 0, false},
	{"left", 2, {"joined", 0}, "f", 0, false},
	{"other", 1, {"joined", 0}, "f", 0, false},
	{"joined", 1, {"outer", 0}, "f", 0, false},
	{"outer", 1, {"head", 0}, "joined", "outer", false},
	{"head", 2, {"body", "leave"}, "outer", "head", false},
	{"body", 2, {"head", 0}, "head", "head", false},
	{"leave", 1, {"outer", "after"}, "head", "outer", false},
	{"after", 1, {0, 0}, "leave", 0, false},
	{"pad", 2, {"tail", "far"}, 0, 0, false},
	{"tail", 1, {0, 0}, "pad", 0, false},
	{"far", 1, {0, 0}, "pad", 0, true},
	{"last", 1, {0, 0}, 0, 0, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint32_t row_of(const char *label)
{
	for (uint32_t i = 0; label && i < ROWS; i++)
		if (!strcmp(rows[i].label, label))
			return i;
	return NO_BLOCK;
}

/* Whom a block names as its predecessor leads to it. */
static void check_edges_agree(const struct flow_graph *graph, uint32_t b)
{
	const struct flow_block *block = &graph->blocks[b];
	for (uint32_t p = 0; p < block->predecessor_count; p++) {
		const struct flow_block *from = &graph->blocks[graph->predecessors[block->predecessor + p]];
		bool back = false;
		for (uint32_t s = 0; s < from->successor_count; s++)
			back |= graph->successors[from->successor + s] == b;
		ck_assert(back);
	}
}

static void check_edges(const struct flow_graph *graph, uint32_t b)
{
	const struct flow_block *block = &graph->blocks[b];
	uint32_t expected = 0;
	for (unsigned i = 0; i < 2 && rows[b].successors[i]; i++) {
		bool found = false;
		for (uint32_t s = 0; s < block->successor_count; s++)
			found |= graph->successors[block->successor + s] == row_of(rows[b].successors[i]);
		ck_assert_msg(found, "%s does not lead to %s", rows[b].label, rows[b].successors[i]);
		expected++;
	}
	ck_assert_msg(
		block->successor_count == expected, "%s leads to %u blocks", rows[b].label, block->successor_count);
	check_edges_agree(graph, b);
}

static struct flow_graph *graph_of(const struct one_object *one, const char *name)
{
	uint32_t count, *functions = resolver_functions_named(one->resolver, name, &count);
	ck_assert_uint_eq(count, 1);
	struct flow_graph *graph = flow_graph_create(one->resolver, one->data, functions[0]);
	free(functions);
	ck_assert_ptr_nonnull(graph);
	return graph;
}

/* An object whose code was met, so that its symbols are read. */
static struct one_object open_program(void)
{
	struct one_object one = one_object_open(made_path("program"), "");
	struct frame frames[FRAMES_MAX];
	resolver_address_frames(one.resolver, one.object, 0x1000, frames);
	return one;
}

START_TEST(code_has_its_graph)
{
	made_file("f.s", code);
	made_by("gcc -shared -nostdlib -o program f.s");
	struct one_object one = open_program();
	struct flow_graph *graph = graph_of(&one, "f");
	ck_assert_uint_eq(graph->block_count, ROWS);
	uint32_t instructions = 0;
	for (uint32_t b = 0; b < ROWS; b++) {
		const struct flow_block *block = &graph->blocks[b];
		ck_assert_msg(block->end - block->first == rows[b].instructions, "%s has %u instructions",
			rows[b].label, block->end - block->first);
		ck_assert_uint_eq(block->first, instructions);
		instructions = block->end;
		check_edges(graph, b);
		ck_assert_msg(block->dominator == row_of(rows[b].dominator), "%s: its dominator", rows[b].label);
		uint32_t header = block->loop == NO_BLOCK ? NO_BLOCK : graph->loops[block->loop].header;
		ck_assert_msg(header == row_of(rows[b].loop), "%s: its loop", rows[b].label);
		ck_assert_msg(block->has_unknown_targets == rows[b].unknown, "%s: its targets", rows[b].label);
	}
	ck_assert_uint_eq(graph->loop_count, 2);
	uint32_t inner = graph->blocks[row_of("body")].loop, outer = graph->blocks[row_of("leave")].loop;
	ck_assert_uint_eq(graph->loops[inner].outer, outer);
	ck_assert_uint_eq(graph->loops[outer].outer, NO_BLOCK);
	ck_assert(
		flow_graph_in_loop(graph, row_of("body"), outer) && !flow_graph_in_loop(graph, row_of("leave"), inner));
	flow_graph_free(graph);
	one_object_close(&one);
}
END_TEST

/* Each address of the function is in one block, and its instruction begins there or before. */
START_TEST(addresses_have_their_instructions)
{
	made_file("f.s", code);
	made_by("gcc -shared -nostdlib -o program f.s");
	struct one_object one = open_program();
	struct flow_graph *graph = graph_of(&one, "f");
	uint64_t size = resolver_function(one.resolver, graph->function)->size;
	uint32_t before = 0, instruction = 0;
	for (uint64_t offset = 0; offset < size; offset++) {
		uint32_t block = flow_graph_block(graph, offset, &instruction);
		ck_assert_uint_ne(block, NO_BLOCK);
		ck_assert(instruction == before || instruction == before + 1);
		ck_assert_uint_le(flow_graph_offset(graph, block, instruction), offset);
		ck_assert_uint_gt(flow_graph_offset(graph, block, instruction + 1), offset);
		before = instruction;
	}
	ck_assert_uint_eq(instruction + 1, graph->blocks[ROWS - 1].end);
	ck_assert_uint_eq(flow_graph_block(graph, size, &instruction), NO_BLOCK);
	flow_graph_free(graph);
	one_object_close(&one);
}
END_TEST

/* Whether a block can be reached from the entries of the graph without another one: the definition of what dominates. */
static bool reached_without(const struct flow_graph *graph, uint32_t wanted, uint32_t without)
{
	bool *met = calloc(graph->block_count, sizeof *met), again = true;
	for (uint32_t b = 0; b < graph->block_count; b++)
		met[b] = b != without && (b == 0 || !graph->blocks[b].predecessor_count);
	while (again) {
		again = false;
		for (uint32_t b = 0; b < graph->block_count; b++)
			for (uint32_t s = 0; met[b] && s < graph->blocks[b].successor_count; s++) {
				uint32_t to = graph->successors[graph->blocks[b].successor + s];
				again |= to != without && !met[to];
				met[to] |= to != without;
			}
	}
	bool found = met[wanted];
	free(met);
	return found;
}

static void check_block(const struct flow_graph *graph, uint32_t b)
{
	const struct flow_block *block = &graph->blocks[b];
	ck_assert_uint_lt(block->first, block->end);
	ck_assert_uint_eq(block->first, b ? graph->blocks[b - 1].end : 0);
	check_edges_agree(graph, b);
	if (block->dominator != NO_BLOCK && graph->block_count < 200) {
		ck_assert(!reached_without(graph, b, block->dominator));
		ck_assert(flow_graph_dominates(graph, block->dominator, b));
	}
	for (uint32_t loop = block->loop; loop != NO_BLOCK; loop = graph->loops[loop].outer) {
		ck_assert(flow_graph_dominates(graph, graph->loops[loop].header, b));
		ck_assert(flow_graph_in_loop(graph, graph->loops[loop].header, loop));
	}
}

/* The graphs of code that nobody here wrote: those of every twentieth function of libc. */
START_TEST(graphs_of_libc_agree_with_themselves)
{
	char path[256];
	unsigned long address, graphs = 0, loops = 0;
	FILE *list = popen("ldd /bin/sh | sed -n 's/.*libc.so.6 => \\([^ ]*\\).*/\\1/p'", "r");
	ck_assert_int_eq(fscanf(list, "%255s", path), 1);
	pclose(list);
	struct one_object one = one_object_open(path, "");
	made_by("nm -D --defined-only %s | awk '$2 == \"T\" && NR %% 20 == 0 { print $1 }' >addresses", path);
	list = fopen("addresses", "r");
	while (fscanf(list, "%lx", &address) == 1) {
		struct frame frames[FRAMES_MAX];
		unsigned count = resolver_address_frames(one.resolver, one.object, address, frames);
		struct flow_graph *graph = flow_graph_create(one.resolver, one.data, frames[count - 1].function);
		if (!graph)
			continue;
		for (uint32_t b = 0; b < graph->block_count; b++)
			check_block(graph, b);
		graphs++;
		loops += graph->loop_count;
		flow_graph_free(graph);
	}
	fclose(list);
	ck_assert_uint_gt(graphs, 50);
	ck_assert_uint_gt(loops, 10);
	one_object_close(&one);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("flow graph");
	TCase *tests = tcase_create("all");
	tcase_add_checked_fixture(tests, made_begin, made_end);
	tcase_add_test(tests, code_has_its_graph);
	tcase_add_test(tests, addresses_have_their_instructions);
	tcase_add_test(tests, graphs_of_libc_agree_with_themselves);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
