// SPDX-License-Identifier: Apache-2.0
// The result of an I/O call as an event tells it: bytes moved, the error, and which end of a pipe writes.
#include "io.h"
#include <check.h>
#include <fcntl.h>
#include <unistd.h>

START_TEST(bytes)
{
	ck_assert_uint_eq(io_moved(0), 0);
	ck_assert_uint_eq(io_moved(-1), 0);
	ck_assert_uint_eq(io_moved(5000000000), 5000000000u);
}
END_TEST

START_TEST(codes)
{
	errno = EBADF;
	ck_assert_int_eq(io_code(false), 0);
	ck_assert_int_eq(io_code(true), EBADF);
	errno = 0;
	ck_assert_int_eq(io_code(true), IO_ERROR_UNNAMED);
}
END_TEST

START_TEST(ends_of_a_pipe)
{
	int ends[2];
	ck_assert_int_eq(pipe(ends), 0);
	errno = 7;
	ck_assert(!io_is_written(ends[0]));
	ck_assert(io_is_written(ends[1]));
	int both = open("/dev/null", O_RDWR);
	ck_assert(io_is_written(both));
	close(both);
	ck_assert(!io_is_written(both));
	ck_assert_int_eq(errno, 7);
}
END_TEST

START_TEST(streams)
{
	char memory[8];
	FILE *file = tmpfile(), *without = fmemopen(memory, sizeof memory, "r+");
	errno = 7;
	ck_assert_int_eq(io_stream(file), fileno(file));
	ck_assert_int_eq(io_stream(without), -1);
	ck_assert_int_eq(errno, 7);
	fclose(file);
	fclose(without);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("io_results");
	TCase *cases = tcase_create("io_results");
	tcase_add_test(cases, bytes);
	tcase_add_test(cases, codes);
	tcase_add_test(cases, ends_of_a_pipe);
	tcase_add_test(cases, streams);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
