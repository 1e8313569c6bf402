/* SPDX-License-Identifier: Apache-2.0 */
/* The three printed forms of one table, character by character; the text is the reference's own example. */
#include "table.h"
#include "table_print.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct table table;

static void row(uint64_t exclusive, uint64_t inclusive, const char *name)
{
	struct cell *cells = table_row(&table, ROW_PLAIN);
	cell_pair(&cells[0], exclusive, 200000000);
	cell_pair(&cells[1], exclusive, 200000000);
	cell_pair(&cells[2], inclusive, 200000000);
	cell_pair(&cells[3], inclusive, 200000000);
	cell_words(&cells[4], name);
}

static void metric_columns(const char *heading, const char *flavour)
{
	table_group(&table, heading, flavour, "Total CPU Time");
	table_column(&table, COLUMN_TIME);
	table_column(&table, COLUMN_PERCENT);
}

static void begin(void)
{
	table = (struct table){0};
	table_preamble(&table, "Functions sorted by metric: Exclusive Total CPU Time");
	table_preamble(&table, "");
	metric_columns("Excl. Total CPU", "Exclusive");
	table.groups[0].sorted = true;
	metric_columns("Incl. Total CPU", "Inclusive");
	table_group(&table, "Name", "Name", "");
	table_column(&table, COLUMN_TEXT);
}

static const char *printed(enum print_mode mode)
{
	static char *text;
	static size_t size;
	free(text);
	FILE *file = open_memstream(&text, &size);
	if (mode == PRINT_TEXT)
		table_print_text(&table, file);
	else if (mode == PRINT_HTML)
		table_print_html(&table, file);
	else
		table_print_delimited(&table, file, ';');
	fclose(file);
	table_free(&table);
	return text;
}

static void reference_rows(void)
{
	begin();
	row(200000000, 200000000, "<Total>");
	row(170000000, 170000000, "leafn");
	row(30000000, 140000000, "mid");
	row(0, 200000000, "<static>@0x271c1 (<libc.so.6>)");
}

START_TEST(text_is_that_of_the_reference)
{
	reference_rows();
	ck_assert_str_eq(printed(PRINT_TEXT), "Functions sorted by metric: Exclusive Total CPU Time\n"
					      "\n"
					      "Excl. Total   Incl. Total    Name\n"
					      "CPU           CPU\n"
					      " sec.      %   sec.      %\n"
					      "0.200 100.00  0.200 100.00   <Total>\n"
					      "0.170  85.00  0.170  85.00   leafn\n"
					      "0.030  15.00  0.140  70.00   mid\n"
					      "0.      0.    0.200 100.00   <static>@0x271c1 (<libc.so.6>)\n");
}
END_TEST

START_TEST(delimited_is_that_of_the_reference)
{
	reference_rows();
	row(1000000, 1000000, "operator\"\" _x; y");
	ck_assert_str_eq(printed(PRINT_DELIMITED),
		"\"Exclusive\";\"Exclusive\";\"Inclusive\";\"Inclusive\";\"Name\"\n"
		"\"Total CPU Time\";\"Total CPU Time\";\"Total CPU Time\";\"Total CPU Time\";\"\"\n"
		"\"V  (sec.)\";\"V  (%)\";\"V  (sec.)\";\"V  (%)\";\"\"\n"
		"\"0.200\";\"100.00\";\"0.200\";\"100.00\";\"<Total>\"\n"
		"\"0.170\";\"85.00\";\"0.170\";\"85.00\";\"leafn\"\n"
		"\"0.030\";\"15.00\";\"0.140\";\"70.00\";\"mid\"\n"
		"\"0.\";\"0.\";\"0.200\";\"100.00\";\"<static>@0x271c1 (<libc.so.6>)\"\n"
		"\"0.001\";\"0.50\";\"0.001\";\"0.50\";\"operator\"\"\"\" _x; y\"\n");
}
END_TEST

