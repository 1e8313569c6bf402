// SPDX-License-Identifier: Apache-2.0
// Waits of every kind for a holder that keeps what is waited for some milliseconds, each in a function of its own, wait_KIND(),
// TIMES times, and prints what each of them measured itself: KIND, address of the object, nanoseconds, calls,
// the longest. A third thread
// never waits. sync_waits TIMES MILLISECONDS
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int times, milliseconds;
static int order[2], answer[2]; /* pipes: no synchronization that is traced */
static struct kind {
	const char *name;
	void (*hold)(void); /* takes it; 0: nothing */
	void (*let)(void);  /* lets it go */
	void (*wait)(void);
} kinds[];

static struct measured {
	const void *object;
	uint64_t nanoseconds, calls, longest;
} * measured; /* of the present kind */

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct timespec after(clockid_t clock, int part_of_hold)
{
	struct timespec t;
	clock_gettime(clock, &t);
	uint64_t end = (uint64_t)t.tv_nsec + (uint64_t)milliseconds * 10000u * (uint64_t)part_of_hold;
	t.tv_sec += (time_t)(end / 1000000000u);
	t.tv_nsec = (long)(end % 1000000000u);
	return t;
}
#define LONG_ENOUGH 1000000 /* percent of the time that the holder holds */

static int check(int result, int expected)
{
	if (result != expected) {
		fprintf(stderr, "a wait ended with %d instead of %d\n", result, expected);
		exit(1);
	}
	return result;
}

#define MEASURE(object_, call)                                                                                         \
	({                                                                                                             \
		uint64_t start_ = now();                                                                               \
		int result_ = call;                                                                                    \
		start_ = now() - start_;                                                                               \
		measured->nanoseconds += start_;                                                                       \
		measured->longest = start_ > measured->longest ? start_ : measured->longest;                           \
		measured->object = object_;                                                                            \
		measured->calls++;                                                                                     \
		result_;                                                                                               \
	})
#define WAITS(name) __attribute__((noinline)) static void wait_##name(void)

