/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps through tables: as gcc and clang make them of a switch, and such as nobody can know. Each function ends with four blocks
   that its table may lead to. */
#include "flow_graph.h"
#include "made.h"
#include "one_object.h"

#define BLOCKS "a%=: mov $1,%eax\n ret\n b%=: mov $2,%eax\n ret\n c%=: mov $3,%eax\n ret\n d%=: mov $4,%eax\n ret\n"
/* Labels end in "%=", which stands for the function's number. */
#define RELATIVE  "	.section .rodata\n	.balign 4\n"
#define ADDRESSES "	.section .data.rel.ro,\"aw\"\n	.balign 8\n"

enum { A = 1, B = 2, C = 4, D = 8 };
static const struct {
	const char *what;
	const char *code, *table; /* before the four blocks, and after them in another section */
	unsigned leads;           /* to which of the blocks; 0: it is not known */
	bool returns;             /* or to another function */
} cases[] = {
	{"gcc, position-independent",
		"cmp $3,%edi\n ja d%=\n lea t%=(%rip),%rdx\n mov %edi,%edi\n movslq (%rdx,%rdi,4),%rax\n add "
		"%rdx,%rax\n"
		"notrack jmp *%rax\n",
		RELATIVE "t%=: .long a%=-t%=, b%=-t%=, a%=-t%=, c%=-t%=, d%=-t%=\n", A | B | C, false},
	{"clang, the index in another register",
		"cmp $1,%edi\n ja d%=\n mov %edi,%eax\n lea t%=(%rip),%rcx\n movslq (%rcx,%rax,4),%rax\n add "
		"%rcx,%rax\n"
		"jmp *%rax\n",
		RELATIVE "t%=: .long b%=-t%=, d%=-t%=, a%=-t%=\n", B | D, false},
	{"the sum is in the register of the table",
		"cmp $2,%edi\n jae d%=\n lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rax,%rdx\n jmp *%rdx\n",
		RELATIVE "t%=: .long a%=-t%=, d%=-t%=, b%=-t%=\n", A | D, false},
	{"addresses that are relocated, the index masked",
		"lea t%=(%rip),%rbx\n call g@plt\n and $3,%eax\n jmp *(%rbx,%rax,8)\n",
		ADDRESSES "t%=: .quad a%=, b%=, c%=, d%=\n", A | B | C | D, false},
	{"addresses by way of a register",
		"cmp $1,%r8d\n ja d%=\n lea t%=(%rip),%r9\n mov (%r9,%r8,8),%r10\n jmp *%r10\n",
		ADDRESSES "t%=: .quad c%=, b%=, a%=\n", B | C, false},
	{"the bound is where it is jumped from",
		"cmp $2,%esi\n jbe j%=\n mov $7,%eax\n ret\n j%=: lea t%=(%rip),%rdx\n movslq (%rdx,%rsi,4),%rax\n"
		"add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .long a%=-t%=, b%=-t%=, c%=-t%=, d%=-t%=\n", A | B | C, false},
	{"memory is compared, and loaded",
		"cmpl $1,0x10(%rdi)\n ja d%=\n mov 0x10(%rdi),%eax\n lea t%=(%rip),%rdx\n movslq (%rdx,%rax,4),%rax\n"
		"add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .long d%=-t%=, b%=-t%=, a%=-t%=\n", B | D, false},
	{"a byte as index",
		"movzbl %dil,%edi\n lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .rept 255\n .long a%=-t%=\n .endr\n .long c%=-t%=\n .long d%=-t%=\n", A | C, false},
	{"some of it is in another function",
		"cmp $1,%edi\n ja d%=\n lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .long b%=-t%=, h-t%=, a%=-t%=\n", B, true},
	{"no bound", "lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .long a%=-t%=, b%=-t%=\n", 0, false},
	{"another register is bounded",
		"cmp $1,%esi\n ja d%=\n lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .long a%=-t%=, b%=-t%=\n", 0, false},
	{"the index is changed after it was compared",
		"cmp $1,%edi\n ja d%=\n add $5,%edi\n lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n"
		"jmp *%rax\n",
		RELATIVE "t%=: .long a%=-t%=, b%=-t%=\n", 0, false},
	{"an entry is in the midst of an instruction",
		"cmp $1,%edi\n ja d%=\n lea t%=(%rip),%rdx\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n jmp *%rax\n",
		RELATIVE "t%=: .long a%=-t%=, b%=+1-t%=\n", 0, false},
	{"the table is given", "cmp $1,%edi\n ja d%=\n movslq (%rdx,%rdi,4),%rax\n add %rdx,%rax\n jmp *%rax\n",
		RELATIVE, 0, false},
	{"a call", "jmp *%rax\n", "", 0, false},
	{"a call by a table of functions", "mov (%rdi),%rax\n jmp *0x18(%rax)\n", "", 0, true},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Writes a text with the function's number in its labels. */
static void write_text(FILE *file, const char *text, unsigned number)
{
	for (const char *mark; (mark = strstr(text, "%=")); text = mark + 2)
		fprintf(file, "%.*s%u", (int)(mark - text), text, number);
	fputs(text, file);
}

static void write_functions(void)
{
	FILE *file = fopen("f.s", "w");
	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i < CASES; i++) {
		fprintf(file, "	.text\n	.globl f%u\n	.type f%u, @function\nf%u:\n", i, i, i);
		write_text(file, cases[i].code, i);
		write_text(file, BLOCKS, i);
		fprintf(file, "	.size f%u, .-f%u\n", i, i);
		write_text(file, cases[i].table, i);
	}
	fputs("	.text\n	.globl g, h\n	.hidden h\n	.type g, @function\ng: ret\n	.size g, .-g\n"
	      "	.type h, @function\nh: ret\n	.size h, .-h\n	.section .note.GNU-stack,\"\",@progbits\n",
		file);
	ck_assert(!fclose(file));
}

