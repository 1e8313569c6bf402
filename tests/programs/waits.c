// SPDX-License-Identifier: Apache-2.0
// Short waits of every kind that signal(7) knows to be interrupted in spite of SA_RESTART, and of some that are not: none may
// see an EINTR, because the program sends itself no signal. waits COUNT [interrupt]: with "interrupt" it does send itself
// signals, by a CPU-time timer with SA_RESTART in each thread, and must see EINTR: so the waits can fail.
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Long enough to fall asleep. */
static struct timespec brief = {0, 20000};
static int epoll, silent_pipe[2];
static sem_t never;
static sigset_t usr2;

static struct timespec soon(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += brief.tv_nsec;
	if (t.tv_nsec >= 1000000000)
		t.tv_sec++, t.tv_nsec -= 1000000000;
	return t;
}

/* Each returns 0, or the errno value with which the wait failed. Timeouts are no failure. */
static int code(int result)
{
	return result < 0 && errno != EAGAIN && errno != ETIMEDOUT ? errno : 0;
}

static int wait_poll(int i)
{
	struct pollfd fd = {silent_pipe[0], POLLIN, 0};
	return code(poll(&fd, 1, i % 100 == 0)); /* its unit is a millisecond: mostly 0, which can be interrupted too */
}
static int wait_ppoll(int i)
{
	(void)i;
	struct pollfd fd = {silent_pipe[0], POLLIN, 0};
	return code(ppoll(&fd, 1, &brief, 0));
}
static int wait_ppoll_mask(int i)
{
	(void)i;
	struct pollfd fd = {silent_pipe[0], POLLIN, 0};
	sigset_t none;
	sigemptyset(&none);
	return code(ppoll(&fd, 1, &brief, &none));
}
static int wait_select(int i)
{
	(void)i;
	struct timeval t = {0, brief.tv_nsec / 1000};
	fd_set set;
	FD_ZERO(&set);
	FD_SET(silent_pipe[0], &set);
	return code(select(silent_pipe[0] + 1, &set, 0, 0, &t));
}
static int wait_pselect(int i)
{
	(void)i;
	return code(pselect(0, 0, 0, 0, &brief, 0));
}
static int wait_pselect_mask(int i)
{
	(void)i;
	sigset_t none;
	sigemptyset(&none);
	return code(pselect(0, 0, 0, 0, &brief, &none));
}
static int wait_epoll_wait(int i)
{
	struct epoll_event event;
	return code(epoll_wait(epoll, &event, 1, i % 100 == 0));
}
static int wait_epoll_pwait(int i)
{
	struct epoll_event event;
	sigset_t none;
	sigemptyset(&none);
	return code(epoll_pwait(epoll, &event, 1, i % 100 == 0, i % 200 ? &none : 0));
}
static int wait_epoll_pwait2(int i)
{
	struct epoll_event event;
	sigset_t none;
	sigemptyset(&none);
	return code(epoll_pwait2(epoll, &event, 1, &brief, i % 2 ? &none : 0));
}
static int wait_nanosleep(int i)
{
	(void)i;
	return code(nanosleep(&brief, 0));
}
static int wait_clock_nanosleep(int i)
{
	struct timespec until = soon(CLOCK_MONOTONIC);
	return i % 2 ? clock_nanosleep(CLOCK_MONOTONIC, 0, &brief, 0)
		     : clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
}
static int wait_usleep(int i)
{
	(void)i;
	return code(usleep((useconds_t)brief.tv_nsec / 1000));
}
static int wait_thrd_sleep(int i)
{
	(void)i;
	return thrd_sleep(&brief, 0) == -1 ? EINTR : 0;
}
static int wait_sem_timedwait(int i)
{
	(void)i;
	struct timespec until = soon(CLOCK_REALTIME);
	return code(sem_timedwait(&never, &until));
}
static int wait_sem_clockwait(int i)
{
	(void)i;
	struct timespec until = soon(CLOCK_MONOTONIC);
	return code(sem_clockwait(&never, CLOCK_MONOTONIC, &until));
}
static int wait_sigtimedwait(int i)
{
	(void)i;
	return code(sigtimedwait(&usr2, 0, &brief));
}
static int wait_sigtimedwait_all(int i)
{
	(void)i;
	sigset_t all;
	sigfillset(&all);
	siginfo_t info;
	int got = sigtimedwait(&all, &info, &brief);
	return got > 0 ? 1000 + got : code(got);
}
static int wait_semtimedop(int i)
{
	static int set = -1;
	if (i == 0)
		set = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf down = {0, -1, 0};
	int result = code(semtimedop(set, &down, 1, &brief));
	if (i < 0)
		semctl(set, 0, IPC_RMID);
	return result;
}
static int wait_mq_timedreceive(int i)
{
	static mqd_t queue = -1;
	char name[32], message[64];
	if (i == 0) {
		struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = sizeof(message)};
		snprintf(name, sizeof(name), "/waits.%d", (int)getpid());
		queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
		mq_unlink(name);
		if (queue == (mqd_t)-1)
			return 0; /* no message queues here */
	}
	struct timespec until = soon(CLOCK_REALTIME);
	return queue == (mqd_t)-1 ? 0 : code((int)mq_timedreceive(queue, message, sizeof(message), 0, &until));
}
static int wait_aio_suspend(int i)
{
	static struct aiocb request;
	static char byte;
	if (i == 0) {
		request.aio_fildes = silent_pipe[0];
		request.aio_buf = &byte;
		request.aio_nbytes = 1;
		aio_read(&request);
	}
	const struct aiocb *list[] = {&request};
	return code(aio_suspend(list, 1, &brief));
}
/* A pair of sockets whose receiving and sending time out after a jiffy. */
static int timed_socket(int full)
{
	int pair[2];
	struct timeval t = {0, 1};
	char bytes[4096] = {0};
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return -1;
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	while (full && send(pair[0], bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
	return pair[0];
}
static int wait_recv(int i)
{
	static int fd;
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	if (i == 0)
		fd = timed_socket(0);
	switch (i % 5) {
	case 0:
		return code((int)recv(fd, &byte, 1, 0));
	case 1:
		return code((int)recvfrom(fd, &byte, 1, 0, 0, 0));
	case 2:
		return code((int)recvmsg(fd, &message, 0));
	case 3:
		return code((int)read(fd, &byte, 1));
	default:
		return code((int)readv(fd, &part, 1));
	}
}
static int wait_send(int i)
{
	static int fd;
	char byte = 0;
	struct iovec part = {&byte, 1};
	if (i == 0)
		fd = timed_socket(1);
	switch (i % 3) {
	case 0:
		return code((int)send(fd, &byte, 1, 0));
	case 1:
		return code((int)write(fd, &byte, 1));
	default:
		return code((int)writev(fd, &part, 1));
	}
}
static int wait_accept(int i)
{
	static int fd;
	if (i == 0) {
		struct timeval t = {0, 1};
		fd = socket(AF_INET, SOCK_STREAM, 0);
		listen(fd, 1);
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	}
	return code(i % 2 ? accept(fd, 0, 0) : accept4(fd, 0, 0, 0));
}

/* Two threads that wait for each other, without timeouts. */
static sem_t there, back;
static int queues[2], sets;
static void *answer_semaphore(void *unused)
{
	for (;;) {
		while (sem_wait(&there) != 0)
			;
		sem_post(&back);
	}
	return unused;
}
static int wait_sem_wait(int i)
{
	pthread_t other;
	if (i == 0)
		pthread_create(&other, 0, answer_semaphore, 0);
	sem_post(&there);
	return code(sem_wait(&back));
}
struct message {
	long type;
	char text[8];
};
static void *answer_message(void *unused)
{
	struct message m;
	for (;;)
		if (msgrcv(queues[0], &m, sizeof(m.text), 0, 0) >= 0)
			while (msgsnd(queues[1], &m, sizeof(m.text), 0) != 0)
				;
	return unused;
}
static int wait_msgrcv(int i)
{
	struct message m = {1, "x"};
	pthread_t other;
	if (i == 0) {
		queues[0] = msgget(IPC_PRIVATE, 0600);
		queues[1] = msgget(IPC_PRIVATE, 0600);
		pthread_create(&other, 0, answer_message, 0);
	}
	if (i < 0)
		return msgctl(queues[0], IPC_RMID, 0), msgctl(queues[1], IPC_RMID, 0), 0;
	if (msgsnd(queues[0], &m, sizeof(m.text), 0) != 0)
		return errno;
	return code((int)msgrcv(queues[1], &m, sizeof(m.text), 0, 0));
}
static void *answer_semop(void *unused)
{
	struct sembuf down = {0, -1, 0}, up = {1, 1, 0};
	for (;;)
		if (semop(sets, &down, 1) == 0)
			while (semop(sets, &up, 1) != 0 && errno == EINTR)
				;
		else if (errno != EINTR)
			return unused;
}
static int wait_semop(int i)
{
	struct sembuf up = {0, 1, 0}, down = {1, -1, 0};
	pthread_t other;
	if (i == 0) {
		sets = semget(IPC_PRIVATE, 2, 0600);
		pthread_create(&other, 0, answer_semop, 0);
	}
	if (i < 0)
		return semctl(sets, 0, IPC_RMID), 0;
	if (semop(sets, &up, 1) != 0)
		return errno;
	return code(semop(sets, &down, 1));
}

/* pause and sigsuspend end by a signal: each end must have one of the program's own. */
static __thread volatile int alarms;
static __thread sigset_t without_alarm;
static void on_alarm(int signal)
{
	(void)signal;
	alarms++;
}
static void start_alarm(int number)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
	event._sigev_un._tid = gettid();
	struct itimerspec each = {{0, brief.tv_nsec * 5 / 2}, {0, brief.tv_nsec * 5 / 2}};
	timer_t timer;
	signal(number, on_alarm);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &each, 0);
}
static int wait_pause(int i)
{
	if (i == 0)
		start_alarm(SIGUSR1);
	int before = alarms;
	pause();
	return alarms == before ? EINTR : 0;
}
static int wait_sigsuspend(int i)
{
	if (i == 0) {
		sigset_t alarm;
		sigemptyset(&alarm);
		sigaddset(&alarm, SIGALRM);
		pthread_sigmask(SIG_BLOCK, &alarm, &without_alarm);
		sigdelset(&without_alarm, SIGALRM);
		start_alarm(SIGALRM);
	}
	int before = alarms;
	sigsuspend(&without_alarm);
	return alarms == before ? EINTR : 0;
}

