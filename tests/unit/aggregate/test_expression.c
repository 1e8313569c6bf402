/* SPDX-License-Identifier: Apache-2.0 */
/* Filter expressions: operators against the C compiler's own reading of the same text, the IN family and selections
   against what their definitions say by hand. */
#include "event_filter.h"
#include "expression.h"
#include "fake.h"
#include "index_sums.h"

#include <check.h>
#include <inttypes.h>

static struct expression_setting setting;

static const char *defined(const void *context, const char *name)
{
	(void)context;
	return !strcasecmp(name, "both") ? "THRID+CPUID" : !strcasecmp(name, "broken") ? "1+" : 0;
}

static int64_t value_of(const char *text, int kind, const struct data_batch *batch)
{
	struct error error;
	struct expression *expression = expression_parse(text, defined, 0, &error);
	ck_assert_msg(expression != 0, "%s: %s", text, error.text);
	setting = (struct expression_setting){.data = &fake.data};
	expression_prepare(expression, &setting);
	int64_t value = *expression_evaluate(expression, kind, batch, 0, 1);
	expression_free(expression);
	return value;
}

static int64_t constant(const char *text)
{
	uint64_t time = 7000000000u;
	uint32_t thread = 3, cpu = 1, stack = 0;
	struct data_batch batch = {.experiment = &fake.experiment,
		.count = 1,
		.time = &time,
		.thread = &thread,
		.cpu = &cpu,
		.stack = &stack};
	return value_of(text, KIND_CLOCK, &batch);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#pragma GCC diagnostic ignored "-Wtautological-constant-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wbitwise-op-parentheses"
#pragma GCC diagnostic ignored "-Wtautological-overlap-compare"
#endif
#define AS_IN_C(expression)                                                                                            \
	ck_assert_msg(constant(#expression) == (int64_t)(expression), "%s: %" PRId64 ", C says %" PRId64, #expression, \
		constant(#expression), (int64_t)(expression))
START_TEST(operators_are_those_of_c)
{
	fake_start();
	AS_IN_C(1 + 2 * 3 == 9);
	AS_IN_C(1 + 2 * 3);
	AS_IN_C(2 * 3 % 4 - 7 / 2);
	AS_IN_C(100 - 10 - 1);
	AS_IN_C(100 / 10 / 5);
	AS_IN_C(1 << 2 + 3);
	AS_IN_C(1 | 2 ^ 3 & 6);
	AS_IN_C(6 & 3 == 3);
	AS_IN_C(1 || 0 && 0);
	AS_IN_C(0 && 1 || 1);
	AS_IN_C(1 == 2 < 3);
	AS_IN_C(3 > 2 > 1);
	AS_IN_C(1 != 2 == 1);
	AS_IN_C(5 >= 5 && 4 <= 3 || 2 < 2);
	AS_IN_C(1 ? 2 : 0 ? 3 : 4);
	AS_IN_C(0 ? 2 : 0 ? 3 : 4);
	AS_IN_C(1 || 0 ? 5 : 6);
	AS_IN_C(!0 + !5 + ~5);
	AS_IN_C(- -3 - -4);
	AS_IN_C(-7 / 2 + -7 % 3);
	AS_IN_C(-8 >> 1);
	AS_IN_C(0x1F + 017 + 19);
	AS_IN_C((1 + 2) * (3 + 4));
	AS_IN_C(~0 == -1 && !!7 == 1);
	AS_IN_C(1 + 2 << 3 - 1 & 0xfc | 1 ^ 8);
	AS_IN_C(7 & 3 + 1 != 4 || 2);
}
#pragma GCC diagnostic pop
END_TEST

/* Where C says nothing, nothing bad happens. */
START_TEST(no_number_is_dangerous)
{
	fake_start();
	ck_assert_int_eq(constant("5/0"), 0);
	ck_assert_int_eq(constant("5%0"), 0);
	ck_assert_int_eq(constant("(1<<63)/-1"), INT64_MIN);
	ck_assert_int_eq(constant("(1<<63)%-1"), 0);
	ck_assert_int_eq(constant("1<<64"), 0);
	ck_assert_int_eq(constant("1<<-1"), 0);
	ck_assert_int_eq(constant("-1>>200"), -1);
	ck_assert_int_eq(constant("0x7fffffffffffffff+1"), INT64_MIN);
	ck_assert_int_eq(constant("18446744073709551615"), -1);
}
END_TEST

START_TEST(lists_of_numbers)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {{"THRID IN 1,3", 1}, {"THRID IN (1,3)", 1}, {"THRID IN 1,2", 0}, {"thrid in 3", 1},
		{"THRID IN 1,3 && CPUID==2", 0}, {"THRID IN 1,3 && CPUID==1", 1}, {"THRID IN 1+2,9", 1},
		{"(THRID,CPUID) IN 1,2", 0}, {"(THRID,CPUID) IN 1,2,3", 1}, {"(THRID,CPUID) SOME IN 1,2", 1},
		{"(THRID,CPUID) SOME IN 2,4", 0}, {"(1,2) ORDERED IN 0,1,2,3", 1}, {"(1,3) ORDERED IN 0,1,2,3", 0},
		{"(2,1) ORDERED IN 0,1,2,3", 0}, {"(1,2,3) ORDERED IN 1,2", 0}, {"(1,3) IN 3,2,1", 1},
		{"1 IN 1 == 1", 1}, {"!(THRID IN 1,2)", 1}, {"THRID IN 3 IN 1", 1}, {"((1,2),3) IN (3,(2,1))", 1}};
	fake_start();
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_msg(constant(cases[i].text) == cases[i].value, "%s", cases[i].text);
}
END_TEST

START_TEST(words_of_events)
{
	fake_start();
	fake.experiment.number = 4;
	fake.file.process.pid = 1234;
	ck_assert_int_eq(constant("CPUID<<16|THRID"), 0x10003);
	ck_assert_int_eq(constant("TSTAMP/1000000000"), 7);
	ck_assert_int_eq(constant("EXPID*10+EXPGRID"), 41);
	ck_assert_int_eq(constant("PID"), 1234);
	ck_assert_int_eq(constant("both*10"), 40);
	ck_assert_int_eq(constant("HAS_PROP(user)+HAS_PROP(THRID)+HAS_PROP(nosuch)+HAS_PROP(tid)"), 2);
	ck_assert_int_eq(constant("TRUE+FALSE"), 1);
	/* A field is that of the event's own kind, 0 where events of the kind have none. */
	uint64_t user = 11, missed = 22, mode = 2, tid = 33, zero = 0;
	uint32_t number = 1;
	struct data_batch batch = {
		.experiment = &fake.experiment, .count = 1, .thread = &number, .cpu = &number, .stack = &number};
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		batch.field[f] = &zero;
	batch.field[FIELD_INDEX(CLOCK, user)] = &user;
	batch.field[FIELD_INDEX(CLOCK, missed)] = &missed;
	batch.field[FIELD_INDEX(CLOCK, mode)] = &mode;
	ck_assert_int_eq(value_of("USER*100+missed", KIND_CLOCK, &batch), 1122);
	ck_assert_int_eq(value_of("MSTATE*10+Mode", KIND_CLOCK, &batch), 22);
	ck_assert_int_eq(value_of("TID", KIND_CLOCK, &batch), 0);
	batch.field[FIELD_INDEX(THREAD, tid)] = &tid;
	ck_assert_int_eq(value_of("TID", KIND_THREAD, &batch), 33);
	ck_assert_int_eq(value_of("USER+HAS_PROP(USER)", KIND_THREAD, &batch), 0);
}
END_TEST

/* The value of an expression for an event at 1000 with these two fields, of which the second may be the first. */
static int64_t of_event(const char *text, int kind, unsigned a, uint64_t a_value, unsigned b, uint64_t b_value)
{
	uint64_t time = 1000, zero = 0;
	uint32_t number = 1;
	struct data_batch batch = {.experiment = &fake.experiment,
		.count = 1,
		.time = &time,
		.thread = &number,
		.cpu = &number,
		.stack = &number};
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		batch.field[f] = &zero;
	batch.field[a] = &a_value;
	batch.field[b] = &b_value;
	return value_of(text, kind, &batch);
}

START_TEST(beginnings_ends_and_sizes)
{
	static const struct {
		const char *text;
		int64_t sync, io, mpi, heap, clock;
	} cases[] = {{"TSTAMP_LO", 700, 700, 1000, 1000, 1000}, {"TSTAMP_HI", 1000, 1000, 1305, 1000, 1000},
		{"TSTAMP2", 1000, 1000, 1305, 1000, 1000}, {"ETSTAMP", 1000, 1000, 1305, 1000, 1000},
		{"SRQST", 700, 0, 0, 0, 0}, {"IORQST", 0, 700, 0, 0, 0}, {"IOHEAPBYTES", 0, 40, 0, 50, 0},
		{"TSTAMP_HI-TSTAMP_LO-EVT_TIME", 0, 0, 5, 0, 0}};
	fake_start();
	for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
		const char *text = cases[c].text;
		unsigned wait = FIELD_INDEX(SYNC, duration), io = FIELD_INDEX(IO, duration);
		ck_assert_int_eq(of_event(text, KIND_SYNC, wait, 300, wait, 300), cases[c].sync);
		ck_assert_int_eq(of_event(text, KIND_IO, io, 300, FIELD_INDEX(IO, bytes), 40), cases[c].io);
		ck_assert_int_eq(
			of_event(text, KIND_MPI, FIELD_INDEX(MPI, duration), 300, FIELD_INDEX(MPI, between), 5),
			cases[c].mpi);
		ck_assert_int_eq(of_event(text, KIND_HEAP, FIELD_INDEX(HEAP, size), 50, FIELD_INDEX(HEAP, address), 9),
			cases[c].heap);
		ck_assert_int_eq(of_event(text, KIND_CLOCK, FIELD_INDEX(CLOCK, user), 7, FIELD_INDEX(CLOCK, mode), 1),
			cases[c].clock);
	}
	unsigned counter = FIELD_INDEX(OVERFLOW, counter), interval = FIELD_INDEX(OVERFLOW, interval);
	ck_assert_int_eq(of_event("HWCTAG*1000+HWCINT", KIND_OVERFLOW, counter, 2, interval, 77), 2077);
}
END_TEST

START_TEST(bad_text_is_refused)
{
	static const char *const texts[] = {"", "1+", "(1", "1)", "1 2", "nosuch", "09", "0xg", "1e5", "$", "THRID = 1",
		"1,2", "(1,2)+1", "USTACK", "USTACK==1", "FNAME(\"a\")", "FNAME(a) IN USTACK", "FNAME(\"(\") IN USTACK",
		"FNAME(\"a", "FNAME(\"a\" IN USTACK", "THRID IN USTACK", "THRID IN FNAME(\"a\")", "USTACK IN USTACK",
		"FNAME(\"a\") IN 1,2", "THRID SOME 1", "THRID IN", "? 1 : 2", "1 ? 2", "1 ? 2 :", "HAS_PROP(1)",
		"99999999999999999999", "FNAME(\"\\1\") IN USTACK", "broken", "(USTACK,LEAF) IN FNAME(\"a\")",
		"USTACK ORDERED IN FNAME(\"a\")", "THRID IN DNAME(\"a\")", "IOFD IN FILEIOVFD(\"a\")",
		"MCOMM IN DNAME(\"a\")", "FILEIOVFD(a)", "PADDR", "HAS_PROP(FNAME"};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error error = {""};
		struct expression *expression = expression_parse(texts[i], defined, 0, &error);
		ck_assert_msg(!expression && *error.text, "%s was taken", texts[i]);
	}
}
END_TEST

/* Whatever its size, a text is read in bounded time and memory, or refused. */
START_TEST(large_texts)
{
	static const char *const pieces[] = {"(", "!", "1+", "1?", "1,", "1 IN ", "-", "1&&", "FNAME(\"a\") IN "};
	for (unsigned p = 0; p < sizeof pieces / sizeof *pieces; p++) {
		char *text = calloc(1, 200001);
		while (strlen(text) + strlen(pieces[p]) < 20000)
			strcat(text, pieces[p]);
		struct error error;
		expression_free(expression_parse(text, 0, 0, &error));
		strcat(text, "1");
		expression_free(expression_parse(text, 0, 0, &error));
		free(text);
	}
	/* Lists of lists of comparisons: their evaluation would cost the product. */
	char text[16384] = "THRID", list[400] = " IN (1";
	for (int i = 2; i < 100; i++)
		sprintf(list + strlen(list), ",%d", i);
	strcat(list, ")");
	for (int i = 0; i < 10; i++)
		strcat(text, list);
	struct error error;
	ck_assert_ptr_null(expression_parse(text, 0, 0, &error));
	ck_assert_str_eq(error.text, "it is too large");
}
END_TEST

/* For each stack, by letter: main calls f and g, f calls f again, h ends both; x is alone. */
static const char *const stack_texts[] = {
	"", "main", "main f", "main f f", "main f h", "main g h", "main g>f", "x", "<truncated> main f", "main f g f"};
enum { STACKS = sizeof stack_texts / sizeof *stack_texts };

/* The stacks, as digits of their place in stack_texts, that an expression keeps. */
static const char *kept(const char *text)
{
	static char places[STACKS + 1];
	uint32_t stacks[STACKS], zero[STACKS] = {0}, count = 0;
	uint64_t time[STACKS] = {0};
	fake_start();
	for (unsigned i = 0; i < STACKS; i++)
		stacks[i] = fake_stack(stack_texts[i]);
	struct error error;
	struct expression *expression = expression_parse(text, 0, 0, &error);
	ck_assert_msg(expression != 0, "%s: %s", text, error.text);
	setting = (struct expression_setting){.data = &fake.data};
	expression_prepare(expression, &setting);
	struct data_batch batch = {.experiment = &fake.experiment,
		.count = STACKS,
		.time = time,
		.thread = zero,
		.cpu = zero,
		.stack = stacks};
	const int64_t *value = expression_evaluate(expression, KIND_CLOCK, &batch, 0, STACKS);
	for (unsigned i = 0; i < STACKS; i++)
		if (value[i])
			places[count++] = (char)('0' + i);
	places[count] = 0;
	expression_free(expression);
	return places;
}

START_TEST(functions_on_stacks)
{
	static const struct {
		const char *text, *stacks;
	} cases[] = {{"FNAME(\"f\") SOME IN USTACK", "234689"}, {"FNAME(\"f\") IN USTACK", "234689"},
		{"FNAME(\"mai\") SOME IN USTACK", ""}, {"FNAME(\"mai.*\") SOME IN USTACK", "12345689"},
		{"FNAME(\"ai\") SOME IN USTACK", ""}, {"FNAME(\"f|h\") SOME IN USTACK", "2345689"},
		{"FNAME(\"f|h\") IN USTACK", "4"}, {"(FNAME(\"f\"),FNAME(\"h\")) IN USTACK", "4"},
		{"(FNAME(\"h\"),FNAME(\"f\")) IN USTACK", "4"},
		{"(FNAME(\"f\"),FNAME(\"h\")) SOME IN USTACK", "2345689"},
		{"(FNAME(\"f\"),FNAME(\"h\")) ORDERED IN USTACK", "4"},
		{"(FNAME(\"h\"),FNAME(\"f\")) ORDERED IN USTACK", ""},
		{"(FNAME(\"main\"),FNAME(\"h\")) ORDERED IN USTACK", ""},
		{"(FNAME(\"f\"),FNAME(\"f\")) ORDERED IN USTACK", "3"},
		{"(FNAME(\"f|g\"),FNAME(\"h\")) ORDERED IN USTACK", "45"},
		{"(FNAME(\"g\"),FNAME(\"f\")) ORDERED IN USTACK", "69"},
		{"(FNAME(\"g\"),FNAME(\"f\")) ORDERED IN MSTACK", "9"}, {"FNAME(\"f\") SOME IN MSTACK", "23489"},
		{"FNAME(\"f\") SOME IN HSTACK", "234689"}, {"LEAF IN FNAME(\"f\")", "23689"},
		{"LEAF IN FNAME(\"h|x\")", "457"}, {"LEAF IN (FNAME(\"h\"),FNAME(\"x\"))", "457"},
		{"FNAME(\"h\") SOME IN LEAF", "45"}, {"USTACK IN FNAME(\"main|f\")", "123"},
		{"FNAME(\"nosuch\") IN USTACK", ""}, {"(FNAME(\"main\"),FNAME(\"nosuch\")) IN USTACK", ""},
		{"FNAME(\"<Truncated-stack>\") SOME IN USTACK", "8"}, {"FNAME(\"<no stack>\") SOME IN USTACK", "0"},
		{"FNAME(\"f\") SOME IN USTACK && !(FNAME(\"h\") SOME IN USTACK)", "23689"},
		{"!(FNAME(\".*\") SOME IN USTACK)", ""}, {"STACKID==0", "0"},
		{"FNAME(\"f\") SOME IN USTACK == 0", "0157"}, {"LEAF == LEAF", "0123456789"}};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_msg(!strcmp(kept(cases[i].text), cases[i].stacks), "%s keeps %s, not %s", cases[i].text,
			kept(cases[i].text), cases[i].stacks);
}
END_TEST

/* A hundred thousand frames: tests of stacks cost what the tree costs, not its paths. */
START_TEST(deep_stacks)
{
	fake_start();
	uint32_t stack = fake_child(0, ROOT_START, STACK_ROOT), f = fake_address("f"), g = fake_address("g");
	for (int i = 0; i < 60000; i++) {
		fake.stacks[fake.data.stack_count] = (struct stack){stack, i == 59999 ? g : f, 0, 0};
		stack = fake.data.stack_count++;
	}
	uint32_t thread = 1;
	uint64_t time = 0;
	struct data_batch batch = {.experiment = &fake.experiment,
		.count = 1,
		.time = &time,
		.thread = &thread,
		.cpu = &thread,
		.stack = &stack};
	ck_assert_int_eq(value_of("(FNAME(\"f\"),FNAME(\"g\")) IN USTACK", KIND_CLOCK, &batch), 1);
	ck_assert_int_eq(value_of("(FNAME(\"f\"),FNAME(\"g\")) ORDERED IN USTACK", KIND_CLOCK, &batch), 1);
	ck_assert_int_eq(value_of("(FNAME(\"g\"),FNAME(\"f\")) ORDERED IN USTACK", KIND_CLOCK, &batch), 0);
}
END_TEST

START_TEST(selections)
{
	static const struct {
		const char *text; /* digits: experiment, thread, selected or not */
		const char *on[3];
	} cases[] = {{"all", {"123", "123", "123"}}, {"none", {"", "", ""}}, {"1", {"1", "1", "1"}},
		{"2-3", {"23", "23", "23"}}, {"-2", {"12", "12", "12"}}, {"2-", {"23", "23", "23"}},
		{"1,3", {"13", "13", "13"}}, {"1:1-2+2:3", {"12", "3", ""}}, {"all:1", {"1", "1", "1"}},
		{"1:all+3:2", {"123", "", "2"}}, {"2:1+2:3", {"", "3", ""}}, {"9:1", {"", "", ""}},
		{"2-3:none+3:1", {"", "", "1"}}, {"77", {"", "", ""}}};
	static const char *const bad[] = {"", "x", "1,", ",1", "1-2-3", "3-1", "1:", ":1", "1:2:3", "1+", "-", "1 2",
		"99999999999999999999999", "1;2"};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct selection selection = {0};
		struct error error;
		ck_assert_msg(selection_choose(&selection, 3, SELECT_THREADS, cases[i].text, &error), "%s", error.text);
		for (uint32_t e = 0; e < 3; e++) {
			char on[8] = "";
			for (uint64_t thread = 1; thread <= 3; thread++) {
				const struct selected_experiment *selected = selection_of(&selection, e);
				if (!selected->off && ranges_have(&selected->of[SELECT_THREADS], thread))
					sprintf(on + strlen(on), "%" PRIu64, thread);
			}
			ck_assert_msg(!strcmp(on, cases[i].on[e]), "%s: %s", cases[i].text, on);
		}
		selection_free(&selection);
	}
	struct selection selection = {0};
	struct error error;
	ck_assert(selection_choose(&selection, 3, SELECT_THREADS, "2:1", &error));
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(!selection_choose(&selection, 3, SELECT_THREADS, bad[i], &error), "%s", bad[i]);
	/* A refused expression changed nothing; another target's list switches experiments, and keeps the threads'. */
	ck_assert(selection_of(&selection, 0)->off && !selection_of(&selection, 1)->off);
	ck_assert(selection_choose(&selection, 3, SELECT_CPUS, "1-2:0", &error));
	ck_assert(!selection_of(&selection, 0)->off && selection_of(&selection, 2)->off);
	ck_assert(!selection_of(&selection, 0)->of[SELECT_THREADS].some);
	ck_assert(!ranges_have(&selection_of(&selection, 1)->of[SELECT_THREADS], 2));
	char text[32];
	ck_assert(selection_choose(&selection, 3, SELECT_CPUS, "0,4-6,9-", &error));
	ranges_text(&selection_of(&selection, 0)->of[SELECT_CPUS], text, sizeof text);
	ck_assert_str_eq(text, "0,4-6,9-");
	selection_free(&selection);
}
END_TEST

