/* SPDX-License-Identifier: Apache-2.0 */
/* Errands: each is run once, whoever does it, and is done when who waited for it goes on. */
#include "cores.h"
#include "data.h"
#include "errands.h"
#include "synthetic.h"
#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ERRANDS = 3000, AT_ONCE = 40 };

struct counted {
	struct errand errand; /* must be first */
	atomic_uint runs;
	uint64_t sum;
};

static void count(struct errand *errand)
{
	struct counted *counted = (struct counted *)errand;
	for (unsigned i = 1; i <= 100; i++)
		counted->sum += i;
	counted->runs++;
}

/* AT_ONCE are on their way at a time, and are waited for in another order than they were sent. */
static void run_all(unsigned threads, unsigned enough)
{
	struct errands *errands = errands_begin(threads, enough);
	static struct counted all[ERRANDS];
	memset(all, 0, sizeof all);
	for (unsigned first = 0; first < ERRANDS; first += AT_ONCE) {
		for (unsigned i = 0; i < AT_ONCE; i++) {
			all[first + i].errand.run = count;
			errands_send(errands, &all[first + i].errand);
		}
		for (unsigned i = 0; i < AT_ONCE; i++) {
			unsigned odd = first + (i * 7 + 3) % AT_ONCE;
			errands_wait(errands, &all[odd].errand);
			ck_assert_uint_eq(all[odd].runs, 1);
			ck_assert_uint_eq(all[odd].sum, 5050);
		}
	}
	errands_end(errands);
}

START_TEST(each_is_run_once)
{
	run_all(0, 1);
	run_all(1, 1);
	run_all(3, 1);
	run_all(3, 4);
	run_all(2, AT_ONCE + 1); /* nobody is woken: who waits does them */
}
END_TEST

/* All that goes on is ended from afar, errands that nobody waited for too. */
START_TEST(all_are_given_up)
{
	static struct counted one, other;
	one.errand.run = other.errand.run = count;
	struct errands *errands = errands_begin(2, 1);
	errands_send(errands, &one.errand);
	errands_send(errands_begin(2, 1), &other.errand);
	errands_give_up();
	ck_assert_uint_le(one.runs, 1);
	ck_assert_uint_le(other.runs, 1);
	errands_give_up();
}
END_TEST

enum { EVENTS = 200000 };
static char scratch[] = "/tmp/errands-test.XXXXXX";

static void write_rank(const char *name, unsigned own)
{
	struct synthetic *s = synthetic_begin(name);
	for (unsigned i = 0; i < EVENTS / 2; i++) {
		uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(IO, bytes)] = i};
		synthetic_event(s, KIND_IO, 1 + i % 3, 2ull * i + own, 0, fields);
	}
	synthetic_end(s);
}

struct digest {
	const struct loaded_experiment *experiments;
	uint64_t of[2], last[2];
	unsigned count;
};

static void add(void *context, const struct data_batch *batch)
{
	struct digest *digest = context;
	uint64_t *own = &digest->of[batch->experiment - digest->experiments];
	uint64_t *last = &digest->last[batch->experiment - digest->experiments];
	for (uint32_t i = 0; i < batch->count; i++) {
		ck_assert_uint_ge(batch->time[i], *last);
		*last = batch->time[i];
		*own = *own * 0x9E3779B97F4A7C15ull + batch->time[i] + batch->field[FIELD_INDEX(IO, bytes)][i];
		digest->count++;
	}
}

static struct digest in_turn(struct data *data, const char *cores)
{
	struct digest digest = {.experiments = data->experiments};
	ck_assert(cores_set_text(cores));
	data_visit_in_turn(data, KIND_IO, add, &digest);
	return digest;
}

START_TEST(turns_are_the_same)
{
	struct error error;
	static const char remove[] = "rm -rf ";
	char command[sizeof remove + sizeof scratch];
	ck_assert_ptr_nonnull(mkdtemp(scratch));
	ck_assert_int_eq(chdir(scratch), 0);
	write_rank("a.er", 0);
	write_rank("b.er", 1);
	struct data *data = data_create();
	ck_assert_msg(data_load(data, "a.er", &error), "%s", error.text);
	ck_assert_msg(data_load(data, "b.er", &error), "%s", error.text);
	struct digest alone = in_turn(data, "1"), together = in_turn(data, "4");
	ck_assert_uint_eq(alone.count, EVENTS);
	ck_assert_uint_eq(together.count, EVENTS);
	for (unsigned e = 0; e < 2; e++)
		ck_assert_uint_eq(alone.of[e], together.of[e]);
	ck_assert_uint_ne(alone.of[0], alone.of[1]);
	data_destroy(data);
	ck_assert_int_eq(chdir("/"), 0);
	strcat(strcpy(command, remove), scratch);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("errands");
	TCase *tests = tcase_create("errands");
	tcase_add_test(tests, each_is_run_once);
	tcase_add_test(tests, all_are_given_up);
	tcase_add_test(tests, turns_are_the_same);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