static const struct kind {
	const char *name;
	int (*wait)(int i);
	int share;     /* one in so many of the waits that are asked for: their unit is a jiffy or more */
	int restarted; /* by the kernel, so that "interrupt" sees no EINTR */
} kinds[] = {
	{"poll", wait_poll, 1, 0},
	{"ppoll", wait_ppoll, 1, 0},
	{"ppoll with a mask", wait_ppoll_mask, 1, 0},
	{"select", wait_select, 1, 0},
	{"pselect", wait_pselect, 1, 0},
	{"pselect with a mask", wait_pselect_mask, 1, 0},
	{"epoll_wait", wait_epoll_wait, 1, 0},
	{"epoll_pwait", wait_epoll_pwait, 1, 0},
	{"epoll_pwait2", wait_epoll_pwait2, 1, 0},
	{"nanosleep", wait_nanosleep, 1, 0},
	{"clock_nanosleep", wait_clock_nanosleep, 1, 0},
	{"usleep", wait_usleep, 1, 0},
	{"thrd_sleep", wait_thrd_sleep, 1, 0},
	{"sem_timedwait", wait_sem_timedwait, 1, 0},
	{"sem_clockwait", wait_sem_clockwait, 1, 0},
	{"sem_wait", wait_sem_wait, 1, 1},
	{"sigtimedwait", wait_sigtimedwait, 1, 0},
	{"sigtimedwait of all", wait_sigtimedwait_all, 1, 0},
	{"semtimedop", wait_semtimedop, 1, 0},
	{"semop", wait_semop, 1, 0},
	{"msgrcv and msgsnd", wait_msgrcv, 1, 0},
	{"mq_timedreceive", wait_mq_timedreceive, 1, 1},
	{"aio_suspend", wait_aio_suspend, 1, 0},
	{"pause", wait_pause, 5, 0},
	{"sigsuspend", wait_sigsuspend, 5, 0},
	{"recv with a timeout", wait_recv, 50, 0},
	{"send with a timeout", wait_send, 50, 0},
	{"accept with a timeout", wait_accept, 50, 0},
};

