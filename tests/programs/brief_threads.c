// SPDX-License-Identifier: Apache-2.0
// COUNT threads, ALIVE of them at a time, each of which does one thing: "nothing", "allocate" (a block and its release), "write"
// (a byte to /dev/null), "lock" (a lock that is free), "spin" (a spin lock that all want), or "events" (opens three perf events of
// its own, a gate and a counter of page faults with a ring of one page, arms and closes them, as a profiler must).
// Prints the microseconds of elapsed time that a thread takes. brief_threads COUNT ALIVE WHAT
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t all_are_there;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static int nowhere;
static const char *what;
static unsigned long sum;

static int open_event(unsigned long config, int group)
{
	struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = config,
		.sample_period = 1u << 30,
		.disabled = 1,
		.exclude_kernel = 1};
	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

static void events(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int gate = open_event(PERF_COUNT_SW_DUMMY, -1), counter = open_event(PERF_COUNT_SW_PAGE_FAULTS, gate);
	void *ring = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, counter, 0);
	if (counter < 0 || ring == MAP_FAILED)
		exit(77);
	fcntl(counter, F_SETFL, O_ASYNC);
	fcntl(counter, F_SETSIG, SIGRTMIN + 9);
	struct f_owner_ex owner = {F_OWNER_TID, (int)syscall(SYS_gettid)};
	fcntl(counter, F_SETOWN_EX, &owner);
	ioctl(counter, PERF_EVENT_IOC_REFRESH, 1);
	ioctl(gate, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(gate, PERF_EVENT_IOC_DISABLE, 0);
	munmap(ring, 2 * page);
	close(counter);
	close(gate);
}

static void *brief(void *alive)
{
	if (!strcmp(what, "allocate"))
		free(malloc(100));
	else if (!strcmp(what, "write"))
		sum += (unsigned long)write(nowhere, "", 1);
	else if (!strcmp(what, "lock"))
		pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
	else if (!strcmp(what, "spin"))
		pthread_spin_lock(&spin), sum++, pthread_spin_unlock(&spin);
	else if (!strcmp(what, "events"))
		events();
	if (alive)
		pthread_barrier_wait(&all_are_there);
	return 0;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000, alive = argc > 2 ? atoi(argv[2]) : 1;
	what = argc > 3 ? argv[3] : "nothing";
	pthread_t threads[alive];
	pthread_attr_t attributes;
	struct timespec begin, end;
	nowhere = open("/dev/null", O_WRONLY);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&all_are_there, 0, (unsigned)alive);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 * 1024);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int done = 0; done < count; done += alive) {
		for (int i = 0; i < alive; i++)
			if (pthread_create(&threads[i], &attributes, brief, alive > 1 ? &all_are_there : 0))
				return 2;
		for (int i = 0; i < alive; i++)
			pthread_join(threads[i], 0);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.2f\n",
		((double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3) / count);
	return 0;
}
