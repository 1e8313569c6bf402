// SPDX-License-Identifier: Apache-2.0
// A program's view of its own signals: masks, actions, pending and queued signals, on every signal and on number 61 as on
// any other. It prints what it sees; a run with the collector must print the same. "signal_view kernel" says at the end what
// the kernel holds blocked after everything was blocked.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { NUMBER = 61 };
sighandler_t bsd_signal(int number, sighandler_t handler);

static void show(const char *what, const sigset_t *set)
{
	printf("%-28s", what);
	for (int i = 1; i < _NSIG; i++)
		putchar(sigismember(set, i) == 1 ? '1' : '0');
	putchar('\n');
}

static void show_mask(const char *what)
{
	sigset_t now;
	sigprocmask(SIG_BLOCK, 0, &now);
	show(what, &now);
}

static sigset_t one(int number)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	return set;
}

static void masks(void)
{
	sigset_t all, before, number = one(NUMBER);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	show("before", &before);
	show_mask("all");
	sigprocmask(SIG_UNBLOCK, &number, 0);
	show_mask("all but one");
	pthread_sigmask(SIG_BLOCK, &number, &before);
	show("all but one, before", &before);
	show_mask("all again");
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, &before);
	show("all, before", &before);
	sighold(NUMBER);
	show_mask("sighold");
	sigrelse(NUMBER);
	show_mask("sigrelse");
	printf("bad how: %d", sigprocmask(77, &all, 0));
	printf(" %d, %d\n", errno, pthread_sigmask(77, &all, 0));
	show_mask("after a bad one");
}

static volatile int seen, seen_value;
static void on_signal(int number)
{
	seen++;
	(void)number;
}
static void on_info(int number, siginfo_t *info, void *context)
{
	(void)context;
	seen++;
	seen_value = seen_value * 10 + info->si_value.sival_int;
	(void)number;
}
static void on_other(int number)
{
	(void)number;
}

static void show_action(int number)
{
	struct sigaction action;
	int result = sigaction(number, 0, &action);
	printf("action of %d: %d %s flags %x\n", number, result,
		action.sa_handler == SIG_DFL     ? "default"
		: action.sa_handler == SIG_IGN   ? "ignore"
		: action.sa_handler == on_signal ? "on_signal"
		: action.sa_handler == on_other  ? "on_other"
						 : "on_info",
		(unsigned)action.sa_flags);
	show("  its mask", &action.sa_mask);
}

static void actions(int number)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
	show_action(number);
	sigfillset(&action.sa_mask);
	sigaction(number, &action, &old);
	show_action(number);
	sigaction(number, &old, &action);
	show("read back", &action.sa_mask);
	show_action(number);
	printf("signal: %d %d\n", signal(number, on_signal) == SIG_DFL, signal(number, on_other) == on_signal);
	show_action(number);
	printf("sysv_signal: %d\n", sysv_signal(number, SIG_IGN) == on_other);
	show_action(number);
	printf("sigset: %d", sigset(number, SIG_HOLD) == SIG_IGN);
	printf(" %d", sigset(number, on_signal) == SIG_HOLD);
	printf(" %d\n", sigset(number, SIG_DFL) == on_signal);
	show_mask("after sigset");
	printf("siginterrupt: %d\n", siginterrupt(number, 1));
	printf("sigignore: %d\n", sigignore(number));
	show_action(number);
	printf("bsd_signal: %d\n", bsd_signal(number, SIG_DFL) == SIG_IGN);
	show_action(number);
	printf("bad: %d", sigaction(SIGKILL, &action, 0));
	printf(" %d %d\n", errno, sigaction(99, &action, 0));
}

static void queue(int number, int value)
{
	sigqueue(getpid(), number, (union sigval){.sival_int = value});
}

/* Signals of one number: handled, held back and queued in order, waited for, lost to nobody. */
static void uses(int number)
{
	struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
	sigset_t set = one(number), pending;
	siginfo_t info;
	struct timespec brief = {0, 1000000};
	seen = seen_value = 0;
	sigaction(number, &action, 0);
	raise(number);
	queue(number, 7);
	printf("%d: handled %d, value %d\n", number, seen, seen_value);
	sigprocmask(SIG_BLOCK, &set, 0);
	for (int i = 1; i <= 5; i++)
		queue(number, i);
	sigpending(&pending);
	show("pending", &pending);
	int got = sigtimedwait(&set, &info, &brief);
	printf("waited for: %s, value %d\n", got == number ? "it" : "another", info.si_value.sival_int);
	got = 0;
	printf("sigwait: %d", sigwait(&set, &got));
	printf(" %s\n", got == number ? "it" : "another");
	seen = seen_value = 0;
	sigprocmask(SIG_UNBLOCK, &set, 0);
	printf("handled when unblocked: %d, in the order %d\n", seen, seen_value);
	sigpending(&pending);
	show("pending", &pending);
	printf("none left: %d", sigtimedwait(&set, &info, &brief));
	printf(" %d\n", errno);
	signal(number, SIG_IGN);
	raise(number);
	signal(number, SIG_DFL);
	if (fork() == 0) {
		raise(number);
		_exit(0);
	}
	int status;
	wait(&status);
	printf("default: ended by %s\n", WIFSIGNALED(status) && WTERMSIG(status) == number ? "it" : "something else");
	sigprocmask(SIG_BLOCK, &set, 0);
	if (fork() == 0) {
		raise(number);
		show_mask("in a child");
		fflush(stdout);
		sigprocmask(SIG_UNBLOCK, &set, 0);
		_exit(0);
	}
	wait(&status);
	printf("default, unblocked: ended by %s\n",
		WIFSIGNALED(status) && WTERMSIG(status) == number ? "it" : "something else");
	sigprocmask(SIG_UNBLOCK, &set, 0);
}

