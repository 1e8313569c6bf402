/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of call frame information against libdw's, an independent one, at many addresses of real libraries; and programs
   and expressions whose meaning is plain. */
#include "architecture.h"
#include "cfi.h"
#include "modules.h"
#include "rows.h"
#include <check.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

/* The functions of each library; a third of them without THOROUGH in the environment. */
static int addresses(void)
{
	return getenv("THOROUGH") ? 60000 : 20000;
}

struct seen {
	unsigned rows, expressions, undefined;
};

/* The register and offset of a CFA, if libdw gives one so simple. */
static bool simple_cfa(const Dwarf_Op *ops, size_t count, unsigned *number, int64_t *offset)
{
	if (count != 1)
		return false;
	if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		*number = ops[0].atom - DW_OP_breg0;
		*offset = (int64_t)ops[0].number;
		return true;
	}
	*number = (unsigned)ops[0].number;
	*offset = (int64_t)ops[0].number2;
	return ops[0].atom == DW_OP_bregx;
}

static void compare_register(Dwarf_Frame *frame, int number, const struct cfi_rule *ours, uint64_t pc)
{
	Dwarf_Op memory[3], *ops;
	size_t count;
	ck_assert_int_eq(dwarf_frame_register(frame, number, memory, &ops, &count), 0);
	if (count == 0) {
		int expected = ops ? CFI_UNDEFINED : CFI_SAME;
		/* A register that the ABI does not preserve is undefined for libdw where no rule says otherwise. */
		ck_assert_msg(ours->how == expected || ours->how == CFI_SAME, "%lx: register %d", pc, number);
		return;
	}
	if (ops[0].atom == DW_OP_call_frame_cfa && (count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst))) {
		ck_assert_msg(ours->how == CFI_SAVED_AT && ours->value.kind == CFI_REGISTER &&
				      ours->value.base == CFI_BASE_CFA,
			"%lx: register %d is saved near the CFA", pc, number);
		ck_assert_int_eq(ours->value.offset, count == 1 ? 0 : (int64_t)ops[1].number);
	} else if (count == 1 && ops[0].atom == DW_OP_regx) {
		ck_assert_msg(ours->how == CFI_IN_REGISTER && ours->number == ops[0].number,
			"%lx: register %d is in another", pc, number);
	} else {
		ck_assert_msg(ours->how == CFI_SAVED_AT || ours->how == CFI_IS_VALUE, "%lx: register %d", pc, number);
	}
}

#if defined(__x86_64__)
/* The linker's description of a PLT: rsp + 8 + ((rip & 15) >= K) * 8, K a literal in it. */
static void compare_plt(const Dwarf_Op *ops, size_t count, const struct cfi_row *row, uint64_t pc)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (ops[i].atom >= DW_OP_lit0 && ops[i].atom <= DW_OP_lit31 && ops[i + 1].atom == DW_OP_ge) {
			ck_assert_int_eq(row->cfa.kind, CFI_REGISTER);
			ck_assert_int_eq(row->cfa.base, DWARF_STACK_POINTER);
			ck_assert_int_eq(row->cfa.offset, (pc & 15) >= (uint64_t)ops[i].atom - DW_OP_lit0 ? 16 : 8);
		}
}
#else
static void compare_plt(const Dwarf_Op *ops, size_t count, const struct cfi_row *row, uint64_t pc)
{
	(void)ops, (void)count, (void)row, (void)pc;
}
#endif

static void compare_at(Dwarf_CFI *cfi, uint64_t pc, uint64_t bias, struct seen *seen)
{
	struct module module;
	struct cfi_row row = {.found = false};
	Dwarf_Frame *frame = 0;
	Dwarf_Op *ops;
	size_t count;
	unsigned number;
	int64_t offset;
	bool theirs = dwarf_cfi_addrframe(cfi, pc - bias, &frame) == 0;
	if (module_find(pc, &module))
		cfi_row(pc, &module, 0, 3, &row);
	ck_assert_msg(row.found == theirs, "%lx: only %s finds a row", pc - bias, theirs ? "libdw" : "we");
	if (!theirs)
		return;
	seen->rows++;
	bool signal_frame;
	Dwarf_Addr start, end;
	dwarf_frame_info(frame, &start, &end, &signal_frame);
	ck_assert_int_eq(row.signal_frame, signal_frame);
	ck_assert_int_eq(dwarf_frame_cfa(frame, &ops, &count), 0);
	if (simple_cfa(ops, count, &number, &offset)) {
		ck_assert_msg(row.cfa.kind == CFI_REGISTER && row.cfa.base == number && row.cfa.offset == offset,
			"%lx: CFA", pc - bias);
	} else {
		seen->expressions++;
		compare_plt(ops, count, &row, pc - bias);
	}
	compare_register(frame, DWARF_RETURN, &row.ra, pc - bias);
	compare_register(frame, DWARF_FRAME_POINTER, &row.fp, pc - bias);
	compare_register(frame, 3, &row.wanted, pc - bias);
	seen->undefined += row.ra.how == CFI_UNDEFINED;
	free(frame);
}

