/* SPDX-License-Identifier: Apache-2.0 */
/* The owners of data addresses, in an experiment written for the test: this program's own variables, blocks that come and go
   at one address, a stack, the kernel, nothing. */
#include "counter_metrics.h"
#include "data_objects.h"
#include "expression.h"
#include "index_sums.h"
#include "overflow_counter.h"
#include "synthetic.h"

#include <check.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char known_table[640];
struct known_cell {
	long head;
	struct {
		float x, y;
	} at[3];
} known_cells[5];
static char known_local[64];
#define FUNCTION(name, n)                                                                                              \
	void name(void);                                                                                               \
	__attribute__((noinline)) void name(void)                                                                      \
	{                                                                                                              \
		known_local[n] = n;                                                                                    \
	}
FUNCTION(known_main, 1)
FUNCTION(known_maker, 2)
FUNCTION(known_other, 3)

#define BASE   0x10000000ull
#define OURS   0x20000000ull /* where the collector's library is mapped: a copy of this program */
#define BLOCK  0x70000000ull
#define STACK  0x7ff00000ull
#define KERNEL 0xffff888000001000ull
enum { MISSES, ELSEWHERE }; /* the counters: with data addresses, and without */

static ElfW(Addr) load_bias;
static ElfW(Phdr) code;

static int find_code(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size, (void)context;
	load_bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
			code = info->dlpi_phdr[i];
	return 1; /* the first one is this program */
}

static uint64_t mapped(const void *here)
{
	return BASE + (uint64_t)(uintptr_t)here - load_bias;
}

static void overflow(struct synthetic *s, uint64_t time, uint64_t counter, uint64_t address, uint64_t interval)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(OVERFLOW, counter)] = counter,
		[FIELD_INDEX(OVERFLOW, interval)] = interval,
		[FIELD_INDEX(OVERFLOW, address)] = address,
	};
	uint64_t pc = mapped((const void *)(uintptr_t)known_main) + 4;
	synthetic_event(s, KIND_OVERFLOW, 1, time, synthetic_stack(s, &pc, 1, 0), fields);
}

static void heap(struct synthetic *s, uint64_t time, void (*maker)(void), uint64_t address, uint64_t size)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(HEAP, address)] = address,
		[FIELD_INDEX(HEAP, what)] = size ? STATE_VALUE(HEAP, what, malloc) : STATE_VALUE(HEAP, what, free),
		[FIELD_INDEX(HEAP, size)] = size,
	};
	uint64_t pcs[] = {mapped((const void *)(uintptr_t)known_main) + 4, mapped((const void *)(uintptr_t)maker) + 4};
	synthetic_event(s, KIND_HEAP, 1, time, synthetic_stack(s, pcs, 2, 0), fields);
}

