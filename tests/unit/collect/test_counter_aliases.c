// SPDX-License-Identifier: Apache-2.0
// The aliases of each CPU family against libpfm4's tables: every event that a family names is one of its own, and those that
// matter are there. The tables are chosen by LIBPFM_FORCE_PMU; each test first sees that they are the ones asked for. The
// architecture's libpfm4 has its own CPUs' tables alone.
#include "counter_aliases.h"
#include "counter_event.h"
#include "event_library.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *pmu, *missing; /* aliases that the CPU has no event for */
	uint64_t insts;            /* the architecture's code of "instructions retired" */
} cpus[] = {
#if defined(__aarch64__)
	{"arm_ac57", "c_stalls l2m_stall l3m_stall fp_scalar fp_vector", 0x8},
	{"arm_n1", "l2m_stall l3m_stall", 0x8},
#else
	{"skl", "", 0xc0},
	{"icl", "", 0xc0},
	{"icx", "", 0xc0},
	{"spr", "", 0xc0},
	{"amd64_fam17h_zen2", "c_stalls l2m_stall l3m_stall fp_scalar fp_vector", 0xc0},
	{"amd64_fam19h_zen3", "c_stalls l2m_stall l3m_stall fp_scalar fp_vector", 0xc0},
	{"amd64_fam19h_zen4", "c_stalls l2m_stall l3m_stall", 0xc0},
#endif
};
#define CPU_COUNT (int)(sizeof cpus / sizeof *cpus)

static bool is_missing(const char *list, const char *name)
{
	const char *at = strstr(list, name);
	return at && (at[strlen(name)] == ' ' || !at[strlen(name)]) && (at == list || at[-1] == ' ');
}

static bool find(const char *name, struct overflow_counter *counter, struct error *error)
{
	struct counter_request request = {.attribute_count = 0};
	uint64_t interval;
	strcpy(request.name, name);
	memset(counter, 0, sizeof *counter);
	return counter_event_find(&request, counter, &interval, error);
}

START_TEST(every_alias_is_an_event_or_said_to_be_none)
{
	setenv("LIBPFM_FORCE_PMU", cpus[_i].pmu, 1);
	ck_assert_ptr_nonnull(event_library_core_pmu());
	ck_assert_str_eq(event_library_core_pmu(), cpus[_i].pmu);
	for (unsigned i = 0; counter_alias(i); i++) {
		const char *name = counter_alias(i)->name;
		struct overflow_counter counter;
		struct error error;
		bool found = find(name, &counter, &error);
		ck_assert_msg(
			found != is_missing(cpus[_i].missing, name), "%s: %s: %s", cpus[_i].pmu, name, error.text);
		if (found)
			ck_assert_msg(
				strncmp(counter.event, cpus[_i].pmu, strlen(cpus[_i].pmu)) == 0, "%s", counter.event);
		else
			ck_assert_msg(strstr(error.text, "is not available on this CPU"), "%s", error.text);
	}
}
END_TEST

/* Names of perf, PAPI and libpfm4 lead to the alias, or to the event itself. */
START_TEST(other_names)
{
	static const struct {
		const char *name, *canonical;
	} names[] = {
		{"instructions", "insts"},
		{"PAPI_TOT_INS", "insts"},
		{"papi_tot_cyc", "cycles"},
		{"perf::cpu-cycles", "cycles"},
		{"branch-misses", "br_msp"},
		{"cache-misses", "llm"},
		{"insts:u", "insts"},
		{"cs", "context-switches"},
		{"PERF_COUNT_SW_PAGE_FAULTS_MIN", "minor-faults"},
		{"r1c2", "0x1c2"},
		{"0x10", "0x10"},
	};
	struct overflow_counter counter;
	struct error error;
	setenv("LIBPFM_FORCE_PMU", cpus[_i].pmu, 1);
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		ck_assert_msg(find(names[i].name, &counter, &error), "%s: %s", names[i].name, error.text);
		ck_assert_str_eq(counter.name, names[i].canonical);
	}
	ck_assert(find("insts", &counter, &error));
	ck_assert_uint_eq(counter.config & 0xff, cpus[_i].insts);
	ck_assert_uint_eq(counter.modes, MODE_USER);
	ck_assert(find("insts:k", &counter, &error));
	ck_assert_uint_eq(counter.modes, MODE_KERNEL);
	ck_assert(!find("nosuchcounter", &counter, &error));
	ck_assert(!find("cyclse", &counter, &error));
	ck_assert_msg(strstr(error.text, "cycles"), "%s", error.text);
}
END_TEST

#if !defined(__aarch64__)
START_TEST(raw_names_in_both_forms)
{
	struct overflow_counter dots, colons;
	struct error error;
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	ck_assert_msg(find("cycle_activity.stalls_l2_miss", &dots, &error), "%s", error.text);
	ck_assert(find("CYCLE_ACTIVITY:STALLS_L2_MISS", &colons, &error));
	ck_assert_str_eq(dots.name, "cycle_activity.stalls_l2_miss");
	ck_assert_str_eq(colons.name, dots.name);
	ck_assert_uint_eq(colons.config, dots.config);
	ck_assert_uint_eq(dots.config & 0xffff, 0x05a3); /* Intel's manual: event A3H, mask 05H */
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("counter aliases");
	TCase *tests = tcase_create("all");
	tcase_add_loop_test(tests, every_alias_is_an_event_or_said_to_be_none, 0, CPU_COUNT);
	tcase_add_loop_test(tests, other_names, 0, CPU_COUNT);
#if !defined(__aarch64__)
	tcase_add_test(tests, raw_names_in_both_forms);
#endif
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
