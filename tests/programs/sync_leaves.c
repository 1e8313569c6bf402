// SPDX-License-Identifier: Apache-2.0
// Waits and locks at the awkward moments: threads that are cancelled while they wait, waits that are left by longjmp, signal
// handlers that lock, destructors of threads that lock to the very end, forks, thousands of threads. Prints how many calls each
// function made: FUNCTION calls, those left. sync_leaves TIMES THREADS
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define SEEN __attribute__((noinline, noclone))

static int times = 20, threads = 5000;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static cnd_t cnd;
static mtx_t mtx;
static sem_t never, ready;
static atomic_uint cleaned;

static void check(bool holds, const char *what)
{
	if (!holds)
		exit((fprintf(stderr, "%s\n", what), 1));
}

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}
static void unlock(void *unused)
{
	pthread_mutex_unlock(&mutex);
	clean(unused);
}
static void unlock_mtx(void *unused)
{
	mtx_unlock(&mtx);
	clean(unused);
}

struct argument {
	int pipe; /* where the thread says that it is about to wait */
	pthread_t main_thread;
};

/* The write is no cancellation point here: the wait is. */
static void say(const void *argument)
{
	int state;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	check(write(((const struct argument *)argument)->pipe, "", 1) == 1, "nobody listens");
	pthread_setcancelstate(state, 0);
}

/* Each waits for what never comes, and is cancelled. */
SEEN static void *cancelled_condition(void *argument)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, 0);
	say(argument);
	pthread_cond_wait(&condition, &mutex);
	pthread_cleanup_pop(0);
	return 0;
}
SEEN static void *cancelled_cnd(void *argument)
{
	mtx_lock(&mtx);
	pthread_cleanup_push(unlock_mtx, 0);
	say(argument);
	cnd_wait(&cnd, &mtx);
	pthread_cleanup_pop(0);
	return 0;
}
SEEN static void *cancelled_semaphore(void *argument)
{
	pthread_cleanup_push(clean, 0);
	say(argument);
	sem_wait(&never);
	pthread_cleanup_pop(0);
	return 0;
}
SEEN static void *cancelled_timed(void *argument)
{
	struct timespec until = {time(0) + 1000, 0};
	pthread_cleanup_push(clean, 0);
	say(argument);
	sem_timedwait(&never, &until);
	pthread_cleanup_pop(0);
	return 0;
}
SEEN static void *cancelled_join(void *argument)
{
	pthread_cleanup_push(clean, 0);
	say(argument);
	pthread_join(((const struct argument *)argument)->main_thread, 0);
	pthread_cleanup_pop(0);
	return 0;
}

static void cancel_all(void)
{
	static void *(*const routines[])(void *) = {
		cancelled_condition, cancelled_cnd, cancelled_semaphore, cancelled_timed, cancelled_join};
	static struct argument argument;
	int pipes[2];
	char byte;
	check(pipe(pipes) == 0, "no pipe");
	argument.pipe = pipes[1];
	argument.main_thread = pthread_self();
	unsigned before = cleaned;
	for (int i = 0; i < times; i++)
		for (unsigned r = 0; r < sizeof routines / sizeof *routines; r++) {
			pthread_t thread;
			void *result = 0;
			check(pthread_create(&thread, 0, routines[r], &argument) == 0, "no thread");
			check(read(pipes[0], &byte, 1) == 1, "no answer");
			usleep(i % 2 ? 1000 : 0); /* also before it waits */
			pthread_cancel(thread);
			pthread_join(thread, &result);
			check(result == PTHREAD_CANCELED, "a thread was not cancelled");
		}
	check(cleaned - before == (unsigned)times * 5, "a cleanup handler did not run");
	printf("cancelled_condition %d %d\ncancelled_cnd %d %d\n", 2 * times, times, 2 * times, times);
	printf("cancelled_semaphore %d %d\ncancelled_timed %d %d\n", times, times, times, times);
	printf("cancelled_join %d %d\ncancel_all %d 0\n", times, times, 5 * times);
}