static void write_experiment(const char *path)
{
	static char program[4096];
	struct settings settings;
	struct overflow_counter described[] = {
		{.name = "misses", .title = "Misses", .interval = 1, .memory = 1},
		{.name = "elsewhere", .title = "Elsewhere", .interval = 1},
	};
	settings_default(&settings);
	ck_assert_ptr_nonnull(getcwd(settings.library, sizeof settings.library - 32));
	strcat(settings.library, "/libcollector.so");
	ck_assert_int_eq(system("cp /proc/$PPID/exe libcollector.so"), 0);
	overflow_counters_encode(described, 2, settings.counters, sizeof settings.counters);
	struct synthetic *s = synthetic_begin_with(path, &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
	ck_assert(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
	dl_iterate_phdr(find_code, 0);
	synthetic_map_object(s, BASE + code.p_vaddr, code.p_memsz, code.p_offset, code.p_vaddr, program);
	synthetic_map_object(s, OURS + code.p_vaddr, code.p_memsz, code.p_offset, code.p_vaddr, settings.library);
	uint64_t thread[FIELDS_MAX] = {
		[FIELD_INDEX(THREAD, stack_low)] = STACK, [FIELD_INDEX(THREAD, stack_high)] = STACK + 0x10000};
	synthetic_event(s, KIND_THREAD, 1, 10, 0, thread);
	overflow(s, 50, MISSES, BLOCK + 16, 1); /* nothing is there yet */
	heap(s, 100, known_maker, BLOCK, 64);
	overflow(s, 150, MISSES, BLOCK + 16, 2);
	overflow(s, 151, MISSES, BLOCK + 63, 4);
	overflow(s, 152, MISSES, BLOCK + 64, 8); /* behind it */
	heap(s, 200, known_maker, BLOCK, 0);
	overflow(s, 250, MISSES, BLOCK + 16, 16); /* it is gone */
	heap(s, 300, known_other, BLOCK, 64);
	overflow(s, 350, MISSES, BLOCK + 16, 32);
	overflow(s, 400, MISSES, mapped(known_table), 100);
	overflow(s, 401, MISSES, mapped(known_table) + sizeof known_table - 1, 200);
	overflow(s, 402, MISSES, mapped(known_local) + 5, 1000);
	overflow(s, 403, MISSES, BASE + code.p_vaddr, 2000); /* code */
	overflow(s, 404, MISSES, STACK + 0x123, 3000);
	overflow(s, 405, MISSES, STACK + 0x10000, 64); /* above it */
	overflow(s, 406, MISSES, KERNEL, 4000);
	overflow(s, 407, MISSES, 0, 5000);
	overflow(s, 408, ELSEWHERE, mapped(known_table), 7);
	overflow(s, 409, MISSES, mapped(&known_cells[0]), 10000);
	overflow(s, 410, MISSES, mapped(&known_cells[4].head) + 7, 20000);
	overflow(s, 411, MISSES, mapped(&known_cells[1].at[0].y), 40000);
	overflow(s, 412, MISSES, mapped(&known_cells[3].at[2].y), 80000);
	overflow(s, 413, MISSES, mapped(known_table) - BASE + OURS, 160000);
	overflow(s, 414, MISSES, mapped(known_local) - BASE + OURS, 320000);
	synthetic_end(s);
}

static struct expression_setting setting;
static struct metric_rows rows;
static struct data *data;
static struct resolver *resolver;
static char directory[] = "/tmp/data-objects.XXXXXX";

/* The name of an object here. */
static const char *name_of(const struct data_object *object)
{
	static char name[256];
	switch (object->class) {
	case DATA_NO_ADDRESS:
		return "no address";
	case DATA_KERNEL:
		return "kernel";
	case DATA_STACK:
		return "stack";
	case DATA_COLLECTOR:
		return "collector";
	case DATA_VARIABLE:
		snprintf(name, sizeof name, "%s%s", object->variable->name,
			object->member == NO_MEMBER ? "" : object->variable->members[object->member].path);
		return name;
	case DATA_NAMELESS:
		return "nameless";
	case DATA_BLOCK:
		return resolver_function(resolver, resolver_line(resolver, object->line)->function)->long_name;
	default:
		return "unknown";
	}
}

static const char *name_for_pattern(const void *context, const struct data_object *object)
{
	(void)context;
	return name_of(object);
}

static void load(void)
{
	struct error error;
	strcpy(directory + sizeof directory - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	write_experiment("data.er");
	data = data_create();
	ck_assert_msg(data_load(data, "data.er", &error), "%s", error.text);
	resolver = resolver_create(data);
	metric_rows_extend(&rows, data);
	setting = (struct expression_setting){.data = data, .resolver = resolver, .data_name = name_for_pattern};
}

static void unload(void)
{
	char command[64];
	metric_rows_free(&rows);
	resolver_destroy(resolver);
	data_destroy(data);
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static struct expression *prepared(const char *text)
{
	struct error error;
	struct expression *expression = expression_parse(text, 0, 0, &error);
	ck_assert_msg(expression != 0, "%s", error.text);
	expression_prepare(expression, &setting);
	return expression;
}

struct expected {
	const char *name;
	uint64_t misses, elsewhere;
};

/* An expression numbers exactly these. */
static void check_objects(const char *text, const struct expected *expected, unsigned count)
{
	struct expression *expression = prepared(text);
	const struct data_objects *objects = expression_data_objects(expression);
	struct index_sums *sums = index_sums_compute(data, &rows.table, 0, 0, expression);
	int misses = metric_find(&rows.table, "misses"), elsewhere = metric_find(&rows.table, "elsewhere");
	unsigned found = 0;
	for (uint32_t place = 0; place < sums->count; place++) {
		const struct data_object *object = data_objects_get(objects, (uint32_t)sums->values[place]);
		const char *name = name_of(object);
		for (unsigned e = 0; e < count; e++) {
			if (strcmp(expected[e].name, name) != 0)
				continue;
			found++;
			ck_assert_msg(sums->sums.exclusive[misses][place] == expected[e].misses, "%s: %llu", name,
				(unsigned long long)sums->sums.exclusive[misses][place]);
			ck_assert_uint_eq(sums->sums.exclusive[elsewhere][place], expected[e].elsewhere);
			if (!strcmp(name, "known_table"))
				ck_assert_uint_eq(object->variable->size, sizeof known_table);
		}
	}
	ck_assert_uint_eq(found, count);
	ck_assert_uint_eq(sums->count, count);
	index_sums_free(sums);
	expression_free(expression);
}
#define OTHERS                                                                                                         \
	{"no address", 5000, 7}, {"unknown", 1 + 8 + 16 + 64, 0}, {"kernel", 4000, 0}, {"stack", 3000, 0},             \
		{"collector", 480000, 0}, {"known_maker", 6, 0}, {"known_other", 32, 0}, {"known_table", 300, 0},      \
		{"known_local", 1000, 0},                                                                              \
	{                                                                                                              \
		"nameless", 2000, 0                                                                                    \
	}

START_TEST(what_was_accessed)
{
	static const struct expected objects[] = {OTHERS, {"known_cells", 150000, 0}};
	static const struct expected members[] = {
		OTHERS, {"known_cells[].head", 30000, 0}, {"known_cells[].at[].y", 120000, 0}};
	load();
	check_objects("DOBJ", objects, sizeof objects / sizeof *objects);
	check_objects("DMEMBER", members, sizeof members / sizeof *members);
	unload();
}
END_TEST

START_TEST(lines_of_the_cache)
{
	load();
	struct expression *expression = prepared("VADDR >> 6 << 6");
	struct index_sums *sums = index_sums_compute(data, &rows.table, 0, 0, expression);
	int misses = metric_find(&rows.table, "misses");
	uint64_t first = 0, second = 0;
	for (uint32_t place = 0; place < sums->count; place++) {
		first += (uint64_t)sums->values[place] == BLOCK ? sums->sums.exclusive[misses][place] : 0;
		second += (uint64_t)sums->values[place] == BLOCK + 64 ? sums->sums.exclusive[misses][place] : 0;
	}
	ck_assert_uint_eq(first, 1 + 2 + 4 + 16 + 32);
	ck_assert_uint_eq(second, 8);
	index_sums_free(sums);
	expression_free(expression);
	unload();
}
END_TEST

/* The sum of the counter's events for which an expression is 1. */
static uint64_t sum_where(const char *text)
{
	uint64_t sum = 0;
	struct expression *expression = prepared(text);
	struct index_sums *sums = index_sums_compute(data, &rows.table, 0, 0, expression);
	for (uint32_t place = 0; place < sums->count; place++)
		if (sums->values[place] == 1)
			sum += sums->sums.exclusive[metric_find(&rows.table, "misses")][place];
	index_sums_free(sums);
	expression_free(expression);
	return sum;
}

START_TEST(names_as_filters)
{
	load();
	ck_assert_uint_eq(sum_where("DNAME(\"known_table\")"), 300);
	ck_assert_uint_eq(sum_where("DNAME(\"known_.a.*\")"), 300 + 6);
	ck_assert_uint_eq(sum_where("DNAME(\"table\")"), 0);
	ck_assert_uint_eq(sum_where("DNAME(\"known_local|stack\") IN DOBJ"), 1000 + 3000);
	ck_assert_uint_eq(sum_where("DNAME(\"stack\") SOME IN DOBJ && TSTAMP > 500"), 0);
	ck_assert_uint_eq(sum_where("DNAME(\"stack\") IN 0"), 15427 + 150000 + 480000 - 3000);
	ck_assert_uint_eq(sum_where("DNAME(\"known_cells\")"), 150000);
	ck_assert_uint_eq(sum_where("DNAME(\"known_cells.*head\") IN DMEMBER"), 30000);
	ck_assert_uint_eq(sum_where("DNAME(\"known_cells..\\.at.*\") IN DOBJ"), 120000);
	unload();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("data_objects");
	TCase *all = tcase_create("all");
	tcase_add_test(all, what_was_accessed);
	tcase_add_test(all, lines_of_the_cache);
	tcase_add_test(all, names_as_filters);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
