/* SPDX-License-Identifier: Apache-2.0 */
/* Forbids itself the processor's counter, which the vdso's clocks read, too, and then works, allocates, waits for a child
   and starts a thread. Prints "CPU-MS": what it has used of CPU time. Status 77 where that cannot be forbidden. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long milliseconds(clockid_t clock)
{
	struct timespec now;
	syscall(SYS_clock_gettime, clock, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void work(long until)
{
	while (milliseconds(CLOCK_THREAD_CPUTIME_ID) < until)
		for (volatile int i = 0; i < 100000; i++)
			;
}

static void *in_thread(void *unused)
{
	void *volatile block = malloc(222);
	work(100);
	free(block);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int status = 1;
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0)
		return 77;
	void *volatile block = malloc(111);
	work(200);
	free(block);
	pid_t child = fork();
	if (!child) {
		work(100);
		_exit(3);
	}
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
		return 1;
	if (pthread_create(&thread, 0, in_thread, 0) || pthread_join(thread, 0))
		return 1;
	prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
	block = malloc(333);
	free(block);
	printf("%ld\n", milliseconds(CLOCK_PROCESS_CPUTIME_ID) + 100); /* the child's */
	return 0;
}
