// SPDX-License-Identifier: Apache-2.0
// Calls every function of synchronization tracing a known number of times, also so that it fails, each in a function of its
// own, call_NAME(), and prints what it counted itself: NAME, calls, those that failed.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static struct counted {
	const char *name;
	unsigned calls, failed;
} counted[64], *present = counted;

#define CALLS(name)                                                                                                    \
	__attribute__((noinline, noclone)) static void call_##name(void);                                              \
	__attribute__((constructor)) static void count_##name(void)                                                    \
	{                                                                                                              \
		register_call(#name, call_##name);                                                                     \
	}                                                                                                              \
	static void call_##name(void)
static void (*functions[64])(void);
static unsigned function_count;
static void register_call(const char *name, void (*function)(void))
{
	counted[function_count].name = name;
	functions[function_count++] = function;
}

/* Makes the call, whose result must be as expected. */
#define EXPECT(expected, call)                                                                                         \
	do {                                                                                                           \
		int result_ = call;                                                                                    \
		present->calls++;                                                                                      \
		present->failed += (expected) != 0;                                                                    \
		if (result_ != (expected))                                                                             \
			exit((fprintf(stderr, "%s: %d instead of %d\n", present->name, result_, expected), 1));        \
	} while (0)

static struct timespec past = {1, 0}, bad = {1, 2000000000};
#define FUTURE                                                                                                         \
	{                                                                                                              \
		time(0) + 1000, 0                                                                                      \
	}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
		       recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

CALLS(pthread_mutex_lock)
{
	EXPECT(0, pthread_mutex_lock(&mutex));
	EXPECT(0, pthread_mutex_lock(&strict));
	EXPECT(EDEADLK, pthread_mutex_lock(&strict));
	EXPECT(0, pthread_mutex_lock(&recursive));
	EXPECT(0, pthread_mutex_lock(&recursive));
	pthread_mutex_unlock(&mutex), pthread_mutex_unlock(&strict);
	pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive);
}
static void *dies_with_it(void *robust)
{
	pthread_mutex_trylock(robust);
	return robust;
}
CALLS(robust)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t robust;
	pthread_t thread;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&robust, &attributes);
	pthread_create(&thread, 0, dies_with_it, &robust);
	EXPECT(0, pthread_join(thread, 0));
	EXPECT(EOWNERDEAD, pthread_mutex_lock(&robust));
	pthread_mutex_unlock(&robust); /* still inconsistent: nobody can have it any more */
	EXPECT(ENOTRECOVERABLE, pthread_mutex_lock(&robust));
}
CALLS(pthread_mutex_timedlock)
{
	struct timespec future = FUTURE;
	EXPECT(0, pthread_mutex_timedlock(&mutex, &future));
	EXPECT(ETIMEDOUT, pthread_mutex_timedlock(&mutex, &past));
	EXPECT(EINVAL, pthread_mutex_timedlock(&mutex, &bad));
	pthread_mutex_unlock(&mutex);
}
CALLS(pthread_mutex_clocklock)
{
	struct timespec future = FUTURE;
	EXPECT(EINVAL, pthread_mutex_clocklock(&mutex, CLOCK_THREAD_CPUTIME_ID, &future));
	EXPECT(0, pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &future));
	EXPECT(ETIMEDOUT, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &(struct timespec){0, 1}));
	pthread_mutex_unlock(&mutex);
}
static mtx_t c11;
CALLS(mtx_lock)
{
	mtx_init(&c11, mtx_timed);
	EXPECT(thrd_success, mtx_lock(&c11));
	mtx_unlock(&c11);
}
CALLS(mtx_timedlock)
{
	struct timespec future = FUTURE;
	mtx_init(&c11, mtx_timed);
	EXPECT(thrd_success, mtx_timedlock(&c11, &future));
	EXPECT(thrd_timedout, mtx_timedlock(&c11, &past));
	EXPECT(thrd_error, mtx_timedlock(&c11, &bad));
	mtx_unlock(&c11);
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
CALLS(pthread_rwlock_rdlock)
{
	EXPECT(0, pthread_rwlock_rdlock(&rwlock));
	EXPECT(0, pthread_rwlock_rdlock(&rwlock));
	pthread_rwlock_unlock(&rwlock), pthread_rwlock_unlock(&rwlock);
	pthread_rwlock_trywrlock(&rwlock);
	EXPECT(EDEADLK, pthread_rwlock_rdlock(&rwlock));
	pthread_rwlock_unlock(&rwlock);
}
CALLS(pthread_rwlock_timedrdlock)
{
	EXPECT(0, pthread_rwlock_timedrdlock(&rwlock, &past));
	EXPECT(EINVAL, pthread_rwlock_timedrdlock(&rwlock, &bad));
	pthread_rwlock_unlock(&rwlock);
}
CALLS(pthread_rwlock_clockrdlock)
{
	EXPECT(0, pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &past));
	EXPECT(EINVAL, pthread_rwlock_clockrdlock(&rwlock, CLOCK_THREAD_CPUTIME_ID, &past));
	pthread_rwlock_unlock(&rwlock);
}
CALLS(pthread_rwlock_wrlock)
{
	EXPECT(0, pthread_rwlock_wrlock(&rwlock));
	EXPECT(EDEADLK, pthread_rwlock_wrlock(&rwlock));
	pthread_rwlock_unlock(&rwlock);
}
CALLS(pthread_rwlock_timedwrlock)
{
	pthread_rwlock_tryrdlock(&rwlock);
	EXPECT(ETIMEDOUT, pthread_rwlock_timedwrlock(&rwlock, &past));
	pthread_rwlock_unlock(&rwlock);
	EXPECT(0, pthread_rwlock_timedwrlock(&rwlock, &past));
	EXPECT(EINVAL, pthread_rwlock_timedwrlock(&rwlock, &bad));
	pthread_rwlock_unlock(&rwlock);
}
CALLS(pthread_rwlock_clockwrlock)
{
	EXPECT(0, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past));
	EXPECT(EDEADLK, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past));
	pthread_rwlock_unlock(&rwlock);
}

