/* SPDX-License-Identifier: Apache-2.0 */
/* One process wakes a second, and that a third, by one kind of lock after another, in memory that they share and that each has at
   another address. The program prints who ended how long a wait, by the clock of the process that waited: function, metric,
   seconds. */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 60000, WAITS = 2, PROCESSES = WAITS + 1 }; /* microseconds */

/* The locks lie in the second page and behind, so that their place in the file is not that in the mapping. */
enum { PAGE = 4096 };
static struct shared {
	pthread_barrier_t start; /* of all processes */
	struct locks {
		pthread_mutex_t mutex, heir, guard;
		pthread_rwlock_t read, write;
		pthread_cond_t condition;
		sem_t semaphore;
		pthread_barrier_t barrier;
		int signalled, word;
	} locks[WAITS];
} * shared;
static sem_t *named[WAITS];

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void need(int success)
{
	if (!success)
		abort();
}

/* At a function's end: its last call is no jump, which would take it off the stack. */
#define STAY     __asm__ volatile("")
#define FUNCTION __attribute__((noinline)) static void
/* Each row: the call of the waking process before, the one that waits, and the one that ends the wait; with `lock` and `name`. */
#define KINDS(_)                                                                                                       \
	_(mutex, pthread_mutex_lock(&lock->mutex), pthread_mutex_lock(&lock->mutex),                                   \
		pthread_mutex_unlock(&lock->mutex))                                                                    \
	_(heir, pthread_mutex_lock(&lock->heir), pthread_mutex_lock(&lock->heir), pthread_mutex_unlock(&lock->heir))   \
	_(read, pthread_rwlock_wrlock(&lock->read), pthread_rwlock_rdlock(&lock->read),                                \
		pthread_rwlock_unlock(&lock->read))                                                                    \
	_(write, pthread_rwlock_rdlock(&lock->write), pthread_rwlock_wrlock(&lock->write),                             \
		pthread_rwlock_unlock(&lock->write))                                                                   \
	_(condition, 0, await(lock), announce(lock))                                                                   \
	_(semaphore, 0, sem_wait(&lock->semaphore), sem_post(&lock->semaphore))                                        \
	_(named, 0, sem_wait(name), sem_post(name))                                                                    \
	_(barrier, 0, pthread_barrier_wait(&lock->barrier), pthread_barrier_wait(&lock->barrier))                      \
	_(futex, 0, syscall(SYS_futex, &lock->word, FUTEX_WAIT, 0, 0, 0, 0),                                           \
		syscall(SYS_futex, &lock->word, FUTEX_WAKE, 1, 0, 0, 0))

static int await(struct locks *lock)
{
	pthread_mutex_lock(&lock->guard);
	while (!lock->signalled)
		pthread_cond_wait(&lock->condition, &lock->guard);
	return pthread_mutex_unlock(&lock->guard);
}

static int announce(struct locks *lock)
{
	pthread_mutex_lock(&lock->guard);
	lock->signalled = 1;
	pthread_mutex_unlock(&lock->guard);
	return pthread_cond_signal(&lock->condition);
}

#define KIND(kind, own, wait, wake)                                                                                    \
	FUNCTION own_##kind(struct locks *lock, sem_t *name)                                                           \
	{                                                                                                              \
		(void)lock, (void)name, (void)(own);                                                                   \
	}                                                                                                              \
	FUNCTION wait_##kind(struct locks *lock, sem_t *name)                                                          \
	{                                                                                                              \
		(void)lock, (void)name, (void)(wait);                                                                  \
		STAY;                                                                                                  \
	}                                                                                                              \
	FUNCTION first_wakes_##kind(struct locks *lock, sem_t *name)                                                   \
	{                                                                                                              \
		(void)lock, (void)name, (void)(wake);                                                                  \
		STAY;                                                                                                  \
	}                                                                                                              \
	FUNCTION second_wakes_##kind(struct locks *lock, sem_t *name)                                                  \
	{                                                                                                              \
		(void)lock, (void)name, (void)(wake);                                                                  \
		STAY;                                                                                                  \
	}
KINDS(KIND)

typedef void step(struct locks *lock, sem_t *name);
static const struct kind {
	const char *name;
	step *own, *wait, *wake[WAITS];
} kinds[] = {
#define ROW(kind, own, wait, wake) {#kind, own_##kind, wait_##kind, {first_wakes_##kind, second_wakes_##kind}},
	KINDS(ROW)};

static void run(const struct kind *kind, int number)
{
	if (number < WAITS)
		kind->own(&shared->locks[number], named[number]);
	pthread_barrier_wait(&shared->start);
	if (number > 0) {
		double begin = seconds();
		kind->wait(&shared->locks[number - 1], named[number - 1]);
		printf("%s_wakes_%s wakeup %.6f\n", number == 1 ? "first" : "second", kind->name, seconds() - begin);
	}
	if (number < WAITS) {
		usleep(STEP);
		kind->wake[number](&shared->locks[number], named[number]);
	}
}

static void make(struct locks *lock)
{
	pthread_mutexattr_t mutex, heir;
	pthread_rwlockattr_t rwlock;
	pthread_condattr_t condition;
	pthread_barrierattr_t barrier;
	pthread_mutexattr_init(&mutex), pthread_mutexattr_init(&heir);
	pthread_rwlockattr_init(&rwlock);
	pthread_condattr_init(&condition);
	pthread_barrierattr_init(&barrier);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setpshared(&heir, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setprotocol(&heir, PTHREAD_PRIO_INHERIT);
	pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
	pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
	pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&lock->mutex, &mutex), pthread_mutex_init(&lock->guard, &mutex);
	pthread_mutex_init(&lock->heir, &heir);
	pthread_rwlock_init(&lock->read, &rwlock), pthread_rwlock_init(&lock->write, &rwlock);
	pthread_cond_init(&lock->condition, &condition);
	pthread_barrier_init(&lock->barrier, &barrier, 2);
	pthread_barrier_init(&shared->start, &barrier, PROCESSES);
	sem_init(&lock->semaphore, 1, 0);
}

static void map(int memory)
{
	shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, PAGE);
	need(shared != MAP_FAILED);
}

int main(void)
{
	int memory = memfd_create("locks", 0);
	need(ftruncate(memory, PAGE + sizeof *shared) == 0);
	map(memory);
	for (int n = 0; n < WAITS; n++) {
		char name[64];
		snprintf(name, sizeof name, "/er-tools.%d.%d", (int)getpid(), n);
		make(&shared->locks[n]);
		need((named[n] = sem_open(name, O_CREAT | O_EXCL, 0600, 0)) != SEM_FAILED && sem_unlink(name) == 0);
	}
	for (int number = 0; number < PROCESSES; number++)
		if (fork() == 0) {
			for (int n = 0; n < number; n++)
				map(memory);
			for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
				run(&kinds[k], number);
			return 0;
		}
	for (int n = 0; n < PROCESSES; n++) {
		int status;
		need(wait(&status) > 0 && status == 0);
	}
	return 0;
}
