/* SPDX-License-Identifier: Apache-2.0 */
/* The metric grammar: flavours, visibility, groups, order, sorting, and what is refused. */
#include "metric_list.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const struct metric rows[] = {
	{"totalcpu", "Total CPU Time", METRIC_NANOSECONDS, KIND_CLOCK, "ei.%", -1, -1, 0, 0, 0, 0, 0, {0}},
	{"user", "User CPU Time", METRIC_NANOSECONDS, KIND_CLOCK, "", -1, -1, 0, 0, 0, 0, 0, {0}},
	{"cycles", "CPU Cycles", METRIC_COUNT, KIND_CLOCK, "", -1, -1, 0, 0, 0, 0, 0, {0}},
	{"insts", "Instructions Executed", METRIC_COUNT, KIND_CLOCK, "e+", -1, -1, 0, 0, 0, 0, 0, {0}},
	{"cpi", "Cycles Per Instruction", METRIC_RATIO, KIND_CLOCK, "", 2, 3, 0, 0, 0, 0, 0, {0}},
};
static const struct metric_table table = {rows, 5};
static bool recorded[5] = {true, true, true, true, true};
static const struct metric_context context = {.table = &table, .recorded = recorded};

static const char *list_of(const char *specification)
{
	static char text[1024];
	struct metric_list list;
	struct error left_out, error;
	if (!metric_list_parse(&list, specification, &context, &left_out, &error))
		return strcpy(text, error.text);
	metric_list_text(&list, &context, text, sizeof text);
	if (*left_out.text)
		snprintf(text + strlen(text), sizeof text - strlen(text), " without %s", left_out.text);
	return text;
}

START_TEST(specifications)
{
	static const struct {
		const char *specification, *means;
	} cases[] = {
		{"i.user:i%user:e.user:e%user:name", "i.%user:e.%user:name"},
		{"ie.%user", "i.%user:e.%user:name"},
		{"ei%.totalcpu", "e.%totalcpu:i.%totalcpu:name"},
		{"e%user:i.user:e.user", "e.%user:i.user:name"},
		{"e+user", "e.user:name"},
		{"e.cycles:e+cycles", "e+cycles:name"},
		{"e.%cpi", "e+cpi:name"},
		{"name:e.totalcpu", "name:e.totalcpu"},
		{"E.USER:SIZE", "e.user:size:name"},
		{"i!user:e.user", "i!user:e.user:name"},
		{"!size:.address", "!size:address:name"},
		{"a.user:e.user", "a.user:e.user:name"},
		{"e.user:e.user", "e.user:name"},
		{"default", "e.%totalcpu:i.%totalcpu:e+insts:name"},
		{"i.user:default", "i.user:e.%totalcpu:i.%totalcpu:e+insts:name"},
		{"none", "name"},
		{"e.any", "e.totalcpu:e.user:e+cycles:e+insts:e+cpi:size:address:name"},
		{"i%all", "i%totalcpu:i%user:i%cycles:i%insts:i+cpi:size:address:name"},
		{"e.nosuch", "Invalid metric specification: e.nosuch"},
		{"x.user", "Invalid metric specification: x.user (nearest: user)"},
		{"e.uesr", "Invalid metric specification: e.uesr (nearest: user)"},
		{"i.cpu", "Invalid metric specification: i.cpu (nearest: cpi, totalcpu)"},
		{"d.user", "Invalid metric specification: d.user: d, data-derived, is for counters only"},
		{"e.!user", "Invalid metric specification: e.!user: \"!\" stands alone"},
		{"e.hwc", "No data recorded to support metric specification: e.hwc"},
		{"", "No valid metrics specified in `'"},
	};
	ck_assert_str_eq(list_of(cases[_i].specification), cases[_i].means);
}
END_TEST

START_TEST(a_name_without_visibility_is_no_dynamic_metric)
{
	ck_assert_str_eq(list_of("user"), "Invalid metric specification: user: a flavour (e, i) and a visibility (. + "
					  "% !) must stand before the name");
}
END_TEST

