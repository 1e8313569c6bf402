/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of I/O tracing that are about descriptors. */
#include "io_calls.h"

static struct iovec parts[2] = {{room, 4}, {room + 4, 6}};

static void pair(int fds[2], int type)
{
	syscall(SYS_socketpair, AF_UNIX, type, 0, fds);
}

GROUP group_read(void)
{
	int fd = data_file();
	READ(F(read)(fd, room, 10), 10);
	READ(F(__read)(fd, room, 10), 10);
	READ(F(__read_chk)(fd, room, 10, sizeof room), 10);
	READ(F(pread)(fd, room, 10, 0), 10);
	READ(F(pread64)(fd, room, 10, 0), 10);
	READ(F(__pread64)(fd, room, 10, 0), 10);
	READ(F(__pread_chk)(fd, room, 10, 0, sizeof room), 10);
	READ(F(__pread64_chk)(fd, room, 10, 0, sizeof room), 10);
	READ(F(readv)(fd, parts, 2), 10);
	READ(F(preadv)(fd, parts, 2, 0), 10);
	READ(F(preadv64)(fd, parts, 2, 0), 10);
	READ(F(preadv2)(fd, parts, 2, 0, 0), 10);
	READ(F(preadv64v2)(fd, parts, 2, 0, 0), 10);
	READ(F(pread)(fd, room, 10, 1000), 0); /* the end is no error */
	FAILS(F(read)(-1, room, 10), < 0);
	FAILS(F(__read)(-1, room, 10), < 0);
	FAILS(F(__read_chk)(-1, room, 10, sizeof room), < 0);
	FAILS(F(pread)(fd, room, 10, -1), < 0);
	FAILS(F(pread64)(-1, room, 10, 0), < 0);
	FAILS(F(readv)(-1, parts, 2), < 0);
	FAILS(F(preadv)(-1, parts, 2, 0), < 0);
	FAILS(F(preadv2)(-1, parts, 2, 0, 0), < 0);
	raw_close(fd);
}

GROUP group_write(void)
{
	int fd = data_file();
	WROTE(F(write)(fd, text, 10), 10);
	WROTE(F(__write)(fd, text, 10), 10);
	WROTE(F(pwrite)(fd, text, 10, 0), 10);
	WROTE(F(pwrite64)(fd, text, 10, 0), 10);
	WROTE(F(__pwrite64)(fd, text, 10, 0), 10);
	WROTE(F(writev)(fd, parts, 2), 10);
	WROTE(F(pwritev)(fd, parts, 2, 0), 10);
	WROTE(F(pwritev64)(fd, parts, 2, 0), 10);
	WROTE(F(pwritev2)(fd, parts, 2, 0, 0), 10);
	WROTE(F(pwritev64v2)(fd, parts, 2, 0, 0), 10);
	WROTE(F(write)(fd, text, 0), 0);
	FAILS(F(write)(-1, text, 10), < 0);
	FAILS(F(__write)(-1, text, 10), < 0);
	FAILS(F(pwrite)(-1, text, 10, 0), < 0);
	FAILS(F(writev)(-1, parts, 2), < 0);
	FAILS(F(pwritev)(-1, parts, 2, 0), < 0);
	FAILS(F(pwritev2)(-1, parts, 2, 0, 0), < 0);
	raw_close(fd);
}

GROUP group_event(void)
{
	int fd = (int)syscall(SYS_eventfd2, 0, 0);
	eventfd_t value;
	WRITES(F(eventfd_write)(fd, 3), 8, == 0);
	READS(F(eventfd_read)(fd, &value), 8, == 0);
	FAILS(F(eventfd_write)(-1, 3), < 0);
	FAILS(F(eventfd_read)(-1, &value), < 0);
	raw_close(fd);
}

GROUP group_socket(void)
{
	int fds[2];
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	struct mmsghdr messages[2] = {{.msg_hdr = message}, {.msg_hdr = message}};
	pair(fds, SOCK_DGRAM);
	WROTE(F(send)(fds[0], text, 10, 0), 10);
	WROTE(F(__send)(fds[0], text, 10, 0), 10);
	WROTE(F(sendto)(fds[0], text, 10, 0, 0, 0), 10);
	WROTE(F(sendmsg)(fds[0], &message, 0), 10);
	WRITES(F(sendmmsg)(fds[0], messages, 2, 0), 20, == 2);
	READ(F(recv)(fds[1], room, 20, 0), 10);
	READ(F(__recv_chk)(fds[1], room, 20, sizeof room, 0), 10);
	READ(F(recvfrom)(fds[1], room, 20, 0, (struct sockaddr *)0, 0), 10);
	READ(F(recvmsg)(fds[1], &message, 0), 10);
	READS(F(recvmmsg)(fds[1], messages, 2, 0, 0), 20, == 2);
	WROTE(F(send)(fds[0], text, 10, 0), 10);
	READ(F(__recvfrom_chk)(fds[1], room, 20, sizeof room, 0, (struct sockaddr *)0, 0), 10);
	FAILS(F(recv)(fds[1], room, 20, MSG_DONTWAIT), < 0);
	FAILS(F(recvfrom)(fds[1], room, 20, MSG_DONTWAIT, (struct sockaddr *)0, 0), < 0);
	FAILS(F(recvmsg)(fds[1], &message, MSG_DONTWAIT), < 0);
	FAILS(F(recvmmsg)(fds[1], messages, 2, MSG_DONTWAIT, 0), < 0);
	FAILS(F(send)(-1, text, 10, 0), < 0);
	FAILS(F(sendto)(-1, text, 10, 0, 0, 0), < 0);
	FAILS(F(sendmsg)(-1, &message, 0), < 0);
	FAILS(F(sendmmsg)(-1, messages, 2, 0), < 0);
	raw_close(fds[0]);
	raw_close(fds[1]);
}