/* The blocks at the end of the graph, as bits, that a block leads to. */
static unsigned led_to(const struct flow_graph *graph, const struct flow_block *block)
{
	unsigned found = 0;
	for (uint32_t s = 0; s < block->successor_count; s++) {
		uint32_t to = graph->successors[block->successor + s];
		ck_assert_uint_ge(to + 4, graph->block_count);
		found |= 1u << (to + 4 - graph->block_count);
	}
	return found;
}

START_TEST(tables_are_read)
{
	write_functions();
	made_by("gcc -shared -nostdlib -o program f.s");
	struct one_object one = one_object_open(made_path("program"), "");
	struct frame frames[FRAMES_MAX];
	resolver_address_frames(one.resolver, one.object, 0x1000, frames);
	for (unsigned i = 0; i < CASES; i++) {
		char name[8];
		uint32_t count;
		snprintf(name, sizeof name, "f%u", i);
		uint32_t *functions = resolver_functions_named(one.resolver, name, &count);
		ck_assert_uint_eq(count, 1);
		struct flow_graph *graph = flow_graph_create(one.resolver, one.data, functions[0]);
		ck_assert_ptr_nonnull(graph);
		ck_assert_uint_gt(graph->block_count, 4);
		const struct flow_block *jump = &graph->blocks[graph->block_count - 5];
		unsigned leads = led_to(graph, jump);
		ck_assert_msg(leads == cases[i].leads, "%s: leads to %#x", cases[i].what, leads);
		ck_assert_msg(jump->has_unknown_targets == (!cases[i].leads && !cases[i].returns), "%s: unknown",
			cases[i].what);
		ck_assert_msg(jump->returns == cases[i].returns, "%s: returns", cases[i].what);
		flow_graph_free(graph);
		free(functions);
	}
	one_object_close(&one);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jump tables");
	TCase *tests = tcase_create("tables");
	tcase_add_checked_fixture(tests, made_begin, made_end);
	tcase_add_test(tests, tables_are_read);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
