/* SPDX-License-Identifier: Apache-2.0 */
/* life_family CALL...: makes one descendant by each CALL in turn, waits for it, and prints how it ended. A descendant that
   is exec'd is this program with the argument "leaf N", which prints what it sees of the environment and ends with N. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;
static char command[4096];
static char *const own_environment[] = {(char *)"OWN=1", 0};
static char stack[65536] __attribute__((aligned(16)));

static int leaf(const char *status)
{
	printf("leaf %s OWN=%s LD_PRELOAD=%s PATH=%s\n", status, getenv("OWN") ? getenv("OWN") : "",
		getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "", getenv("PATH") ? "there" : "none");
	for (char **entry = environ; *entry; entry++)
		if (!strncmp(*entry, "ER_TOOLS", 8))
			puts("ER_TOOLS seen");
	fflush(stdout);
	return atoi(status);
}

static int ended(pid_t pid)
{
	int status = -1;
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static int in_clone(void *unused)
{
	(void)unused;
	return 23;
}

/* A child that execs in the way `how`. */
static void exec_leaf(const char *how)
{
	char *const arguments[] = {(char *)self, (char *)"leaf", (char *)"21", 0};
	if (!strcmp(how, "execve"))
		execve(self, arguments, own_environment);
	else if (!strcmp(how, "execv"))
		execv(self, arguments);
	else if (!strcmp(how, "execvp"))
		execvp(self, arguments);
	else if (!strcmp(how, "execvpe"))
		execvpe(self, arguments, own_environment);
	else if (!strcmp(how, "execl"))
		execl(self, self, "leaf", "21", (char *)0);
	else if (!strcmp(how, "execlp"))
		execlp(self, self, "leaf", "21", (char *)0);
	else if (!strcmp(how, "execle"))
		execle(self, self, "leaf", "21", (char *)0, own_environment);
	else if (!strcmp(how, "fexecve"))
		fexecve(open(self, O_RDONLY | O_CLOEXEC), arguments, own_environment);
	else if (!strcmp(how, "execveat"))
		execveat(AT_FDCWD, self, arguments, own_environment, 0);
	else if (!strcmp(how, "null_environment"))
		execve(self, arguments, 0);
	_exit(99);
}

static int spawned(const char *how)
{
	char *const arguments[] = {(char *)self, (char *)"leaf", (char *)"22", 0};
	pid_t pid = -1;
	int code = !strcmp(how, "posix_spawn") ? posix_spawn(&pid, self, 0, 0, arguments, environ)
					       : posix_spawnp(&pid, self, 0, 0, arguments, own_environment);
	return code ? code : ended(pid);
}

static int by_popen(void)
{
	char line[4096];
	snprintf(command, sizeof command, "exec %s leaf 24", self);
	FILE *stream = popen(command, "r");
	while (stream && fgets(line, sizeof line, stream))
		fputs(line, stdout);
	return stream ? pclose(stream) : -1;
}

static int by_forkpty(void)
{
	int terminal;
	pid_t pid = forkpty(&terminal, 0, 0, 0);
	if (pid == 0)
		_exit(25);
	int status = ended(pid);
	close(terminal);
	return status;
}

static void *fork_there(void *status)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(26);
	*(int *)status = ended(pid);
	return 0;
}

static int by_fork_in_thread(void)
{
	pthread_t other;
	int status = -1;
	if (pthread_create(&other, 0, fork_there, &status))
		return -1;
	pthread_join(other, 0);
	return status;
}

static int by_vfork(const char *how)
{
	pid_t pid = vfork();
	if (pid == 0) {
		if (!strcmp(how, "vfork"))
			exec_leaf("execv");
		_exit(27);
	}
	return ended(pid);
}

static void *nothing(void *unused)
{
	return unused;
}

/* A child that libc does not know of: it makes a thread, and ends or execs. */
static int by_system_call(const char *how)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		pthread_t other;
		if (!pthread_create(&other, 0, nothing, 0))
			pthread_join(other, 0);
		if (!strcmp(how, "call_exec"))
			exec_leaf("execv");
		exit(30);
	}
	return ended(pid);
}

static int by_system(void)
{
	snprintf(command, sizeof command, "%s leaf 28; exit 29", self);
	return system(command);
}

static int by_fork(const char *how)
{
	pid_t pid = !strcmp(how, "_Fork") ? _Fork() : fork();
	if (pid == 0) {
		if (strcmp(how, "fork") && strcmp(how, "_Fork"))
			exec_leaf(how);
		_exit(20);
	}
	return ended(pid);
}

static int make(const char *how)
{
	if (!strcmp(how, "clone"))
		return ended(clone(in_clone, stack + sizeof stack, SIGCHLD, 0));
	if (!strncmp(how, "vfork", 5))
		return by_vfork(how);
	if (!strncmp(how, "posix_spawn", 11))
		return spawned(how);
	if (!strncmp(how, "call", 4))
		return by_system_call(how);
	if (!strcmp(how, "system"))
		return by_system();
	if (!strcmp(how, "popen"))
		return by_popen();
	if (!strcmp(how, "forkpty"))
		return by_forkpty();
	if (!strcmp(how, "fork_in_thread"))
		return by_fork_in_thread();
	return by_fork(how);
}

int main(int count, char **arguments)
{
	self = arguments[0];
	if (count == 3 && !strcmp(arguments[1], "leaf"))
		return leaf(arguments[2]);
	for (int i = 1; i < count; i++) {
		if (!strcmp(arguments[i], "exec"))
			execv(self, (char *[]){(char *)self, arguments[i + 1], 0});
		int status = make(arguments[i]);
		printf("%s: %x\n", arguments[i], (unsigned)status);
		fflush(stdout);
	}
	return 0;
}
