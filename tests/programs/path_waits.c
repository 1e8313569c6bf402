/* SPDX-License-Identifier: Apache-2.0 */
/* Usage: path_waits [FOLDER], where each name that is asked for comes late (slow_file).
   Functions each wait for a name, a folder, a lock of a file, a process or a name server, or sleep by a call that could wait for
   more. It prints a line for each: function, state, seconds by its own clock. */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 60000 }; /* microseconds */

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void need(int success)
{
	if (!success)
		abort();
}

#define WAITS(name, state, ...)                                                                                        \
	__attribute__((noinline)) static void name(void)                                                               \
	{                                                                                                              \
		double begin = seconds();                                                                              \
		__VA_ARGS__;                                                                                           \
		printf("%s %s %.6f\n", #name, #state, seconds() - begin);                                              \
	}
/* clang-format off */
WAITS(wait_status, filewait, struct stat room; need(stat("a", &room) < 0))
WAITS(wait_access, filewait, need(access("b", R_OK) < 0))
WAITS(wait_link, filewait, char room[10]; need(readlink("c", room, sizeof room) < 0))
WAITS(wait_unlink, filewait, need(unlink("e") < 0))
WAITS(wait_rename, filewait, need(rename("f", "g") < 0))
WAITS(wait_mkdir, filewait, need(mkdir("h", 0700) < 0))
WAITS(wait_folder, filewait, DIR *folder = opendir("."); need(folder && !readdir(folder)); closedir(folder))

static int file;
static struct flock whole = {.l_type = F_WRLCK};
WAITS(wait_flock, filewait, need(flock(file, LOCK_EX) == 0))
WAITS(wait_lock, filewait, need(fcntl(file, F_SETLKW, &whole) == 0))
WAITS(wait_own_lock, filewait, need(fcntl(file, F_OFD_SETLKW, &whole) == 0))
WAITS(wait_lockf, filewait, need(lockf(file, F_LOCK, 0) == 0))

static FILE *stream;
WAITS(wait_process, childwait, need(pclose(stream) == 0))
WAITS(wait_name, netwait, struct addrinfo *found; need(getaddrinfo("host.invalid", 0, 0, &found) != 0))
WAITS(sleep_in_select, sleep, struct timeval time = {0, STEP}; need(select(0, 0, 0, 0, &time) == 0))
WAITS(sleep_in_poll, sleep, need(poll(0, 0, STEP / 1000) == 0))
/* The sleep in the call before is no matter of this one, which is a system call of the program's own. */
WAITS(poll_by_call, pollwait, struct pollfd fd = {.fd = file, .events = POLLPRI}; struct timespec time = {0, STEP * 1000};
	need(syscall(SYS_ppoll, &fd, 1, &time, 0, 0) == 0))
/* clang-format on */

/* Another process has the lock when `wait` begins. */
static void wait_for_lock(int take(int), void wait(void))
{
	int ready[2];
	char byte;
	need(pipe(ready) == 0);
	if (fork() == 0) {
		need(take(open("lock", O_RDWR)) == 0 && write(ready[1], "", 1) == 1);
		usleep(STEP);
		_exit(0);
	}
	need(read(ready[0], &byte, 1) == 1);
	wait();
	need(close(file) == 0 && (file = open("lock", O_RDWR)) >= 0 && waitpid(-1, 0, 0) > 0);
}

static int take_flock(int fd)
{
	return flock(fd, LOCK_EX);
}
static int take_lock(int fd)
{
	return fcntl(fd, F_SETLK, &whole);
}

/* A name server that knows no name, and takes its time. */
static void *serve_names(void *socket)
{
	unsigned char message[512];
	struct sockaddr_in from;
	socklen_t size = sizeof from;
	ssize_t length;
	int fd = *(int *)socket;
	for (; (length = recvfrom(fd, message, sizeof message, 0, (struct sockaddr *)&from, &size)) > 12;
		size = sizeof from) {
		usleep(STEP / 2);
		message[2] |= 0x80; /* an answer */
		message[3] = 3;     /* there is no such name */
		sendto(fd, message, (size_t)length, 0, (struct sockaddr *)&from, size);
	}
	return 0;
}

static void ask_own_server(void)
{
	static int fd;
	pthread_t thread;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	need(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
		getsockname(fd, (struct sockaddr *)&address, &size) == 0);
	need(pthread_create(&thread, 0, serve_names, &fd) == 0 && res_init() == 0);
	_res.nscount = 1;
	_res.nsaddr_list[0] = address;
	wait_name();
}

static void wait_for_paths(const char *folder)
{
	need(chdir(folder) == 0);
	wait_status();
	wait_access();
	wait_link();
	wait_unlink();
	wait_rename();
	wait_mkdir();
	wait_folder();
}

int main(int argc, char **argv)
{
	file = open("lock", O_RDWR | O_CREAT, 0600);
	wait_for_lock(take_flock, wait_flock);
	wait_for_lock(take_lock, wait_lock);
	wait_for_lock(take_lock, wait_own_lock);
	wait_for_lock(take_lock, wait_lockf);
	need((stream = popen("sleep 0.06", "r")) != 0);
	wait_process();
	ask_own_server();
	sleep_in_select();
	sleep_in_poll();
	poll_by_call();
	if (argc > 1)
		wait_for_paths(argv[1]);
	return 0;
}
