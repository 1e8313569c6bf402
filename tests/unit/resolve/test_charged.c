/* SPDX-License-Identifier: Apache-2.0 */
/* Clock ticks step back to the instruction before, but not over a branch target, a return or the function's start; ticks in the
   kernel only to a system call. Written in assembler, so that each address has its label. */
#include "control_flow.h"
#include "disassembler.h"
#include "made.h"
#include "one_object.h"
#include <elf.h>

static const char code[] = "	.text\n"
			   "	.type before, @function\n"
			   "before:	nop\n"
			   "before_end:	nop\n"
			   "	.size before, .-before\n"
			   "	.globl f\n	.type f, @function\n"
			   "f:	mov $7, %ecx\n"
			   "top:	mov $9, %eax\n"
			   "divide:	div %rcx\n"
			   "after_divide:	add $1, %r8\n"
			   "branch:	jne skipped\n"
			   "fallen:	add $1, %r9\n"
			   "skipped:	add $1, %r10\n"
			   "calls:	call before\n"
			   "returned:	add $1, %r11\n"
			   "asks:	syscall\n"
			   "asked:	add $1, %rsi\n"
			   "copies:	rep movsb\n"
			   "copied:	sub $1, %rdi\n"
			   "	jne top\n"
			   "	lea label(%rip), %rax\n"
			   "	jmp *%rax\n"
			   "unreached:	nop\n"
			   "	nop\n"
			   "label:	nop\n"
			   "leaves:	ret\n"
			   "	.size f, .-f\n"
			   "	.section .note.GNU-stack,\"\",@progbits\n";