struct text {
	const char *name;
	uint64_t bias, start, size;
	char path[4096];
};
static int find_text(struct dl_phdr_info *info, size_t size, void *data)
{
	struct text *text = data;
	(void)size;
	if (!strstr(info->dlpi_name, text->name))
		return 0;
	strncpy(text->path, info->dlpi_name, sizeof text->path - 1);
	text->bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			text->start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			text->size = info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

static struct seen compare_library(const char *name)
{
	struct text text = {.name = name};
	struct seen seen = {0};
	int count = addresses();
	uint64_t random = 88172645463325252ull;
	dlopen(name, RTLD_LAZY);
	ck_assert_msg(dl_iterate_phdr(find_text, &text), "%s is not loaded", name);
	modules_refresh();
	int fd = open(text.path, O_RDONLY);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, 0);
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	ck_assert_ptr_nonnull(cfi);
	for (int i = 0; i < count; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		compare_at(cfi, text.start + random % text.size, text.bias, &seen);
	}
	dwarf_cfi_end(cfi);
	elf_end(elf);
	close(fd);
	ck_assert_uint_gt(seen.rows, (unsigned)count / 4);
	return seen;
}

static const char *const libraries[] = {"libc.so.6", "libcrypto.so.3", "libstdc++.so.6", "libdw.so.1"};
START_TEST(rows_are_libdws)
{
	unsetenv(ENVIRONMENT_OWN_MODULES);
	modules_start();
	struct seen seen = compare_library(libraries[_i]);
	ck_assert_msg(_i > 0 || seen.expressions > 0, "no expression was met in libc");
}
END_TEST
START_TEST(rows_are_libdws_by_the_own_table)
{
	setenv(ENVIRONMENT_OWN_MODULES, "1", 1);
	modules_start();
	compare_library(libraries[_i]);
}
END_TEST

static struct cfi_value run_expression(const unsigned char *code, size_t size, uint64_t pc)
{
	return cfi_expression((struct cursor){code, code + size}, pc, false, 0);
}
#define RUN(pc, ...)                                                                                                   \
	run_expression((const unsigned char[]){__VA_ARGS__}, sizeof(const unsigned char[]){__VA_ARGS__}, pc)

START_TEST(expressions_fold)
{
	struct cfi_value v = RUN(0, 0x77, 0x08, 0x06, 0x23, 0x10); /* breg7 8; deref; plus_uconst 16 */
	ck_assert_int_eq(v.kind, CFI_MEMORY);
	ck_assert_int_eq(v.base, 7);
	ck_assert_int_eq(v.offset, 8);
	ck_assert_int_eq(v.offset2, 16);
	v = RUN(0, 0x35, 0x33, 0x1e, 0x31, 0x1c); /* 5 * 3 - 1 */
	ck_assert_int_eq(v.kind, CFI_CONSTANT);
	ck_assert_int_eq(v.offset, 14);
	v = RUN(0, 0x09, 0xfb, 0x19); /* const1s -5; abs */
	ck_assert_int_eq(v.offset, 5);
	v = RUN(0, 0x31, 0x32, 0x33, 0x17, 0x1c, 0x1c); /* 1 2 3 rot: 3 1 2; 1 - 2; 3 - -1 */
	ck_assert_int_eq(v.offset, 4);
	v = RUN(0, 0x31, 0x28, 0x01, 0x00, 0x30, 0x37); /* lit1; bra over lit0; lit7 */
	ck_assert_int_eq(v.offset, 7);
}
END_TEST

/* Damaged ones: no end, no stack, a loop, a division by zero, an unknown operation. */
START_TEST(bad_expressions_are_unknown)
{
	ck_assert_int_eq(RUN(0, 0x22).kind, CFI_UNKNOWN);
	ck_assert_int_eq(RUN(0, 0x06).kind, CFI_UNKNOWN);
	ck_assert_int_eq(RUN(0, 0x31, 0x2f, 0xfc, 0xff).kind, CFI_UNKNOWN);
	ck_assert_int_eq(RUN(0, 0x31, 0x30, 0x1b).kind, CFI_UNKNOWN);
	ck_assert_int_eq(RUN(0, 0x31, 0x31, 0xe7).kind, CFI_UNKNOWN);
	ck_assert_int_eq(RUN(0, 0x2f, 0x00, 0x40).kind, CFI_UNKNOWN);
}
END_TEST

/* Every row that the cache gives, at first and again, is what packing gives. */
START_TEST(cached_rows_are_stable)
{
	modules_start();
	uint64_t pc = (uint64_t)&qsort, row[64];
	for (int i = 0; i < 64; i++)
		row[i] = row_of(pc + (uint64_t)i);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 64; i++)
			ck_assert_uint_eq(row_of(pc + (uint64_t)i), row[i]);
	ck_assert_int_eq(row_kind(row_of(0x10)), ROW_NONE);
	ck_assert_uint_eq(row_of(0x10) & ROW_HAS_MODULE, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call frame information");
	TCase *test = tcase_create("cfi");
	int count = sizeof libraries / sizeof libraries[0];
	tcase_set_timeout(test, 60);
	tcase_add_loop_test(test, rows_are_libdws, 0, count);
	tcase_add_loop_test(test, rows_are_libdws_by_the_own_table, 0, count);
	tcase_add_test(test, expressions_fold);
	tcase_add_test(test, bad_expressions_are_unknown);
	tcase_add_test(test, cached_rows_are_stable);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