START_TEST(html_is_escaped)
{
	begin();
	row(200000000, 200000000, "f<int>(\"a\" & b)\x1b[31m");
	const char *text = printed(PRINT_HTML);
	ck_assert_ptr_nonnull(strstr(text, "f&lt;int&gt;(&quot;a&quot; &amp; b)?[31m</td></tr>"));
	ck_assert_ptr_nonnull(strstr(text, "<!DOCTYPE html>"));
	ck_assert_ptr_nonnull(strstr(text, "Excl. Total CPU \xe2\x88\x87</th>"));
	ck_assert_ptr_nonnull(strstr(text, "</html>"));
}
END_TEST

START_TEST(a_tree_and_marks)
{
	table = (struct table){.tree = true, .marked = true};
	metric_columns("Attr. Total CPU", "Attributed");
	table_group(&table, "Name", "Name", "");
	table_column(&table, COLUMN_TEXT);
	for (uint32_t depth = 0; depth < 4; depth++) {
		struct cell *cells = table_row(&table, depth == 3 ? ROW_HOT : ROW_PLAIN);
		table.rows[depth].depth = depth;
		cell_number(&cells[0], 12345678901);
		cell_words(&cells[2], "f");
	}
	table_section(&table, "=== Section");
	table_blank(&table);
	struct cell *cells = table_row(&table, ROW_CENTRE);
	table.tree = false;
	cell_words(&cells[2], "centre\a");
	ck_assert_str_eq(printed(PRINT_TEXT), "   Attr. Total     Name\n"
					      "   CPU\n"
					      "     sec.      %\n"
					      "   12.346          f\n"
					      "   12.346          f\n"
					      "   12.346          f\n"
					      "## 12.346          f\n"
					      "=== Section\n"
					      "\n"
					      "                  *centre?\n");
}
END_TEST

START_TEST(numbers)
{
	char text[CELL_TEXT_MAX];
	struct cell cell = {.shown = true, .number = 499999, .whole = 0};
	ck_assert_str_eq(cell_text(COLUMN_TIME, &cell, false, text), "0.000");
	cell.number = 500000;
	ck_assert_str_eq(cell_text(COLUMN_TIME, &cell, false, text), "0.001");
	cell.number = 999999999;
	ck_assert_str_eq(cell_text(COLUMN_TIME, &cell, false, text), "1.000");
	cell.number = UINT64_MAX;
	ck_assert_str_eq(cell_text(COLUMN_TIME, &cell, false, text), "18446744073.710");
	cell = (struct cell){.shown = true, .number = 3, .whole = 2};
	ck_assert_str_eq(cell_text(COLUMN_RATIO, &cell, false, text), "1.500");
	cell.whole = 0;
	ck_assert_str_eq(cell_text(COLUMN_RATIO, &cell, false, text), "-");
	cell = (struct cell){.shown = true, .number = 0x11e2, .whole = 2};
	ck_assert_str_eq(cell_text(COLUMN_ADDRESS, &cell, false, text), "2:0x000011e2");
	cell.shown = false;
	ck_assert_str_eq(cell_text(COLUMN_COUNT, &cell, false, text), "");
}
END_TEST

START_TEST(branches)
{
	char text[256] = "";
	FILE *file = fmemopen(text, sizeof text, "w");
	tree_branches(file, 0);
	putc('/', file);
	tree_branches(file, 1);
	putc('/', file);
	tree_branches(file, 3);
	fclose(file);
	ck_assert_str_eq(text, "+-/  +-/  |  |  +-");
	for (uint32_t depth = 30; depth < 70; depth++) {
		memset(text, 0, sizeof text);
		file = fmemopen(text, sizeof text, "w");
		tree_branches(file, depth);
		fclose(file);
		ck_assert_uint_eq(strlen(text), 2 + 3 * (depth - 1) + 2);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tables");
	TCase *tests = tcase_create("tables");
	tcase_add_test(tests, text_is_that_of_the_reference);
	tcase_add_test(tests, delimited_is_that_of_the_reference);
	tcase_add_test(tests, html_is_escaped);
	tcase_add_test(tests, a_tree_and_marks);
	tcase_add_test(tests, numbers);
	tcase_add_test(tests, branches);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
