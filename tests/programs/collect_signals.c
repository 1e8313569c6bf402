/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the signals that it gets. "collect_signals": says "ready PID" and, at SIGTERM, the count of each signal that
   came (and the sum of the values that were sent with it), then ends with status 5. "collect_signals group": its
   child sends SIGUSR1 to the whole process group and to its grandparent. "collect_signals die NUMBER": dies by that
   signal. "collect_signals alone PATH": goes on for two seconds, whatever becomes of its parent, and writes "done" to
   PATH. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t counts[128], sums[128];

static void count(int number, siginfo_t *info, void *context)
{
	(void)context;
	counts[number]++;
	if (info->si_code == SI_QUEUE)
		sums[number] += info->si_value.sival_int;
}

static void handle_all(void)
{
	struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO};
	sigfillset(&action.sa_mask);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (number != SIGCHLD && number != SIGSEGV && number != SIGBUS)
			sigaction(number, &action, 0);
}

/* Whatever the interruptions. */
static void pause_for(double seconds)
{
	struct timespec rest = {
		.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
	while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
		;
}

static int report(void)
{
	for (int number = 1; number <= SIGRTMAX; number++)
		if (counts[number] && number != SIGTERM)
			printf("%d:%d:%d ", number, (int)counts[number], (int)sums[number]);
	printf("\n");
	return 5;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "die") == 0) {
		raise(atoi(argv[2]));
		return 1;
	}
	if (argc == 3 && strcmp(argv[1], "alone") == 0) {
		printf("ready %d\n", getpid());
		fflush(stdout);
		pause_for(2);
		FILE *file = fopen(argv[2], "w");
		if (!file)
			return 1;
		fprintf(file, "done\n");
		return fclose(file);
	}
	handle_all();
	if (argc == 2 && strcmp(argv[1], "group") == 0) {
		pid_t parent = getppid();
		if (fork() == 0) {
			kill(0, SIGUSR1);
			pause_for(0.3);
			kill(parent, SIGUSR2);
			pause_for(0.3);
			_exit(0);
		}
		while (wait(0) < 0 && errno == EINTR)
			;
		return report();
	}
	printf("ready %d\n", getpid());
	fflush(stdout);
	while (!counts[SIGTERM])
		pause_for(0.02);
	/* Signals that were sent before it may come after it. */
	pause_for(0.3);
	return report();
}