static sigjmp_buf where;
static atomic_bool about_to_wait;
static void jump(int number)
{
	(void)number;
	siglongjmp(where, 1);
}
SEEN static void jumped(int i)
{
	struct timespec until = {time(0) + 1000, 0};
	about_to_wait = true;
	if (i % 2)
		sem_wait(&never);
	else
		sem_timedwait(&never, &until);
	check(false, "a semaphore that nobody posts was had");
}
static bool sleeps(pid_t thread)
{
	char path[64], line[256] = "";
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
	FILE *stat = fopen(path, "r");
	check(stat && fgets(line, sizeof line, stat), "no state of the main thread");
	fclose(stat);
	const char *name_end = strrchr(line, ')');
	return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}
/* A timer could send its signal before the wait has begun: this one looks. */
static void *interrupts(void *main_thread)
{
	for (int i = 0; i < times; i++) {
		while (!about_to_wait || !sleeps(getpid()))
			usleep(100);
		about_to_wait = false;
		pthread_kill(*(pthread_t *)main_thread, SIGALRM);
	}
	return 0;
}
static void jump_all(void)
{
	struct sigaction action = {.sa_handler = jump};
	pthread_t thread, self = pthread_self();
	sigaction(SIGALRM, &action, 0);
	check(pthread_create(&thread, 0, interrupts, &self) == 0, "no thread");
	for (volatile int i = 0; i < times; i++)
		if (sigsetjmp(where, 1) == 0)
			jumped(i);
	pthread_join(thread, 0);
	/* Cancelled afterwards, the thread must not run into what was left. */
	printf("jumped %d %d\n", times, times);
}

static pthread_mutex_t of_handler = PTHREAD_MUTEX_INITIALIZER, of_main = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned handled;
SEEN static void handler(int number)
{
	(void)number;
	int saved = errno;
	pthread_mutex_lock(&of_handler);
	pthread_mutex_unlock(&of_handler);
	handled++;
	errno = saved;
}
SEEN static void interrupted(void)
{
	struct itimerval often = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	unsigned calls = 0;
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &often, 0);
	while (handled < (unsigned)times * 5) {
		pthread_mutex_lock(&of_main);
		pthread_mutex_unlock(&of_main);
		calls++;
	}
	setitimer(ITIMER_REAL, &off, 0);
	printf("interrupted %u 0\nhandler %u 0\n", calls, handled);
}

static pthread_key_t key;
static atomic_uint destroyed;
SEEN static void destroy(void *rounds)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	destroyed++;
	if ((unsigned long)rounds > 1)
		pthread_setspecific(key, (void *)((unsigned long)rounds - 1));
}
static void *brief(void *rounds)
{
	pthread_setspecific(key, rounds);
	return 0;
}
SEEN static void many(void)
{
	enum { TOGETHER = 50 };
	pthread_t thread[TOGETHER];
	for (int done = 0; done < threads; done += TOGETHER) {
		for (int i = 0; i < TOGETHER; i++)
			check(pthread_create(&thread[i], 0, brief, (void *)(i % 7 == 0 ? 4ul : 1ul)) == 0, "no thread");
		for (int i = 0; i < TOGETHER; i++)
			check(pthread_join(thread[i], 0) == 0, "not joined");
	}
	printf("many %d 0\ndestroy %u 0\n", threads, destroyed);
}

SEEN static int child(void)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&of_main);
		pthread_mutex_unlock(&of_main);
	}
	return 0;
}
static void *locks(void *stop)
{
	while (!*(volatile bool *)stop) {
		pthread_mutex_lock(&of_handler);
		pthread_mutex_unlock(&of_handler);
	}
	return stop;
}
static void fork_all(void)
{
	static bool stop;
	pthread_t thread;
	int status;
	pthread_create(&thread, 0, locks, &stop);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();
		if (pid == 0)
			_exit(child());
		check(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "a child failed");
	}
	stop = true;
	pthread_join(thread, 0);
	printf("child 50 0\n");
}

static void *for_ever(void *unused)
{
	sem_post(&ready);
	sem_wait(&never);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	times = argc > 1 ? atoi(argv[1]) : times;
	threads = argc > 2 ? atoi(argv[2]) : threads;
	sem_init(&never, 0, 0);
	sem_init(&ready, 0, 0);
	cnd_init(&cnd);
	mtx_init(&mtx, mtx_plain);
	pthread_key_create(&key, destroy);
	cancel_all();
	jump_all();
	interrupted();
	many();
	fork_all();
	pthread_create(&thread, 0, for_ever, 0);
	while (sem_wait(&ready) != 0)
		;
	usleep(100000);
	fflush(stdout);
	return 0;
}
