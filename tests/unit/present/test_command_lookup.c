/* SPDX-License-Identifier: Apache-2.0 */
/* Commands are found by the prefixes that the language's users know, and lines are split by its rules. */
#include "commands.h"
#include "script_words.h"

#include <check.h>
#include <string.h>

/* The shortest forms that the reference gives. */
START_TEST(shortest_prefixes)
{
	static const struct {
		const char *word, *name;
	} cases[] = {{"fu", "functions"}, {"func", "functions"}, {"metrics", "metrics"}, {"sor", "sort"},
		{"fsi", "fsingle"}, {"fsu", "fsummary"}, {"calle", "callers-callees"}, {"gp", "callers-callees"},
		{"cs", "csingle"}, {"callt", "calltree"}, {"ct", "calltree"}, {"le", "leaks"}, {"al", "allocs"},
		{"heap", "heap"}, {"heaps", "heapstat"}, {"ioa", "ioactivity"}, {"pc", "pcs"}, {"lin", "lines"},
		{"ps", "psummary"}, {"ls", "lsummary"}, {"sou", "source"}, {"src", "source"}, {"dis", "disasm"},
		{"scc", "scc"}, {"dcc", "dcc"}, {"cc", "cc"}, {"sth", "sthresh"}, {"set", "setpath"},
		{"addp", "addpath"}, {"pa", "pathmap"}, {"exp", "experiment_list"}, {"object_l", "object_list"},
		{"objects_", "objects_default"}, {"objects", "objects"}, {"ou", "outfile"}, {"ap", "appendfile"},
		{"lim", "limit"}, {"n", "name"}, {"vi", "viewmode"}, {"co", "compare"}, {"pri", "printmode"},
		{"head", "header"}, {"ov", "overview"}, {"sample_d", "sample_detail"}, {"sta", "statistics"},
		{"FUNCTIONS", "functions"}, {"Exit", "quit"}, {"csort", "csort"}, {"verify", "verify"}};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error error = {""};
		const struct command *command = command_find(cases[i].word, &error);
		ck_assert_msg(command != 0, "%s: %s", cases[i].word, error.text);
		ck_assert_str_eq(command->name, cases[i].name);
	}
}
END_TEST

START_TEST(what_is_refused)
{
	struct error error;
	ck_assert_ptr_null(command_find("xyz", &error));
	ck_assert_str_eq(error.text, "Invalid command: xyz");
	ck_assert_ptr_null(command_find("fucntions", &error));
	ck_assert_str_eq(error.text, "Invalid command: fucntions (nearest: functions)");
	ck_assert_ptr_null(command_find("ltree", &error));
	ck_assert_str_eq(error.text, "Invalid command: ltree (nearest: ctree, tree, calltree)");
	ck_assert_ptr_null(command_find("", &error));
	ck_assert_ptr_null(command_find("metric", &error));
	ck_assert_str_eq(error.text, "Ambiguous command: metric: metrics metric_list");
	/* Words of the first releases and debugging aids are not abbreviated. */
	ck_assert_ptr_null(command_find("cso", &error));
	ck_assert_ptr_null(command_find("verif", &error));
	ck_assert_ptr_null(command_find("Function list", &error));
}
END_TEST

START_TEST(every_command_has_help_and_a_name_of_its_own)
{
	for (unsigned i = 0; i < command_count; i++) {
		struct error error;
		if (commands[i].section)
			continue;
		ck_assert_ptr_eq(command_find(commands[i].name, &error), &commands[i]);
		ck_assert(!commands[i].run || *commands[i].help);
	}
}
END_TEST

START_TEST(arguments_that_begin_with_a_dash)
{
	static const struct {
		const char *command, *argument;
		bool refused;
	} cases[] = {{"flamegraph", "-icicle", true}, {"flamegraph", "x.svg", false}, {"outfile", "-functions", true},
		{"outfile", "-", false}, {"outfile", "--", false}, {"appendfile", "--", true},
		{"sort", "-e.user", false}, {"metrics", "-e.user", true}, {"fsingle", "-main", true},
		{"fsingle", "-[Set add:]", false}, {"filters", "-1 < PID", false}, {"thread_select", "-3", false},
		{"limit", "-3", true}, {"printmode", "-", false}, {"printmode", "-x", true}};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error error;
		char *argument = (char *)cases[i].argument;
		const char *found = command_dash(command_find(cases[i].command, &error), 1, &argument);
		ck_assert_msg(found == (cases[i].refused ? argument : 0), "%s %s", cases[i].command, argument);
	}
}
END_TEST

static int split(const char *line, char *words[WORDS_MAX])
{
	static char copy[256];
	strcpy(copy, line);
	return words_split(copy, words);
}

START_TEST(words)
{
	char *word[WORDS_MAX];
	ck_assert_int_eq(split("  fsingle \"f(int, char)\"\t2 \r\n", word), 3);
	ck_assert_str_eq(word[0], "fsingle");
	ck_assert_str_eq(word[1], "f(int, char)");
	ck_assert_str_eq(word[2], "2");
	ck_assert_int_eq(split("source f\"a.c\"", word), 2);
	ck_assert_str_eq(word[1], "f\"a.c\"");
	ck_assert_int_eq(split("a \"b\\\"c\" \"\"", word), 3);
	ck_assert_str_eq(word[1], "b\"c");
	ck_assert_str_eq(word[2], "");
	ck_assert_int_eq(split("", word), 0);
	ck_assert_int_eq(split("a \"b", word), -1);
	char many[256] = "";
	for (int i = 0; i < WORDS_MAX + 1; i++)
		strcat(many, "x ");
	ck_assert_int_eq(split(many, word), -1);
}
END_TEST

START_TEST(lines_that_go_on)
{
	ck_assert(words_unfinished("limit \\"));
	ck_assert(words_unfinished("fsingle \"f(int,"));
	ck_assert(!words_unfinished("fsingle \"f(int)\""));
	ck_assert(!words_unfinished("source f\"a.c"));
	ck_assert(!words_unfinished("# it's a \"comment \\"));
	ck_assert(!words_unfinished("a \\\"b"));
	ck_assert(!words_unfinished(""));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("command lookup");
	TCase *tests = tcase_create("command lookup");
	tcase_add_test(tests, shortest_prefixes);
	tcase_add_test(tests, what_is_refused);
	tcase_add_test(tests, every_command_has_help_and_a_name_of_its_own);
	tcase_add_test(tests, arguments_that_begin_with_a_dash);
	tcase_add_test(tests, words);
	tcase_add_test(tests, lines_that_go_on);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
