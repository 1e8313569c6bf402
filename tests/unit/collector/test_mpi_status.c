// SPDX-License-Identifier: Apache-2.0
// Statuses of MPI as each library lays them out in memory: the structures here are those of mpi.h of Open MPI 4.1 and MPICH 4.0.
#include "abi.h"
#include "identity.h"
#include <check.h>

struct open_mpi_status {
	int source, tag, error, cancelled;
	size_t count;
};
struct mpich_status {
	int count_low, count_high_and_cancelled, source, tag, error;
};

START_TEST(open_mpi)
{
	const struct mpi_abi abi = {.source = 0, .tag = 4, .status_size = sizeof(struct open_mpi_status)};
	const struct open_mpi_status status = {3, 77, 0, 0, 5000000000u}, none = {-1, -1, 0, 1, 0};
	struct mpi_status read = mpi_status_read(&abi, &status);
	ck_assert_int_eq(read.source, 3);
	ck_assert_int_eq(read.tag, 77);
	ck_assert_uint_eq(read.bytes, 5000000000u);
	ck_assert(!read.cancelled);
	read = mpi_status_read(&abi, &none);
	ck_assert_int_eq(read.source, -1);
	ck_assert(read.cancelled);
}
END_TEST

START_TEST(mpich)
{
	const struct mpi_abi *abi = mpi_abi_of_file("/usr/lib/libmpich.so.12");
	ck_assert_ptr_nonnull(abi);
	ck_assert_ptr_eq(abi, mpi_abi_of_file("/opt/intel/libmpi.so.12"));
	ck_assert_uint_eq(abi->status_size, sizeof(struct mpich_status));
	// 5000000000 is 1 * 2^32 + 705032704; the lowest bit of the second word says that it was cancelled.
	const struct mpich_status status = {705032704, 1 << 1, 3, 77, 0}, none = {0, 1, -2, -1, 0};
	struct mpi_status read = mpi_status_read(abi, &status);
	ck_assert_int_eq(read.source, 3);
	ck_assert_int_eq(read.tag, 77);
	ck_assert_uint_eq(read.bytes, 5000000000u);
	ck_assert(!read.cancelled);
	read = mpi_status_read(abi, &none);
	ck_assert_int_eq(read.source, -2);
	ck_assert_uint_eq(read.bytes, 0);
	ck_assert(read.cancelled);
}
END_TEST

START_TEST(handles)
{
	// MPICH's are 32 bits: what else an argument's register holds does not count. Others are pointers.
	const struct mpi_abi *small = mpi_abi_of_file("/libmpich.so");
	const struct mpi_abi large = {.handle_mask = UINT64_MAX};
	const uint32_t four[] = {1, 0x44000000, 3, 4};
	const uint64_t two[] = {0x7f0012345678, 9};
	ck_assert_uint_eq(mpi_handle(small, (long)0xffffffff44000000), 0x44000000);
	ck_assert_uint_eq(mpi_handle(&large, (long)0x7f0012345678), 0x7f0012345678);
	ck_assert_uint_eq(mpi_handle_at(small, four, 1), 0x44000000);
	ck_assert_uint_eq(mpi_handle_at(&large, two, 0), 0x7f0012345678);
	ck_assert_uint_eq(mpi_handle_at(&large, two, 1), 9);
	ck_assert_ptr_null(mpi_abi_of_file("/usr/lib/libmpi.so.40"));
	ck_assert_ptr_null(mpi_abi_of_file("libmpich.so"));
}
END_TEST

// The hash that processes agree by: FNV-1a's published values for "" and "a".
START_TEST(identities)
{
	ck_assert_uint_eq(identity_of_text(""), 0xcbf29ce484222325);
	ck_assert_uint_eq(identity_of_text("a"), 0xaf63dc4c8601ec8c);
	ck_assert_uint_ne(identity_mix(1, 2), identity_mix(2, 1));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mpi_status");
	TCase *cases = tcase_create("mpi_status");
	tcase_add_test(cases, open_mpi);
	tcase_add_test(cases, mpich);
	tcase_add_test(cases, handles);
	tcase_add_test(cases, identities);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