GROUP group_connect(void)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int server = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0), client[4];
	syscall(SYS_unlinkat, AT_FDCWD, name.sun_path, 0);
	syscall(SYS_bind, server, &name, sizeof name);
	syscall(SYS_listen, server, 5);
	for (int i = 0; i < 4; i++)
		client[i] = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	OTHER(F(connect)(client[0], (struct sockaddr *)&name, sizeof name), == 0);
	OTHER(F(__connect)(client[1], (struct sockaddr *)&name, sizeof name), == 0);
	OTHER(F(accept)(server, (struct sockaddr *)0, 0), >= 0);
	OTHER(F(accept4)(server, (struct sockaddr *)0, 0, 0), >= 0);
	FAILS(F(connect)(-1, (struct sockaddr *)&name, sizeof name), < 0);
	FAILS(F(connect)(server, (struct sockaddr *)8, sizeof name), < 0);
	FAILS(F(accept)(-1, (struct sockaddr *)0, 0), < 0);
	FAILS(F(accept4)(-1, (struct sockaddr *)0, 0, 0), < 0);
}

GROUP group_file(void)
{
	int fd = data_file();
	OTHER(F(fsync)(fd), == 0);
	OTHER(F(fdatasync)(fd), == 0);
	OTHER(F(syncfs)(fd), == 0);
	OTHER(F(sync_file_range)(fd, 0, 10, 0), == 0);
	OTHER(F(lseek)(fd, 5, SEEK_SET), == 5);
	OTHER(F(__lseek)(fd, 5, SEEK_SET), == 5);
	OTHER(F(lseek64)(fd, 5, SEEK_SET), == 5);
	OTHER(F(ftruncate)(fd, 50), == 0);
	OTHER(F(ftruncate64)(fd, 50), == 0);
	OTHER(F(truncate)("data", 50), == 0);
	OTHER(F(truncate64)("data", 50), == 0);
	OTHER(F(fallocate)(fd, 0, 0, 100), == 0);
	OTHER(F(fallocate64)(fd, 0, 0, 100), == 0);
	FAILS(F(fsync)(-1), < 0);
	FAILS(F(fdatasync)(-1), < 0);
	FAILS(F(syncfs)(-1), < 0);
	FAILS(F(sync_file_range)(-1, 0, 10, 0), < 0);
	FAILS(F(lseek)(-1, 5, SEEK_SET), < 0);
	FAILS(F(ftruncate)(-1, 50), < 0);
	FAILS(F(truncate)("missing", 50), < 0);
	FAILS(F(fallocate)(-1, 0, 0, 100), < 0);
	raw_close(fd);
}

GROUP group_wait(void)
{
	int fds[2];
	pair(fds, SOCK_STREAM);
	struct pollfd wanted = {.fd = fds[0], .events = POLLOUT};
	struct timespec zero = {0, 0};
	struct timeval none = {0, 0};
	sigset_t mask;
	fd_set set;
	struct epoll_event event = {.events = EPOLLOUT};
	int epoll = (int)syscall(SYS_epoll_create1, 0);
	sigemptyset(&mask);
	syscall(SYS_epoll_ctl, epoll, EPOLL_CTL_ADD, fds[0], &event);
	WAITS(F(poll)(&wanted, 1, -1), == 1);
	WAITS(F(__poll)(&wanted, 1, 0), == 1);
	WAITS(F(__poll_chk)(&wanted, 1, 0, sizeof wanted), == 1);
	WAITS(F(ppoll)(&wanted, 1, &zero, &mask), == 1);
	WAITS(F(__ppoll_chk)(&wanted, 1, &zero, 0, sizeof wanted), == 1);
	FD_ZERO(&set);
	WAITS(F(select)(0, &set, 0, 0, &none), == 0); /* a timeout is no error */
	WAITS(F(__select)(0, &set, 0, 0, &none), == 0);
	WAITS(F(pselect)(0, &set, 0, 0, &zero, &mask), == 0);
	WAITS(F(epoll_wait)(epoll, &event, 1, -1), == 1);
	WAITS(F(epoll_pwait)(epoll, &event, 1, -1, &mask), == 1);
	WAITS(F(epoll_pwait2)(epoll, &event, 1, &zero, &mask), == 1);
	FAILS(F(select)(-1, 0, 0, 0, &none), < 0);
	FAILS(F(pselect)(-1, 0, 0, 0, &zero, 0), < 0);
	FAILS(F(epoll_wait)(-1, &event, 1, -1), < 0);
	FAILS(F(epoll_pwait)(-1, &event, 1, -1, 0), < 0);
	FAILS(F(epoll_pwait2)(-1, &event, 1, 0, 0), < 0);
	FAILS(F(ppoll)((struct pollfd *)8, 1, &zero, 0), < 0);
	FAILS(F(poll)((struct pollfd *)8, 1, 0), < 0);
	FAILS(F(poll)((struct pollfd *)8, 1, 1), < 0);
	FAILS(F(select)(8, (fd_set *)8, 0, 0, &none), < 0);
	raw_close(epoll);
	raw_close(fds[0]);
	raw_close(fds[1]);
}