/* 1000 events in one batch would hide the closing up: each of fake's batches is one event. */
START_TEST(filtered_and_indexed_sums)
{
	fake_start();
	uint32_t f = fake_stack("main f"), g = fake_stack("main g");
	uint64_t expected[4] = {0}, of_f = 0, total = 0;
	for (uint64_t i = 1; i <= 1000; i++) {
		uint32_t thread = (uint32_t)(i % 4);
		fake_event(KIND_CLOCK, i % 3 ? f : g, thread, i, 0);
		if (i % 3)
			expected[thread] += i;
		if (i % 3 && (thread == 1 || thread == 3))
			of_f += i;
		total += i;
	}
	struct error error;
	struct selection selection = {0};
	struct event_filter filter = {.selection = &selection};
	filter.expression = expression_parse("FNAME(\"f\") SOME IN USTACK", 0, 0, &error);
	setting = (struct expression_setting){.data = &fake.data};
	expression_prepare(filter.expression, &setting);
	struct expression *threads = expression_parse("THRID", 0, 0, &error);
	expression_prepare(threads, &setting);
	struct index_sums *index = index_sums_compute(&fake.data, metrics_builtin(), &filter, 0, threads);
	ck_assert_uint_eq(index->count, 4);
	for (uint32_t place = 0; place < 4; place++)
		ck_assert_uint_eq(index->sums.exclusive[0][place], expected[index->values[place]]);
	index_sums_free(index);
	ck_assert(selection_choose(&selection, 1, SELECT_THREADS, "1,3", &error));
	struct stack_sums *sums = stack_sums_compute(&fake.data, metrics_builtin(), &filter, 0);
	ck_assert_uint_eq(sums->of[0][f], of_f);
	ck_assert_uint_eq(sums->of[0][g], 0);
	ck_assert_uint_eq(sums->total[0], of_f);
	stack_sums_free(sums);
	selection_free(&selection);
	expression_free(filter.expression);
	expression_free(threads);
	sums = stack_sums_compute(&fake.data, metrics_builtin(), &(struct event_filter){0}, 0);
	ck_assert_uint_eq(sums->total[0], total);
	stack_sums_free(sums);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expressions");
	TCase *tests = tcase_create("expressions");
	tcase_add_test(tests, operators_are_those_of_c);
	tcase_add_test(tests, no_number_is_dangerous);
	tcase_add_test(tests, lists_of_numbers);
	tcase_add_test(tests, words_of_events);
	tcase_add_test(tests, beginnings_ends_and_sizes);
	tcase_add_test(tests, bad_text_is_refused);
	tcase_add_test(tests, large_texts);
	tcase_add_test(tests, functions_on_stacks);
	tcase_add_test(tests, deep_stacks);
	tcase_add_test(tests, selections);
	tcase_add_test(tests, filtered_and_indexed_sums);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