START_TEST(what_was_not_recorded_is_left_out)
{
	recorded[1] = false;
	ck_assert_str_eq(list_of("e.user"), "No data recorded to support metric specification: e.user");
	ck_assert_str_eq(
		list_of("e.user:i%user:size"), "No data recorded to support metric specification: e.user, i%user");
	ck_assert_str_eq(list_of("e.user:e.totalcpu:e.hwc"), "e.totalcpu:name without e.user, e.hwc");
	ck_assert_str_eq(list_of("e.any"), "e.totalcpu:e+cycles:e+insts:e+cpi:size:address:name");
	recorded[1] = true;
}
END_TEST

START_TEST(a_bad_specification_leaves_the_list_alone)
{
	struct metric_list list;
	struct error left_out, error;
	char text[256];
	ck_assert(metric_list_parse(&list, "e.user", &context, &left_out, &error));
	ck_assert(!metric_list_parse(&list, "i.user:e.nosuch", &context, &left_out, &error));
	metric_list_text(&list, &context, text, sizeof text);
	ck_assert_str_eq(text, "e.user:name");
}
END_TEST

static const char *sort_of(const char *metrics, const char *specification)
{
	static char text[256];
	struct metric_list list;
	struct metric_sort sort;
	struct error left_out, error;
	ck_assert(metric_list_parse(&list, metrics, &context, &left_out, &error));
	metric_sort_default(&sort, &list, &context);
	if (specification && !metric_sort_parse(&sort, specification, &list, &context, &error))
		return strcpy(text, error.text);
	text[0] = '-';
	metric_item_text(&sort.item, &context, text + sort.reversed, sizeof text - 1);
	return text;
}

START_TEST(sorting)
{
	static const struct {
		const char *metrics, *sort, *means;
	} cases[] = {
		{"e.%totalcpu:i.%totalcpu", 0, "e.%totalcpu"},
		{"i.totalcpu:e.user", 0, "i.totalcpu"},
		{"i.user:e.user", 0, "i.user"},
		{"i!totalcpu:e.user", 0, "e.user"},
		{"size", 0, "name"},
		{"e.user:i.user", "i.user", "i.user"},
		{"e.user:i.user", "i+%user", "i.user"},
		{"e.user:i.user", "e.totalcpu:i.user", "i.user"},
		{"e.user", "-e.user", "-e.user"},
		{"e.user:size", "size", "size"},
		{"e.user", "name", "name"},
		{"i.user", "i!cycles", "i!cycles"},
		{"i.user", "a.user", "i.user"},
		{"i.user:e.totalcpu", "default", "e.totalcpu"},
		{"e.user", "i.user", "Invalid sort specification: i.user: not among the metrics that are shown"},
		{"e.user", "e.nosuch", "Invalid sort specification: e.nosuch"},
		{"e.user", "-e.uesr", "Invalid sort specification: -e.uesr (nearest: user)"},
	};
	ck_assert_str_eq(sort_of(cases[_i].metrics, cases[_i].sort), cases[_i].means);
}
END_TEST

START_TEST(attributed_metrics_follow_from_the_others)
{
	struct metric_list list, attributed;
	struct error left_out, error;
	char text[256];
	ck_assert(metric_list_parse(&list, "e.totalcpu:i%totalcpu:a.user:size", &context, &left_out, &error));
	metric_list_attributed(&attributed, &list);
	metric_list_text(&attributed, &context, text, sizeof text);
	ck_assert_str_eq(text, "a.%totalcpu:a.user:size:name");
}
END_TEST

START_TEST(titles)
{
	char text[64];
	metric_item_title(&(struct metric_item){ITEM_METRIC, INCLUSIVE, 1, SHOW_TIME}, &context, text, sizeof text);
	ck_assert_str_eq(text, "Inclusive User CPU Time");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("metric grammar");
	TCase *tests = tcase_create("metric grammar");
	tcase_add_loop_test(tests, specifications, 0, 26);
	tcase_add_test(tests, a_name_without_visibility_is_no_dynamic_metric);
	tcase_add_test(tests, what_was_not_recorded_is_left_out);
	tcase_add_test(tests, a_bad_specification_leaves_the_list_alone);
	tcase_add_loop_test(tests, sorting, 0, 17);
	tcase_add_test(tests, attributed_metrics_follow_from_the_others);
	tcase_add_test(tests, titles);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
