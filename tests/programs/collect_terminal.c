/* SPDX-License-Identifier: Apache-2.0 */
/* A shell with job control on a pseudo-terminal of its own: "collect_terminal COMMAND..." runs `COMMAND... TARGET`,
   where TARGET is this program as "collect_terminal --target", types at it, and checks what shell and target see: the
   target is in the foreground and reads the terminal; Ctrl-C reaches it once; Ctrl-Z stops the whole job and the
   shell sees it stopped; continued, both run; a stop of the target alone stops the job; Ctrl-\ ends both, by SIGQUIT
   and without a core of COMMAND. Prints each step; exit status 0 if all held. Truth: what a plain program does. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts, continues;

static void count(int number)
{
	if (number == SIGINT)
		interrupts++;
	else
		continues++;
}

/* Answers each line that is typed: what it has seen so far. */
static int be_target(void)
{
	char line[256];
	struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
	sigaction(SIGINT, &action, 0);
	sigaction(SIGCONT, &action, 0);
	for (;;) {
		printf("target %d parent %d foreground %d interrupts %d continues %d\n", getpid(), getppid(),
			tcgetpgrp(0) == getpgrp(), (int)interrupts, (int)continues);
		fflush(stdout);
		if (!fgets(line, sizeof line, stdin))
			return 1;
	}
}

static int master;
static pid_t job, target;

static void fail(const char *what)
{
	printf("FAILED: %s (%s)\n", what, strerror(errno));
	if (target > 0)
		kill(target, SIGKILL);
	if (job > 0)
		kill(job, SIGKILL);
	exit(1);
}

static void pause_for(long milliseconds)
{
	struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	nanosleep(&time, 0);
}

static void type(const char *text)
{
	if (write(master, text, strlen(text)) < 0)
		fail("typing");
}

/* The target's next line, within ten seconds. */
static void expect_line(int interrupts_wanted, int continues_least, const char *what)
{
	static char seen[65536];
	static size_t size;
	for (int attempt = 0; attempt < 500; attempt++) {
		int parent, foreground, ints, conts, end = 0;
		ssize_t n = read(master, seen + size, sizeof seen - 1 - size);
		if (n > 0)
			size += (size_t)n;
		seen[size] = '\0';
		char *line = strstr(seen, "target ");
		if (line && strchr(line, '\n') &&
			sscanf(line, "target %d parent %d foreground %d interrupts %d continues %d%n", &target, &parent,
				&foreground, &ints, &conts, &end) == 5) {
			size = 0;
			if (parent != job && target != job)
				fail("the target is neither the job's leader nor its child");
			if (!foreground)
				fail("the target is not in the foreground");
			if (ints != interrupts_wanted || conts < continues_least || conts > continues_least + 1) {
				printf("interrupts %d, continues %d\n", ints, conts);
				fail(what);
			}
			printf("%s\n", what);
			return;
		}
		pause_for(20);
	}
	fail(what);
}

static char state_of(pid_t pid)
{
	char path[64], text[512], *end;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
	if (file)
		fclose(file);
	text[size] = '\0';
	end = strrchr(text, ')');
	return end ? end[2] : '?';
}

static int wait_for_job(const char *what)
{
	int status;
	for (int attempt = 0; attempt < 500; attempt++) {
		pid_t pid = waitpid(job, &status, WUNTRACED | WNOHANG);
		if (pid == job)
			return status;
		pause_for(20);
	}
	fail(what);
	return 0;
}

static void expect_stopped(int number, const char *what)
{
	int status = wait_for_job(what);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != number)
		fail(what);
	for (int attempt = 0; state_of(target) != 'T'; attempt++) {
		if (attempt > 100)
			fail("the target is not stopped");
		pause_for(20);
	}
	printf("%s\n", what);
}

static void to_foreground(int terminal)
{
	tcsetpgrp(terminal, job);
	kill(-job, SIGCONT);
}

static int be_shell(char **command, int terminal)
{
	struct rlimit core = {RLIM_INFINITY, RLIM_INFINITY};
	signal(SIGTTOU, SIG_IGN);
	job = fork();
	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(terminal, getpid());
		signal(SIGTTOU, SIG_DFL);
		dup2(terminal, 0);
		dup2(terminal, 1);
		setrlimit(RLIMIT_CORE, &core);
		execvp(command[0], command);
		_exit(127);
	}
	setpgid(job, job);
	tcsetpgrp(terminal, job);
	expect_line(0, 0, "the target reads the terminal in the foreground");
	type("\x03");
	pause_for(300);
	type("\n");
	expect_line(1, 0, "Ctrl-C comes once");
	type("\x1a");
	expect_stopped(SIGTSTP, "Ctrl-Z stops the job");
	to_foreground(terminal);
	pause_for(200);
	type("\n");
	expect_line(1, 1, "fg continues it");
	kill(target, SIGSTOP);
	expect_stopped(SIGSTOP, "a stop of the target stops the job");
	/* To the leader alone, as `kill -CONT PID` does. */
	tcsetpgrp(terminal, job);
	kill(job, SIGCONT);
	pause_for(200);
	type("\n");
	expect_line(1, 2, "a continuation of the job's leader continues the target");
	type("\x1c");
	int status = wait_for_job("the end");
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGQUIT)
		fail("the job did not end by SIGQUIT");
	if (target != job && WCOREDUMP(status))
		fail("the job left a core");
	printf("Ctrl-\\ ends both\n");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--target") == 0)
		return be_target();
	if (argc < 2)
		return 2;
	char **command = calloc((size_t)argc + 2, sizeof *command);
	for (int i = 1; i < argc; i++)
		command[i - 1] = argv[i];
	command[argc - 1] = argv[0];
	command[argc] = "--target";
	/* Line by line also into a file. */
	setvbuf(stdout, 0, _IOLBF, 0);
	master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		fail("no pseudo-terminal");
	fcntl(master, F_SETFD, FD_CLOEXEC);
	/* A session leader of its own: fork, so that setsid() can succeed. */
	pid_t shell = fork();
	if (shell == 0) {
		setsid();
		int terminal = open(ptsname(master), O_RDWR | O_CLOEXEC);
		if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0)
			fail("no controlling terminal");
		exit(be_shell(command, terminal));
	}
	int status;
	waitpid(shell, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