static pthread_mutex_t mutex[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
	PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t refused = PTHREAD_MUTEX_INITIALIZER;
#define HOLDS(name, take, leave)                                                                                       \
	static void hold_##name(void)                                                                                  \
	{                                                                                                              \
		take;                                                                                                  \
	}                                                                                                              \
	static void let_##name(void)                                                                                   \
	{                                                                                                              \
		leave;                                                                                                 \
	}
HOLDS(mutex, pthread_mutex_lock(&mutex[0]), pthread_mutex_unlock(&mutex[0]))
WAITS(mutex)
{
	check(MEASURE(&mutex[0], pthread_mutex_lock(&mutex[0])), 0);
	pthread_mutex_unlock(&mutex[0]);
}
HOLDS(recursive, pthread_mutex_lock(&mutex[1]), pthread_mutex_unlock(&mutex[1]))
WAITS(recursive)
{
	check(MEASURE(&mutex[1], pthread_mutex_lock(&mutex[1])), 0);
	pthread_mutex_unlock(&mutex[1]);
}
HOLDS(errorcheck, pthread_mutex_lock(&mutex[2]), pthread_mutex_unlock(&mutex[2]))
WAITS(errorcheck)
{
	check(MEASURE(&mutex[2], pthread_mutex_lock(&mutex[2])), 0);
	pthread_mutex_unlock(&mutex[2]);
}
HOLDS(timedlock, pthread_mutex_lock(&mutex[3]), pthread_mutex_unlock(&mutex[3]))
WAITS(timedlock)
{
	struct timespec until = after(CLOCK_REALTIME, LONG_ENOUGH);
	check(MEASURE(&mutex[3], pthread_mutex_timedlock(&mutex[3], &until)), 0);
	pthread_mutex_unlock(&mutex[3]);
}
HOLDS(clocklock, pthread_mutex_lock(&mutex[4]), pthread_mutex_unlock(&mutex[4]))
WAITS(clocklock)
{
	struct timespec until = after(CLOCK_MONOTONIC, LONG_ENOUGH);
	check(MEASURE(&mutex[4], pthread_mutex_clocklock(&mutex[4], CLOCK_MONOTONIC, &until)), 0);
	pthread_mutex_unlock(&mutex[4]);
}
HOLDS(refused, pthread_mutex_lock(&refused), pthread_mutex_unlock(&refused))
WAITS(refused)
{
	struct timespec until = after(CLOCK_REALTIME, 50);
	if (MEASURE(&refused, pthread_mutex_timedlock(&refused, &until)) == 0)
		pthread_mutex_unlock(&refused); /* the holder was slow */
}

static pthread_rwlock_t rwlock[3] = {
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
HOLDS(read, pthread_rwlock_wrlock(&rwlock[0]), pthread_rwlock_unlock(&rwlock[0]))
WAITS(read)
{
	check(MEASURE(&rwlock[0], pthread_rwlock_rdlock(&rwlock[0])), 0);
	pthread_rwlock_unlock(&rwlock[0]);
}
HOLDS(write, pthread_rwlock_rdlock(&rwlock[1]), pthread_rwlock_unlock(&rwlock[1]))
WAITS(write)
{
	check(MEASURE(&rwlock[1], pthread_rwlock_wrlock(&rwlock[1])), 0);
	pthread_rwlock_unlock(&rwlock[1]);
}
HOLDS(rwtimed, pthread_rwlock_wrlock(&rwlock[2]), pthread_rwlock_unlock(&rwlock[2]))
WAITS(rwtimed)
{
	struct timespec until = after(CLOCK_REALTIME, LONG_ENOUGH);
	check(MEASURE(&rwlock[2], pthread_rwlock_timedwrlock(&rwlock[2], &until)), 0);
	pthread_rwlock_unlock(&rwlock[2]);
}

static pthread_spinlock_t spin;
HOLDS(spin, pthread_spin_lock(&spin), pthread_spin_unlock(&spin))
WAITS(spin)
{
	check(MEASURE((void *)&spin, pthread_spin_lock(&spin)), 0);
	pthread_spin_unlock(&spin);
}

static pthread_mutex_t of_condition = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition[4] = {
	PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static bool happened;
#define LETS_CONDITION(name, which)                                                                                    \
	static void let_##name(void)                                                                                   \
	{                                                                                                              \
		pthread_mutex_lock(&of_condition);                                                                     \
		happened = true;                                                                                       \
		pthread_cond_signal(&condition[which]);                                                                \
		pthread_mutex_unlock(&of_condition);                                                                   \
	}                                                                                                              \
	WAITS(name)                                                                                                    \
	{                                                                                                              \
		pthread_mutex_lock(&of_condition);                                                                     \
		while (!happened)
#define AFTER_CONDITION                                                                                                \
	happened = false;                                                                                              \
	pthread_mutex_unlock(&of_condition);                                                                           \
	}
LETS_CONDITION(condition, 0)
check(MEASURE(&condition[0], pthread_cond_wait(&condition[0], &of_condition)), 0);
AFTER_CONDITION
LETS_CONDITION(condtimed, 1)
{
	struct timespec until = after(CLOCK_REALTIME, LONG_ENOUGH);
	check(MEASURE(&condition[1], pthread_cond_timedwait(&condition[1], &of_condition, &until)), 0);
}
AFTER_CONDITION
LETS_CONDITION(condclock, 2)
{
	struct timespec until = after(CLOCK_MONOTONIC, LONG_ENOUGH);
	check(MEASURE(&condition[2], pthread_cond_clockwait(&condition[2], &of_condition, CLOCK_MONOTONIC, &until)), 0);
}
AFTER_CONDITION
LETS_CONDITION(condrefused, 3)
{
	struct timespec until = after(CLOCK_REALTIME, 50);
	int result = MEASURE(&condition[3], pthread_cond_timedwait(&condition[3], &of_condition, &until));
	check(result == 0 || result == ETIMEDOUT, true);
}
AFTER_CONDITION

static pthread_barrier_t barrier;
static void let_barrier(void)
{
	pthread_barrier_wait(&barrier);
}
WAITS(barrier)
{
	MEASURE(&barrier, pthread_barrier_wait(&barrier));
}

static sem_t semaphore[3];
static void let_semaphore(void)
{
	sem_post(&semaphore[0]);
}
WAITS(semaphore)
{
	check(MEASURE(&semaphore[0], sem_wait(&semaphore[0])), 0);
}
static void let_semtimed(void)
{
	sem_post(&semaphore[1]);
}
WAITS(semtimed)
{
	struct timespec until = after(CLOCK_REALTIME, LONG_ENOUGH);
	check(MEASURE(&semaphore[1], sem_timedwait(&semaphore[1], &until)), 0);
}
WAITS(semrefused)
{
	struct timespec until = after(CLOCK_MONOTONIC, 50);
	check(MEASURE(&semaphore[2], sem_clockwait(&semaphore[2], CLOCK_MONOTONIC, &until)), -1);
}

static void *brief(void *unused)
{
	usleep((useconds_t)milliseconds * 1000);
	return unused;
}
static pthread_t make(void)
{
	pthread_t thread;
	check(pthread_create(&thread, 0, brief, 0), 0);
	return thread;
}
WAITS(join)
{
	pthread_t thread = make();
	check(MEASURE(0, pthread_join(thread, 0)), 0);
}
WAITS(timedjoin)
{
	pthread_t thread = make();
	struct timespec until = after(CLOCK_REALTIME, LONG_ENOUGH);
	check(MEASURE(0, pthread_timedjoin_np(thread, 0, &until)), 0);
}
WAITS(clockjoin)
{
	pthread_t thread = make();
	struct timespec until = after(CLOCK_MONOTONIC, LONG_ENOUGH);
	check(MEASURE(0, pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &until)), 0);
}

static mtx_t c11_mutex[2];
static cnd_t c11_condition;
HOLDS(mtx, mtx_lock(&c11_mutex[0]), mtx_unlock(&c11_mutex[0]))
WAITS(mtx)
{
	check(MEASURE(&c11_mutex[0], mtx_lock(&c11_mutex[0])), thrd_success);
	mtx_unlock(&c11_mutex[0]);
}
HOLDS(mtxtimed, mtx_lock(&c11_mutex[1]), mtx_unlock(&c11_mutex[1]))
WAITS(mtxtimed)
{
	struct timespec until = after(CLOCK_REALTIME, LONG_ENOUGH);
	check(MEASURE(&c11_mutex[1], mtx_timedlock(&c11_mutex[1], &until)), thrd_success);
	mtx_unlock(&c11_mutex[1]);
}
static void let_cnd(void)
{
	mtx_lock(&c11_mutex[0]);
	happened = true;
	cnd_signal(&c11_condition);
	mtx_unlock(&c11_mutex[0]);
}
WAITS(cnd)
{
	mtx_lock(&c11_mutex[0]);
	while (!happened)
		check(MEASURE(&c11_condition, cnd_wait(&c11_condition, &c11_mutex[0])), thrd_success);
	happened = false;
	mtx_unlock(&c11_mutex[0]);
}
static int brief_c11(void *unused)
{
	(void)unused;
	usleep((useconds_t)milliseconds * 1000);
	return 5;
}
WAITS(thrd)
{
	thrd_t thread;
	int result = 0;
	check(thrd_create(&thread, brief_c11, 0), thrd_success);
	check(MEASURE(0, thrd_join(thread, &result)), thrd_success);
	check(result, 5);
}

#define KEPT(name)                                                                                                     \
	{                                                                                                              \
#name, hold_##name, let_##name, wait_##name                                                            \
	}
#define HAPPENS(name)                                                                                                  \
	{                                                                                                              \
#name, 0, let_##name, wait_##name                                                                      \
	}
#define BY_ITSELF(name)                                                                                                \
	{                                                                                                              \
#name, 0, 0, wait_##name                                                                               \
	}
static struct kind kinds[] = {KEPT(mutex), KEPT(recursive), KEPT(errorcheck), KEPT(timedlock), KEPT(clocklock),
	KEPT(refused), KEPT(read), KEPT(write), KEPT(rwtimed), KEPT(spin), HAPPENS(condition), HAPPENS(condtimed),
	HAPPENS(condclock), HAPPENS(condrefused), HAPPENS(barrier), HAPPENS(semaphore), HAPPENS(semtimed),
	BY_ITSELF(semrefused), BY_ITSELF(join), BY_ITSELF(timedjoin), BY_ITSELF(clockjoin), KEPT(mtx), KEPT(mtxtimed),
	HAPPENS(cnd), BY_ITSELF(thrd)};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void *holder(void *unused)
{
	unsigned char kind;
	while (read(order[0], &kind, 1) == 1 && kind < KINDS) {
		if (kinds[kind].hold)
			kinds[kind].hold();
		check((int)write(answer[1], &kind, 1), 1);
		usleep((useconds_t)milliseconds * 1000);
		if (kinds[kind].let)
			kinds[kind].let();
	}
	return unused;
}

static atomic_bool over;
__attribute__((noinline)) static void *never_waits(void *calls)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	while (!over) {
		pthread_mutex_lock(&own);
		pthread_mutex_unlock(&own);
		++*(uint64_t *)calls;
		usleep(500);
	}
	return calls;
}

int main(int argc, char **argv)
{
	static struct measured of[KINDS];
	static uint64_t calls;
	pthread_t thread, quiet;
	times = argc > 1 ? atoi(argv[1]) : 5;
	milliseconds = argc > 2 ? atoi(argv[2]) : 20;
	mtx_init(&c11_mutex[0], mtx_plain);
	mtx_init(&c11_mutex[1], mtx_timed);
	cnd_init(&c11_condition);
	pthread_spin_init(&spin, 0);
	pthread_barrier_init(&barrier, 0, 2);
	for (int i = 0; i < 3; i++)
		sem_init(&semaphore[i], 0, 0);
	check(pipe(order) | pipe(answer), 0);
	pthread_create(&thread, 0, holder, 0);
	pthread_create(&quiet, 0, never_waits, &calls);
	for (unsigned char kind = 0; kind < KINDS; kind++)
		for (int i = 0; i < times; i++) {
			unsigned char held;
			measured = &of[kind];
			check((int)write(order[1], &kind, 1), 1);
			check((int)read(answer[0], &held, 1), 1);
			kinds[kind].wait();
		}
	over = true;
	close(order[1]);
	pthread_join(thread, 0);
	pthread_join(quiet, 0);
	for (unsigned kind = 0; kind < KINDS; kind++)
		printf("%s %p %llu %llu %llu\n", kinds[kind].name, of[kind].object,
			(unsigned long long)of[kind].nanoseconds, (unsigned long long)of[kind].calls,
			(unsigned long long)of[kind].longest);
	printf("quiet %p 0 %llu 0\n", (void *)0, (unsigned long long)calls);
	return 0;
}
