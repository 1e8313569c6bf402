/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates in the corners of a process's life and counts by itself: heap_life WHAT; prints "blocks ALLOCATIONS BYTES LEAKS
   BYTES" of all threads (of a fork: the child's are on a line of their own, "child ...", without what the parent left).

     threads   blocks go from thread to thread, and are freed by another one than allocated them
     fork      a process with busy allocating threads forks again and again
     storm     thousands of threads, each created and joined
     cancel    threads are cancelled while they allocate, and clean up
     ends      destructors of thread-specific data allocate and free until the very end of a thread
     dlopen    threads load and unload libraries, of which some allocate as they come and go, while others allocate
     handler   a handler allocates while the program allocates mappings and computes */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 64 };

static struct counted {
	unsigned long allocations, bytes, leaks, leaked;
} blocks;

static void *get(size_t size)
{
	size_t *memory = malloc(size);
	if (!memory)
		_exit(3);
	*memory = size;
	__atomic_fetch_add(&blocks.allocations, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&blocks.bytes, size, __ATOMIC_RELAXED);
	__atomic_fetch_add(&blocks.leaks, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&blocks.leaked, size, __ATOMIC_RELAXED);
	return memory;
}
static void put(void *memory)
{
	if (!memory)
		return;
	__atomic_fetch_sub(&blocks.leaks, 1, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&blocks.leaked, *(size_t *)memory, __ATOMIC_RELAXED);
	free(memory);
}
static void print(const char *name)
{
	char line[200];
	int size = snprintf(line, sizeof line, "%s %lu %lu %lu %lu\n", name, blocks.allocations, blocks.bytes,
		blocks.leaks, blocks.leaked);
	if (write(1, line, (size_t)size) != size)
		_exit(4);
}

static void *slots[SLOTS]; /* atomic */
static int stop;           /* atomic */

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16;
}

/* The block in a slot is another thread's more often than not. */
static void *exchange(void *argument)
{
	unsigned state = (unsigned)(size_t)argument;
	for (int i = 0; i < 20000; i++) {
		void *mine = next_random(&state) % 3 ? get(16 + next_random(&state) % 500) : 0;
		put(__atomic_exchange_n(&slots[next_random(&state) % SLOTS], mine, __ATOMIC_ACQ_REL));
	}
	return 0;
}

static void start(pthread_t *threads, unsigned count, void *(*routine)(void *))
{
	for (unsigned i = 0; i < count; i++)
		if (pthread_create(&threads[i], 0, routine, (void *)(size_t)(i + 1)))
			_exit(5);
}
static void join(pthread_t *threads, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], 0);
}

static void run_threads(void)
{
	pthread_t threads[THREADS];
	start(threads, THREADS, exchange);
	join(threads, THREADS);
}

static void *churn(void *argument)
{
	unsigned state = (unsigned)(size_t)argument;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		put(get(16 + next_random(&state) % 5000));
	return 0;
}

static void run_fork(void)
{
	pthread_t threads[THREADS];
	start(threads, THREADS, churn);
	for (int i = 0; i < 5; i++) {
		void *inherited = get(1000);
		pid_t child = fork();
		if (child == 0) {
			blocks = (struct counted){0, 0, 0, 0};
			free(inherited);
			get(77);
			put(get(78));
			print("child");
			_exit(0);
		}
		waitpid(child, 0, 0);
		put(inherited);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	join(threads, THREADS);
}

static void *brief(void *argument)
{
	put(get(100));
	return get((size_t)argument + 100);
}

static void run_storm(void)
{
	for (int i = 0; i < 1250; i++) {
		pthread_t threads[THREADS];
		void *left;
		start(threads, THREADS, brief);
		for (int t = 0; t < THREADS; t++) {
			pthread_join(threads[t], &left);
			if (t)
				put(left);
		}
	}
}

static void *cancelled(void *argument)
{
	(void)argument;
	void *memory = get(300);
	pthread_cleanup_push(put, memory);
	for (;;) {
		put(get(50));
		pthread_testcancel();
	}
	pthread_cleanup_pop(1);
	return 0;
}

static void run_cancel(void)
{
	for (int i = 0; i < 200; i++) {
		pthread_t threads[THREADS];
		start(threads, THREADS, cancelled);
		for (int t = 0; t < THREADS; t++)
			pthread_cancel(threads[t]);
		join(threads, THREADS);
	}
}

static pthread_key_t key;

/* In every round of destructors that there is. */
static void at_end(void *memory)
{
	put(memory);
	void *more = get(200);
	pthread_setspecific(key, more);
}

static void *with_specific(void *argument)
{
	(void)argument;
	pthread_setspecific(key, get(400));
	return 0;
}

static void run_ends(void)
{
	pthread_key_create(&key, at_end);
	for (int i = 0; i < 100; i++) {
		pthread_t threads[THREADS];
		start(threads, THREADS, with_specific);
		join(threads, THREADS);
	}
}

static void *volatile from_handler[100000];
static volatile unsigned handled;

static void handler(int number)
{
	(void)number;
	if (handled < sizeof from_handler / sizeof *from_handler)
		from_handler[handled++] = get(33);
}

/* malloc itself is never interrupted: the program makes mappings, whose recording is. */
static void run_handler(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 50}, {0, 50}};
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &often, 0);
	while (handled < 3000) {
		void *memory = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED || munmap(memory, 4096))
			_exit(6);
	}
	often = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &often, 0);
	for (unsigned i = 0; i + 10 < handled; i++)
		put(from_handler[i]);
}

static void *load(void *argument)
{
	static const char *const names[] = {"libz.so.1", "libstdc++.so.6", "libm.so.6", "libexpat.so.1"};
	for (unsigned i = 0; i < 40; i++) {
		void *library = dlopen(names[(i + (size_t)argument) % (sizeof names / sizeof *names)], RTLD_NOW);
		put(get(47));
		if (library)
			dlclose(library);
	}
	return 0;
}

static void *churn_one_size(void *argument)
{
	(void)argument;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		put(get(47));
	return get(47);
}

static void run_dlopen(void)
{
	pthread_t loading[THREADS], busy[THREADS];
	start(busy, THREADS, churn_one_size);
	start(loading, THREADS, load);
	join(loading, THREADS);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	join(busy, THREADS);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {{"threads", run_threads}, {"fork", run_fork}, {"storm", run_storm}, {"cancel", run_cancel},
		{"ends", run_ends}, {"dlopen", run_dlopen}, {"handler", run_handler}};
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (count > 1 && strcmp(arguments[1], all[i].name) == 0) {
			all[i].run();
			print("blocks");
			return 0;
		}
	return 2;
}
