/* SPDX-License-Identifier: Apache-2.0 */
/* Prints everything that a program inherits and can see of it: under collect it must be what it is without. Descriptors
   that close on exec were opened by this process (or preloaded into it), not inherited. */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static void print_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	for (int fd = 0; directory && fd < 4096; fd++) {
		char path[64], link[4096];
		int flags = fcntl(fd, F_GETFD);
		if (flags < 0 || (flags & FD_CLOEXEC))
			continue;
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		ssize_t size = readlink(path, link, sizeof link - 1);
		printf("descriptor %d %.*s\n", fd, size > 0 ? (int)size : 0, link);
	}
	if (directory)
		closedir(directory);
}

static void print_signals(void)
{
	sigset_t mask, pending;
	sigprocmask(SIG_BLOCK, 0, &mask);
	sigpending(&pending);
	for (int number = 1; number <= SIGRTMAX; number++) {
		struct sigaction action;
		if (sigaction(number, 0, &action) != 0)
			continue;
		printf("signal %d blocked %d pending %d handler %s\n", number, sigismember(&mask, number),
			sigismember(&pending, number),
			action.sa_handler == SIG_DFL   ? "default"
			: action.sa_handler == SIG_IGN ? "ignored"
						       : "other");
	}
}

static void print_limits(void)
{
	for (int resource = 0; resource < RLIMIT_NLIMITS; resource++) {
		struct rlimit limit;
		if (getrlimit(resource, &limit) == 0)
			printf("limit %d %lld %lld\n", resource, (long long)limit.rlim_cur, (long long)limit.rlim_max);
	}
}

int main(int argc, char **argv)
{
	char cwd[4096];
	mode_t mask = umask(0);
	for (int i = 0; i < argc; i++)
		printf("argument %d %s\n", i, argv[i]);
	printf("cwd %s\n", getcwd(cwd, sizeof cwd));
	printf("umask %o\n", (unsigned)mask);
	printf("nice %d\n", getpriority(PRIO_PROCESS, 0));
	printf("scheduler %d\n", sched_getscheduler(0));
	printf("group %d session %d\n", getpgrp(), getsid(0));
	printf("dumpable %d\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
	printf("no new privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	printf("subreaper %d\n", ({
		int on = 0;
		prctl(PR_GET_CHILD_SUBREAPER, &on, 0, 0, 0);
		on;
	}));
	print_descriptors();
	print_signals();
	print_limits();
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, "LD_PRELOAD=", 11) != 0 && strncmp(*variable, "ER_TOOLS_", 9) != 0 &&
			strncmp(*variable, "_=", 2) != 0)
			printf("environment %s\n", *variable);
	return 0;
}
