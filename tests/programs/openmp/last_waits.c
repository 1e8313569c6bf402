// SPDX-License-Identifier: Apache-2.0
// Functions of regions and tasks whose last statement waits, which optimizing compilers make a jump: the function that waits is
// not on the stack then. Each waits for 10 milliseconds, three times.
#include <omp.h>
#include <time.h>

static void sleep_for(int milliseconds)
{
	struct timespec t = {0, milliseconds * 1000000L};
	nanosleep(&t, 0);
}

#define ALONE static __attribute__((noinline)) void

ALONE barrier_last(void)
{
#pragma omp parallel num_threads(2)
	{
		sleep_for(omp_get_thread_num() ? 2 : 12);
#pragma omp barrier
	}
}

/* The task is run by the member that creates it. */
ALONE lock_last(omp_lock_t *lock)
{
#pragma omp parallel num_threads(2)
	{
		int first = omp_get_thread_num() == 0;
		if (first)
			omp_set_lock(lock);
#pragma omp barrier
		if (first) {
			sleep_for(10);
			omp_unset_lock(lock);
		} else {
#pragma omp task
			omp_set_lock(lock);
#pragma omp taskwait
			omp_unset_lock(lock);
		}
	}
}

int main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	for (int i = 0; i < 3; i++) {
		barrier_last();
		lock_last(&lock);
	}
	return 0;
}