CALLS(pthread_spin_lock)
{
	static pthread_spinlock_t spin;
	pthread_spin_init(&spin, 0);
	for (int i = 0; i < 3; i++) {
		EXPECT(0, pthread_spin_lock(&spin));
		pthread_spin_unlock(&spin);
	}
}

static sem_t semaphore;
static void nothing(int number)
{
	(void)number;
}
CALLS(sem_wait)
{
	struct sigaction action = {.sa_handler = nothing};
	struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
	sem_init(&semaphore, 0, 2);
	errno = 7;
	EXPECT(0, sem_wait(&semaphore));
	EXPECT(0, sem_wait(&semaphore));
	if (errno != 7)
		exit((fprintf(stderr, "sem_wait changed errno to %d\n", errno), 1));
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &often, 0);
	EXPECT(-1, sem_wait(&semaphore));
	setitimer(ITIMER_REAL, &never, 0);
}
CALLS(sem_timedwait)
{
	sem_init(&semaphore, 0, 1);
	EXPECT(0, sem_timedwait(&semaphore, &past));
	EXPECT(-1, sem_timedwait(&semaphore, &past));
	EXPECT(-1, sem_timedwait(&semaphore, &bad));
}
CALLS(sem_clockwait)
{
	sem_init(&semaphore, 0, 1);
	EXPECT(0, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
	EXPECT(-1, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &(struct timespec){0, 1}));
	sem_post(&semaphore);
	EXPECT(-1, sem_clockwait(&semaphore, CLOCK_THREAD_CPUTIME_ID, &past));
}

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile bool stop;
static void *signals(void *unused)
{
	while (!stop) {
		pthread_cond_broadcast(&condition);
		usleep(500);
	}
	return unused;
}
CALLS(pthread_cond_wait)
{
	pthread_t thread;
	stop = false;
	pthread_create(&thread, 0, signals, 0);
	pthread_mutex_trylock(&mutex);
	EXPECT(0, pthread_cond_wait(&condition, &mutex));
	EXPECT(0, pthread_cond_wait(&condition, &mutex));
	stop = true;
	pthread_mutex_unlock(&mutex);
	pthread_detach(thread);
	EXPECT(EPERM, pthread_cond_wait(&condition, &strict));
}
CALLS(pthread_cond_timedwait)
{
	pthread_mutex_trylock(&mutex);
	EXPECT(ETIMEDOUT, pthread_cond_timedwait(&condition, &mutex, &past));
	EXPECT(EINVAL, pthread_cond_timedwait(&condition, &mutex, &bad));
	pthread_mutex_unlock(&mutex);
}
CALLS(pthread_cond_clockwait)
{
	pthread_mutex_trylock(&mutex);
	EXPECT(ETIMEDOUT, pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &(struct timespec){0, 1}));
	EXPECT(EINVAL, pthread_cond_clockwait(&condition, &mutex, CLOCK_THREAD_CPUTIME_ID, &past));
	pthread_mutex_unlock(&mutex);
}
static cnd_t cnd;
static void *signals_cnd(void *unused)
{
	while (!stop) {
		cnd_broadcast(&cnd);
		usleep(500);
	}
	return unused;
}
CALLS(cnd_wait)
{
	pthread_t thread;
	stop = false;
	mtx_init(&c11, mtx_plain);
	cnd_init(&cnd);
	pthread_create(&thread, 0, signals_cnd, 0);
	mtx_trylock(&c11);
	EXPECT(thrd_success, cnd_wait(&cnd, &c11));
	stop = true;
	mtx_unlock(&c11);
	pthread_detach(thread);
}
CALLS(cnd_timedwait)
{
	mtx_init(&c11, mtx_plain);
	cnd_init(&cnd);
	mtx_trylock(&c11);
	EXPECT(thrd_timedout, cnd_timedwait(&cnd, &c11, &past));
	mtx_unlock(&c11);
}