GROUP group_open(void)
{
	int fds[12], n = 0;
	OTHER(fds[n++] = F(open)("data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(open64)("new", O_CREAT | O_RDWR, 0600), >= 0);
	OTHER(fds[n++] = F(__open)("data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(__open64)("data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(openat)(AT_FDCWD, "data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(openat64)(AT_FDCWD, "new", O_CREAT | O_RDWR, 0600), >= 0);
	OTHER(fds[n++] = F(__open_2)("data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(__open64_2)("data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(__openat_2)(AT_FDCWD, "data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(__openat64_2)(AT_FDCWD, "data", O_RDONLY), >= 0);
	OTHER(fds[n++] = F(creat)("new", 0600), >= 0);
	OTHER(fds[n++] = F(creat64)("new", 0600), >= 0);
	while (n)
		if (--n % 2)
			OTHER(F(close)(fds[n]), == 0);
		else
			OTHER(F(__close)(fds[n]), == 0);
	FAILS(F(open)("missing", O_RDONLY), < 0);
	FAILS(F(open64)("missing", O_RDONLY), < 0);
	FAILS(F(openat)(AT_FDCWD, "missing", O_RDONLY), < 0);
	FAILS(F(__open_2)("missing", O_RDONLY), < 0);
	FAILS(F(creat)("missing/file", 0600), < 0);
	FAILS(F(close)(-1), < 0);
	FAILS(F(__close)(-1), < 0);
	DIR *folder = opendir(".");
	OTHER(F(closedir)(folder), == 0);
}

GROUP group_transfer(void)
{
	int fd = data_file(), other = raw_open("copied", O_CREAT | O_RDWR | O_TRUNC), pipes[2], more[2];
	off_t at = 0;
	off64_t at64 = 0;
	syscall(SYS_pipe2, pipes, 0);
	syscall(SYS_pipe2, more, 0);
	MOVED(F(sendfile)(other, fd, &at, 10), 10);
	MOVED(F(sendfile64)(other, fd, &at64, 10), 10);
	MOVED(F(copy_file_range)(fd, &at64, other, 0, 20, 0), 20);
	MOVED(F(splice)(fd, &at64, pipes[1], 0, 10, 0), 10);
	WROTE(F(tee)(pipes[0], more[1], 10, 0), 10);
	WROTE(vmsplice(pipes[1], parts, 2, 0), 10);
	READ(vmsplice(more[0], parts, 2, 0), 10);
	MOVED(F(splice)(pipes[0], 0, other, 0, 20, 0), 20);
	at64 = 1000;
	MOVED(F(copy_file_range)(fd, &at64, other, 0, 20, 0), 0); /* the end is no error */
	FAILS(F(sendfile)(other, -1, 0, 10), < 0);
	FAILS(F(copy_file_range)(-1, 0, other, 0, 20, 0), < 0);
	FAILS(F(splice)(fd, 0, other, 0, 10, 0), < 0); /* neither is a pipe */
	FAILS(F(tee)(fd, other, 10, 0), < 0);
	FAILS(vmsplice(fd, parts, 2, 0), < 0);
	raw_close(fd);
	raw_close(other);
	raw_close(pipes[0]);
	raw_close(pipes[1]);
	raw_close(more[0]);
	raw_close(more[1]);
}

int main(void)
{
	static const struct group groups[] = {{"group_read", group_read}, {"group_write", group_write},
		{"group_event", group_event}, {"group_socket", group_socket}, {"group_connect", group_connect},
		{"group_file", group_file}, {"group_wait", group_wait}, {"group_open", group_open},
		{"group_transfer", group_transfer}};
	run_groups(groups, sizeof groups / sizeof *groups);
	return 0;
}