/* Where a tick finds the thread, and what it is charged to. */
static const struct {
	const char *found, *user, *kernel;
} rows[] = {
	{"f", "f", "f"}, /* and not the end of the function before */
	{"top", "top", "top"},
	{"divide", "top", "divide"},
	{"after_divide", "divide", "after_divide"},
	{"branch", "after_divide", "branch"},
	{"fallen", "branch", "fallen"},
	{"skipped", "skipped", "skipped"},
	{"calls", "skipped", "calls"},
	{"returned", "returned", "returned"},
	{"asks", "returned", "asks"},
	{"asked", "asks", "asks"},
	{"copies", "copies", "copies"},
	{"copied", "copies", "copied"},
	{"unreached", "unreached", "unreached"},
	{"label", "label", "label"}, /* its address is taken */
	{"leaves", "label", "leaves"},
	{"before_end", "before", "before_end"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct label {
	unsigned long address;
	char name[32];
} labels[64];
static unsigned label_count;

static void read_labels(void)
{
	char type;
	FILE *list = popen("nm program", "r");
	label_count = 0;
	while (fscanf(list, "%lx %c %31s", &labels[label_count].address, &type, labels[label_count].name) == 3)
		label_count++;
	pclose(list);
}

static uint64_t address_of(const char *label)
{
	for (unsigned i = 0; i < label_count; i++)
		if (!strcmp(labels[i].name, label))
			return labels[i].address;
	ck_abort_msg("no label %s", label);
}

static void is_charged_to(const struct one_object *one, uint32_t stack, const char *found, const char *wanted)
{
	uint64_t offset = one->data->addresses[one->data->stacks[stack].address].offset, expected = address_of(wanted);
	ck_assert_msg(offset == expected, "a tick at %s is charged to %#lx, not to %s at %#lx", found, (long)offset,
		wanted, (long)expected);
}

static uint32_t stack_at(const struct one_object *one, uint64_t offset, uint32_t flags)
{
	return data_stack(one->data, &(struct stack){0, data_address(one->data, one->object, offset), flags, 0});
}

START_TEST(ticks_step_back_within_straight_code)
{
	made_file("f.s", code);
	made_by("gcc -shared -nostdlib -o program f.s");
	read_labels();
	struct one_object one = one_object_open(made_path("program"), "");
	uint32_t stacks[ROWS], called = stack_at(&one, address_of("after_divide"), 0);
	for (unsigned i = 0; i < ROWS; i++)
		stacks[i] = stack_at(&one, address_of(rows[i].found), STACK_EXACT);
	uint32_t within = stack_at(&one, address_of("after_divide") + 1, STACK_EXACT);
	resolver_place_ticks(one.resolver);
	const struct tick_stacks *places = &one.data->tick_stacks;
	for (unsigned i = 0; i < ROWS; i++) {
		is_charged_to(&one, places->user[stacks[i]], rows[i].found, rows[i].user);
		is_charged_to(&one, places->kernel[stacks[i]], rows[i].found, rows[i].kernel);
	}
	/* Neither a caller, nor what is no instruction's first byte. */
	ck_assert_uint_eq(places->user[called], called);
	ck_assert_uint_eq(places->user[within], within);
	one_object_close(&one);
}
END_TEST

START_TEST(ticks_stay_where_code_is_not_at_hand)
{
	struct one_object one = one_object_open("/no/such/file", "");
	uint32_t stack = stack_at(&one, 0x1234, STACK_EXACT);
	resolver_place_ticks(one.resolver);
	ck_assert_uint_eq(one.data->tick_stacks.user[stack], stack);
	ck_assert_uint_eq(one.data->tick_stacks.kernel[stack], stack);
	one_object_close(&one);
}
END_TEST

static void no_names(void *context, uint64_t address, char *text, size_t size)
{
	(void)context, (void)address, (void)text, (void)size;
}

/* Encodings of the manuals (Intel volume 2, Arm A64). */
static const struct {
	unsigned machine;
	unsigned char code[8];
	enum control_flow flow;
	bool interruptible;
} instructions[] = {
	{EM_X86_64, {0x48, 0x83, 0xc0, 0x01}, FLOW_NEXT, false},         /* add $1,%rax */
	{EM_X86_64, {0x75, 0xfe}, FLOW_BRANCH, false},                   /* jne */
	{EM_X86_64, {0xe2, 0xfe}, FLOW_BRANCH, false},                   /* loop */
	{EM_X86_64, {0xeb, 0xfe}, FLOW_AWAY, false},                     /* jmp */
	{EM_X86_64, {0xff, 0xe0}, FLOW_AWAY, false},                     /* jmp *%rax */
	{EM_X86_64, {0x3e, 0xff, 0xe0}, FLOW_AWAY, false},               /* notrack jmp *%rax */
	{EM_X86_64, {0xf2, 0xe9, 0, 0, 0, 0}, FLOW_AWAY, false},         /* bnd jmp */
	{EM_X86_64, {0xc3}, FLOW_AWAY, false},                           /* ret */
	{EM_X86_64, {0xf3, 0xc3}, FLOW_AWAY, false},                     /* repz ret */
	{EM_X86_64, {0x0f, 0x0b}, FLOW_AWAY, false},                     /* ud2 */
	{EM_X86_64, {0xe8, 0, 0, 0, 0}, FLOW_CALL, false},               /* call */
	{EM_X86_64, {0xff, 0xd0}, FLOW_CALL, false},                     /* call *%rax */
	{EM_X86_64, {0x0f, 0x05}, FLOW_SYSTEM_CALL, false},              /* syscall */
	{EM_X86_64, {0xcd, 0x80}, FLOW_SYSTEM_CALL, false},              /* int $0x80 */
	{EM_X86_64, {0xf0, 0x83, 0x00, 0x01}, FLOW_NEXT, false},         /* lock addl $1,(%rax) */
	{EM_X86_64, {0xf3, 0xa4}, FLOW_NEXT, true},                      /* rep movsb */
	{EM_X86_64, {0xf3, 0x48, 0xab}, FLOW_NEXT, true},                /* rep stos */
	{EM_X86_64, {0xf2, 0xae}, FLOW_NEXT, true},                      /* repnz scas */
	{EM_X86_64, {0xa4}, FLOW_NEXT, false},                           /* movsb */
	{EM_X86_64, {0xf3, 0x0f, 0xb8, 0xc0}, FLOW_NEXT, false},         /* popcnt, no repetition */
	{EM_AARCH64, {0x00, 0x04, 0x00, 0x91}, FLOW_NEXT, false},        /* add x0, x0, #1 */
	{EM_AARCH64, {0x00, 0x00, 0x00, 0x54}, FLOW_BRANCH, false},      /* b.eq */
	{EM_AARCH64, {0x00, 0x00, 0x00, 0xb4}, FLOW_BRANCH, false},      /* cbz */
	{EM_AARCH64, {0x00, 0x00, 0x00, 0x14}, FLOW_AWAY, false},        /* b */
	{EM_AARCH64, {0x00, 0x00, 0x1f, 0xd6}, FLOW_AWAY, false},        /* br x0 */
	{EM_AARCH64, {0xc0, 0x03, 0x5f, 0xd6}, FLOW_AWAY, false},        /* ret */
	{EM_AARCH64, {0x00, 0x00, 0x00, 0x94}, FLOW_CALL, false},        /* bl */
	{EM_AARCH64, {0x00, 0x00, 0x3f, 0xd6}, FLOW_CALL, false},        /* blr x0 */
	{EM_AARCH64, {0x01, 0x00, 0x00, 0xd4}, FLOW_SYSTEM_CALL, false}, /* svc #0 */
	{EM_RISCV, {0x13, 0x00, 0x00, 0x00}, FLOW_UNKNOWN, false},       /* nop */
};

START_TEST(instructions_go_where_the_manuals_say)
{
	for (unsigned i = 0; i < sizeof instructions / sizeof *instructions; i++) {
		struct error error = {""};
		struct disassembler *disassembler = disassembler_create(instructions[i].machine, &error);
		if (!disassembler) /* libopcodes may be built for this machine alone */
			continue;
		struct instruction decoded;
		ck_assert_uint_ne(disassembler_decode(disassembler, instructions[i].code, sizeof instructions[i].code,
					  0x1000, no_names, 0, &decoded),
			0);
		ck_assert_msg(control_flow_of(instructions[i].machine, decoded.text) == instructions[i].flow, "%s",
			decoded.text);
		ck_assert_msg(control_flow_is_interruptible(instructions[i].machine, decoded.text) ==
				      instructions[i].interruptible,
			"%s", decoded.text);
		disassembler_free(disassembler);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("charged");
	TCase *tests = tcase_create("ticks");
	tcase_add_checked_fixture(tests, made_begin, made_end);
	tcase_add_test(tests, ticks_step_back_within_straight_code);
	tcase_add_test(tests, ticks_stay_where_code_is_not_at_hand);
	tcase_add_test(tests, instructions_go_where_the_manuals_say);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
