// SPDX-License-Identifier: Apache-2.0
// Signal masks with our signal in them and not, and which calls of syscall() are waits that a signal would end.
#include "signal_mask.h"
#include "waiting_calls.h"
#include <check.h>
#include <signal.h>

START_TEST(our_bit)
{
	sigset_t set, with, without;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	ck_assert(!mask_has_ours(&set));
	with = mask_with_ours(&set, true);
	ck_assert(mask_has_ours(&with));
	ck_assert_int_eq(sigismember(&with, OUR_SIGNAL), 1);
	ck_assert_int_eq(sigismember(&with, SIGUSR1), 1);
	ck_assert_int_eq(sigismember(&with, SIGUSR2), 0);
	without = mask_with_ours(&with, false);
	ck_assert_int_eq(sigismember(&without, OUR_SIGNAL), 0);
	ck_assert_int_eq(sigismember(&without, SIGUSR1), 1);
	ck_assert_uint_eq(mask_of(&without), 1ull << (SIGUSR1 - 1));
}
END_TEST

START_TEST(kernels_mask)
{
	sigset_t all, now;
	sigfillset(&all);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, 0, &now), 0);
	uint64_t before = kernel_mask(SIG_BLOCK, 1ull << (SIGUSR2 - 1));
	ck_assert_uint_eq(before, mask_of(&now));
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, 0, &now), 0);
	ck_assert_int_eq(sigismember(&now, SIGUSR2), 1);
	kernel_mask(SIG_SETMASK, before);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, 0, &now), 0);
	ck_assert_uint_eq(mask_of(&now), before);
}
END_TEST

// signal(7): a futex wait without a timeout goes on after a signal, one with a timeout does not; polls never do.
START_TEST(waits)
{
	long timeout = 1;
	ck_assert(waiting_call_is_held(SYS_futex, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, timeout));
	ck_assert(waiting_call_is_held(SYS_futex, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, timeout));
	ck_assert(!waiting_call_is_held(SYS_futex, FUTEX_WAIT, 0));
	ck_assert(!waiting_call_is_held(SYS_futex, FUTEX_WAKE, timeout));
	ck_assert(waiting_call_is_held(SYS_ppoll, 0, 0));
	ck_assert(waiting_call_is_held(SYS_nanosleep, 0, 0));
	ck_assert(!waiting_call_is_held(SYS_getpid, 0, 0));
	ck_assert(!waiting_call_is_held(SYS_read, 0, 0));
	ck_assert(waiting_call_is(SYS_futex) && !waiting_call_is(SYS_read));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("signal_mask");
	TCase *cases = tcase_create("signal_mask");
	tcase_add_test(cases, our_bit);
	tcase_add_test(cases, kernels_mask);
	tcase_add_test(cases, waits);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