static void *in_thread(void *what)
{
	show_mask(what);
	return 0;
}

static void threads(void)
{
	sigset_t all, none, number = one(NUMBER);
	pthread_attr_t attributes;
	pthread_t thread;
	sigfillset(&all);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &number, 0);
	pthread_create(&thread, 0, in_thread, "thread: one");
	pthread_join(thread, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setsigmask_np(&attributes, &all);
	pthread_create(&thread, &attributes, in_thread, "thread with attributes: all");
	pthread_join(thread, 0);
	pthread_attr_setsigmask_np(&attributes, &none);
	pthread_create(&thread, &attributes, in_thread, "thread with attributes: none");
	pthread_join(thread, 0);
	pthread_attr_getsigmask_np(&attributes, &all);
	show("attributes", &all);
	pthread_sigmask(SIG_SETMASK, &none, 0);
}

static volatile unsigned long sink;
static void burn(void)
{
	for (int i = 0; i < 30000000; i++)
		sink += (unsigned)i;
}

/* Waits for any signal at all get those that were sent, and nothing else, however busy the process was before. */
static void full_sets(void)
{
	sigset_t all;
	siginfo_t info;
	struct timespec brief = {0, 20000000}, zero = {0, 0};
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, 0);
	int fd = signalfd(-1, &all, SFD_NONBLOCK);
	struct signalfd_siginfo data;
	for (int i = 0; i < 5; i++) {
		burn();
		printf("full set: %d", sigtimedwait(&all, &info, i % 2 ? &brief : &zero));
		printf(" %d", errno);
		burn();
		printf(", signalfd: %d\n", (int)read(fd, &data, sizeof(data)));
	}
	kill(getpid(), SIGUSR1);
	printf("full set: %d\n", sigwaitinfo(&all, &info));
	kill(getpid(), SIGUSR2);
	printf("signalfd: %d", (int)read(fd, &data, sizeof(data)) == sizeof(data));
	printf(" %u\n", data.ssi_signo);
	close(fd);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, 0);
}

/* A mask for the time of a wait lets a blocked signal in. */
static void masked_waits(void)
{
	sigset_t usr1 = one(SIGUSR1), none;
	struct timespec brief = {5, 0};
	sigemptyset(&none);
	signal(SIGUSR1, on_signal);
	sigprocmask(SIG_BLOCK, &usr1, 0);
	seen = 0;
	kill(getpid(), SIGUSR1);
	printf("ppoll: %d", ppoll(0, 0, &brief, &none));
	printf(" %d %d\n", errno, seen);
	kill(getpid(), SIGUSR1);
	printf("pselect: %d", pselect(0, 0, 0, 0, &brief, &none));
	printf(" %d %d\n", errno, seen);
	kill(getpid(), SIGUSR1);
	struct epoll_event event;
	int epoll = epoll_create1(0);
	printf("epoll_pwait: %d", epoll_pwait(epoll, &event, 1, 5000, &none));
	printf(" %d %d\n", errno, seen);
	kill(getpid(), SIGUSR1);
	printf("sigsuspend: %d", sigsuspend(&none));
	printf(" %d %d\n", errno, seen);
	show_mask("after the waits");
	sigprocmask(SIG_UNBLOCK, &usr1, 0);
}

static void kernel(void)
{
	sigset_t all;
	char line[256];
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, 0);
	FILE *status = fopen("/proc/thread-self/status", "r");
	while (fgets(line, sizeof(line), status))
		if (strncmp(line, "SigBlk:", 7) == 0)
			fputs(line, stdout);
	fclose(status);
}

int main(int argc, char **argv)
{
	(void)argv;
	setvbuf(stdout, 0, _IOLBF, 0);
	masks();
	actions(NUMBER);
	actions(SIGIO);
	actions(SIGUSR1);
	uses(NUMBER);
	uses(SIGRTMIN + 1);
	threads();
	full_sets();
	masked_waits();
	if (argc > 1)
		kernel();
	return 0;
}