static void *waits(void *unused)
{
	while (!stop)
		usleep(500);
	return unused;
}
static pthread_t make(void)
{
	pthread_t thread;
	stop = false;
	pthread_create(&thread, 0, waits, 0);
	return thread;
}
CALLS(pthread_join)
{
	pthread_t thread = make();
	EXPECT(EDEADLK, pthread_join(pthread_self(), 0));
	stop = true;
	EXPECT(0, pthread_join(thread, 0));
}
CALLS(pthread_tryjoin_np)
{
	pthread_t thread = make();
	EXPECT(EBUSY, pthread_tryjoin_np(thread, 0));
	stop = true;
	usleep(100000);
	EXPECT(0, pthread_tryjoin_np(thread, 0));
}
CALLS(pthread_timedjoin_np)
{
	pthread_t thread = make();
	struct timespec future = FUTURE;
	EXPECT(ETIMEDOUT, pthread_timedjoin_np(thread, 0, &past));
	stop = true;
	EXPECT(0, pthread_timedjoin_np(thread, 0, &future));
}
CALLS(pthread_clockjoin_np)
{
	pthread_t thread = make();
	struct timespec future = FUTURE;
	EXPECT(EINVAL, pthread_clockjoin_np(thread, 0, CLOCK_THREAD_CPUTIME_ID, &past));
	stop = true;
	EXPECT(0, pthread_clockjoin_np(thread, 0, CLOCK_REALTIME, &future));
}
static int returns(void *unused)
{
	(void)unused;
	return 3;
}
CALLS(thrd_join)
{
	thrd_t thread;
	int result;
	thrd_create(&thread, returns, 0);
	EXPECT(thrd_success, thrd_join(thread, &result));
}
CALLS(pthread_barrier_wait)
{
	pthread_barrier_t barrier;
	pthread_barrier_init(&barrier, 0, 1);
	for (int i = 0; i < 2; i++) {
		int result = pthread_barrier_wait(&barrier);
		present->calls++;
		if (result != PTHREAD_BARRIER_SERIAL_THREAD)
			exit(1);
	}
}

/* Functions that only programs linked long ago ask for: other names, and condition variables of another layout. */
#if defined(__x86_64__) && defined(__GLIBC__)
#define OLD(name) __asm__(".symver old_" #name ", " #name "@GLIBC_2.2.5")
int old___pthread_mutex_lock(pthread_mutex_t *);
int old___pthread_rwlock_rdlock(pthread_rwlock_t *);
int old___pthread_rwlock_wrlock(pthread_rwlock_t *);
int old_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int old_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int old_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int old_pthread_cond_broadcast(pthread_cond_t *);
OLD(__pthread_mutex_lock);
OLD(__pthread_rwlock_rdlock);
OLD(__pthread_rwlock_wrlock);
OLD(pthread_cond_init);
OLD(pthread_cond_timedwait);
OLD(pthread_cond_wait);
OLD(pthread_cond_broadcast);
CALLS(__pthread_mutex_lock)
{
	EXPECT(0, old___pthread_mutex_lock(&mutex));
	pthread_mutex_unlock(&mutex);
}
CALLS(__pthread_rwlock_rdlock)
{
	EXPECT(0, old___pthread_rwlock_rdlock(&rwlock));
	pthread_rwlock_unlock(&rwlock);
}
CALLS(__pthread_rwlock_wrlock)
{
	EXPECT(0, old___pthread_rwlock_wrlock(&rwlock));
	pthread_rwlock_unlock(&rwlock);
}
/* The old condition variable is a pointer: what lies behind it must stay as it is. */
static struct {
	pthread_cond_t condition;
} old;
static void *signals_old(void *unused)
{
	while (!stop) {
		old_pthread_cond_broadcast(&old.condition);
		usleep(500);
	}
	return unused;
}
CALLS(old_condition)
{
	pthread_t thread;
	memset(&old, 0x55, sizeof old);
	old_pthread_cond_init(&old.condition, 0);
	pthread_mutex_trylock(&mutex);
	EXPECT(ETIMEDOUT, old_pthread_cond_timedwait(&old.condition, &mutex, &past));
	stop = false;
	pthread_create(&thread, 0, signals_old, 0);
	EXPECT(0, old_pthread_cond_wait(&old.condition, &mutex));
	stop = true;
	pthread_mutex_unlock(&mutex);
	pthread_detach(thread);
	for (size_t i = sizeof(void *); i < sizeof old; i++)
		if (((unsigned char *)&old)[i] != 0x55)
			exit((fprintf(stderr, "an old condition variable was used as a new one\n"), 1));
}
#endif

int main(void)
{
	for (unsigned i = 0; i < function_count; i++) {
		present = &counted[i];
		functions[i]();
	}
	for (unsigned i = 0; i < function_count; i++)
		printf("%s %u %u\n", counted[i].name, counted[i].calls, counted[i].failed);
	return 0;
}