static int count, interrupt;
static __thread int own_ticks;

static void on_tick(int signal)
{
	(void)signal;
	own_ticks++;
}

static void interrupt_myself(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
	event._sigev_un._tid = gettid();
	struct itimerspec each = {{0, 137000}, {0, 137000}};
	struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
	timer_t timer;
	sigaction(SIGRTMIN, &action, 0);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &each, 0);
}

static void *run(void *argument)
{
	const struct kind *kind = argument;
	long wrong = 0, waits = count / kind->share;
	int last = 0;
	prctl(PR_SET_TIMERSLACK, 1);
	if (interrupt)
		interrupt_myself();
	for (int i = 0; i < waits; i++) {
		int got = kind->wait(i);
		if (got != 0)
			wrong++, last = got;
	}
	printf("%-24s %ld waits, %ld failed", kind->name, waits, wrong);
	printf(wrong ? " (%d)\n" : "\n", last);
	return (void *)wrong;
}

int main(int argc, char **argv)
{
	enum { KINDS = sizeof(kinds) / sizeof(*kinds), AT_ONCE = 14 };
	pthread_t threads[KINDS];
	int status = 0;
	count = argc > 1 ? atoi(argv[1]) : 1000;
	interrupt = argc > 2 && strcmp(argv[2], "interrupt") == 0;
	const char *only = argc > 2 && !interrupt ? argv[2] : "";
	if (interrupt)
		brief.tv_nsec = 500000;
	epoll = epoll_create1(0);
	if (pipe(silent_pipe) != 0)
		return 2;
	sem_init(&never, 0, 0);
	sem_init(&there, 0, 0);
	sem_init(&back, 0, 0);
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &usr2, 0);
	for (int first = 0; first < KINDS; first += AT_ONCE) {
		int end = first + AT_ONCE < KINDS ? first + AT_ONCE : KINDS;
		for (int k = first; k < end; k++)
			if (strstr(kinds[k].name, only))
				pthread_create(&threads[k], 0, run, (void *)&kinds[k]);
		for (int k = first; k < end; k++) {
			void *wrong = 0;
			if (!strstr(kinds[k].name, only))
				continue;
			pthread_join(threads[k], &wrong);
			if (!interrupt && wrong)
				status = 1;
			if (interrupt && !wrong && !kinds[k].restarted) {
				printf("%s was never interrupted\n", kinds[k].name);
				status = 1;
			}
		}
	}
	wait_semtimedop(-1);
	wait_msgrcv(-1);
	wait_semop(-1);
	return status;
}
