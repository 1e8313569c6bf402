// SPDX-License-Identifier: Apache-2.0
// Locks in shared memory: one number wherever a process has them, another where something else is mapped.
#include "collector.h"
#include "layout.h"
#include "lock_words.h"
#include "shared_memory.h"
#include "thread.h"
#include <check.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 4, RANGES = 64 };

static void setup(void)
{
	static struct thread thread;
	static int recording = 1;
	thread.switches.source = STATES_BY_CALLS;
	collector.recording = &recording;
	current_thread = &thread;
}

static uint64_t number_of(const void *address)
{
	return shared_memory_object((uintptr_t)address);
}

static int memory_of(void)
{
	int memory = memfd_create("locks", 0);
	ck_assert_int_eq(ftruncate(memory, PAGES * PAGE), 0);
	return memory;
}

static char *map_at(void *where, int memory, off_t from, size_t size)
{
	char *there = mmap(where, size, PROT_READ | PROT_WRITE, MAP_SHARED | (where ? MAP_FIXED : 0), memory, from);
	ck_assert(there != MAP_FAILED);
	shared_memory_changed(there, size);
	return there;
}

START_TEST(one_number_at_every_address)
{
	int memory = memory_of();
	char *all = map_at(0, memory, 0, PAGES * PAGE), *end = map_at(0, memory, 2 * PAGE, 2 * PAGE);
	uint64_t number = number_of(all + 3 * PAGE + 40);
	ck_assert(number & OBJECT_SHARED);
	ck_assert_uint_eq(number_of(end + PAGE + 40), number);
	ck_assert_uint_ne(number_of(end + PAGE + 48), number);
	ck_assert_uint_ne(number_of(end + 40), number);
	char *other = map_at(0, memory_of(), 0, PAGES * PAGE);
	ck_assert_uint_ne(number_of(other + 3 * PAGE + 40), number);
}
END_TEST

START_TEST(own_memory_has_its_address)
{
	char *own = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_uint_eq(number_of(own + 8), (uintptr_t)own + 8);
	ck_assert_uint_eq(number_of((void *)8), 8);
	current_thread->switches.source = STATES_NOT_KNOWN;
	char *shared = map_at(0, memory_of(), 0, PAGE);
	ck_assert_uint_eq(number_of(shared), (uintptr_t)shared);
}
END_TEST

START_TEST(the_child_of_a_fork_has_the_same)
{
	char *memory = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t *answer = (uint64_t *)memory;
	if (fork() == 0) {
		shared_memory_forked();
		*answer = number_of(memory + 64);
		_exit(0);
	}
	wait(0);
	ck_assert(*answer & OBJECT_SHARED);
	ck_assert_uint_eq(*answer, number_of(memory + 64));
}
END_TEST

START_TEST(what_is_mapped_there_next_has_another)
{
	int first = memory_of(), second = memory_of();
	char *there = map_at(0, first, 0, PAGES * PAGE), *kept = map_at(0, second, 0, PAGES * PAGE);
	uint64_t before = number_of(there), in_second = number_of(kept);
	ck_assert_uint_ne(before, in_second);
	map_at(there, second, 0, PAGES * PAGE);
	ck_assert_uint_eq(number_of(there), in_second);
	ck_assert_uint_eq(number_of(kept), in_second);
}
END_TEST

START_TEST(some_ranges_are_kept)
{
	char *ranges[RANGES + 1], *between[RANGES + 1];
	int memory = memory_of();
	for (int i = 0; i <= RANGES; i++) {
		ranges[i] = map_at(0, memory, 0, PAGE);
		uint64_t number = number_of(ranges[i]);
		ck_assert_uint_eq(number, i < RANGES ? number_of(ranges[0]) : (uintptr_t)ranges[i]);
		between[i] = map_at(0, memory, 0, 2 * PAGE); /* so that the kernel does not merge two */
	}
	munmap(between[5], 2 * PAGE);
	shared_memory_changed(between[5], 2 * PAGE);
	ck_assert_uint_eq(number_of(ranges[RANGES]), (uintptr_t)ranges[RANGES]);
	munmap(ranges[3], PAGE);
	shared_memory_changed(ranges[3], PAGE);
	ck_assert_uint_eq(number_of(ranges[RANGES]), number_of(ranges[0]));
}
END_TEST

START_TEST(locks_say_whether_they_are_shared)
{
	pthread_mutexattr_t mutex_kind;
	pthread_condattr_t condition_kind;
	pthread_rwlockattr_t rwlock_kind;
	pthread_barrierattr_t barrier_kind;
	pthread_mutexattr_init(&mutex_kind);
	pthread_condattr_init(&condition_kind);
	pthread_rwlockattr_init(&rwlock_kind);
	pthread_barrierattr_init(&barrier_kind);
	for (int shared = 0; shared < 2; shared++) {
		pthread_mutex_t mutex;
		pthread_cond_t condition;
		pthread_rwlock_t rwlock;
		pthread_barrier_t barrier;
		sem_t semaphore;
		pthread_mutexattr_setpshared(&mutex_kind, shared);
		pthread_mutexattr_setrobust(&mutex_kind, shared);
		pthread_condattr_setpshared(&condition_kind, shared);
		pthread_condattr_setclock(&condition_kind, CLOCK_MONOTONIC);
		pthread_rwlockattr_setpshared(&rwlock_kind, shared);
		pthread_barrierattr_setpshared(&barrier_kind, shared);
		pthread_mutex_init(&mutex, &mutex_kind);
		pthread_cond_init(&condition, &condition_kind);
		pthread_rwlock_init(&rwlock, &rwlock_kind);
		pthread_barrier_init(&barrier, &barrier_kind, 3);
		sem_init(&semaphore, shared, 5);
		ck_assert(!is_taken_mutex(&mutex) && !is_taken_read_lock(&rwlock) && !is_taken_semaphore(&semaphore));
		pthread_mutex_lock(&mutex);
		pthread_rwlock_rdlock(&rwlock);
		ck_assert(is_taken_mutex(&mutex) && is_taken_write_lock(&rwlock));
		ck_assert_int_eq(is_shared_mutex(&mutex), shared);
		ck_assert_int_eq(is_shared_condition(&condition), shared);
		ck_assert_int_eq(is_shared_read_lock(&rwlock), shared);
		ck_assert_int_eq(is_shared_write_lock(&rwlock), shared);
		ck_assert_int_eq(is_shared_barrier(&barrier), shared);
		ck_assert_int_eq(is_shared_semaphore(&semaphore), shared);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_memory");
	TCase *cases = tcase_create("locks");
	tcase_add_checked_fixture(cases, setup, 0);
	tcase_add_test(cases, one_number_at_every_address);
	tcase_add_test(cases, own_memory_has_its_address);
	tcase_add_test(cases, the_child_of_a_fork_has_the_same);
	tcase_add_test(cases, what_is_mapped_there_next_has_another);
	tcase_add_test(cases, some_ranges_are_kept);
	tcase_add_test(cases, locks_say_whether_they_are_shared);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
