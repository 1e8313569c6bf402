/* SPDX-License-Identifier: Apache-2.0 */
/* Blocking calls that move much more than a pipe or a socket takes at once: "CALL SHORT of TIMES" for each kind of call, SHORT
   being how many returned less than was asked for. Nobody but the collector sends this program a signal. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 4 << 20, TIMES = 20 };
static char bytes[SIZE];

static ssize_t by_write(int fd)
{
	return write(fd, bytes, SIZE);
}

static ssize_t by_writev(int fd)
{
	struct iovec parts[2] = {{bytes, SIZE / 2}, {bytes, SIZE / 2}};
	return writev(fd, parts, 2);
}

static ssize_t by_send(int fd)
{
	return send(fd, bytes, SIZE, 0);
}

static ssize_t by_sendmsg(int fd)
{
	struct iovec part = {bytes, SIZE};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	return sendmsg(fd, &message, 0);
}

static ssize_t by_recv(int fd)
{
	return recv(fd, bytes, SIZE, MSG_WAITALL);
}

/* The other end, in a process of its own: reads, or writes for the last call, until it is closed. */
static pid_t other_end(int mine, int theirs, int writes)
{
	pid_t child = fork();
	if (child == 0) {
		static char room[65536];
		close(theirs);
		while ((writes ? send(mine, room, sizeof room, MSG_NOSIGNAL) : read(mine, room, sizeof room)) > 0)
			;
		_exit(0);
	}
	close(mine);
	return child;
}

static void try_call(const char *name, ssize_t (*call)(int), int is_pipe, int receives)
{
	int ends[2], cut = 0;
	if (is_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		exit(1);
	pid_t child = other_end(ends[0], ends[1], receives);
	for (int i = 0; i < TIMES; i++)
		cut += call(ends[1]) != SIZE;
	close(ends[1]);
	waitpid(child, 0, 0);
	printf("%s %d of %d\n", name, cut, TIMES);
	fflush(stdout);
}

int main(void)
{
	try_call("write", by_write, 1, 0);
	try_call("writev", by_writev, 1, 0);
	try_call("send", by_send, 0, 0);
	try_call("sendmsg", by_sendmsg, 0, 0);
	try_call("recv", by_recv, 0, 1);
	return 0;
}
