/* SPDX-License-Identifier: Apache-2.0 */
/* For the programs that call every function that I/O tracing stands in front of, and make it fail, group by group: "GROUP
   reads bytes writes bytes others waits errors" is what each group has done by its own count. What prepares a group are bare
   system calls. */
#ifndef IO_CALLS_H
#define IO_CALLS_H

#include <features.h>
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <wchar.h>
#undef fread_unlocked
#undef fwrite_unlocked

/* The functions by name, and whether they were called. */
#define PLAIN(type, name, parameters, ...)   static type(*p_##name) parameters;
#define SOCKET(type, name, parameters, ...)  PLAIN(type, name, parameters, )
#define SENDING(type, name, parameters, ...) PLAIN(type, name, parameters, )
#define TRANSFER(name, parameters, ...)      PLAIN(ssize_t, name, parameters, )
#define ITEMS(name, parameters, ...)         PLAIN(size_t, name, parameters, )
#define WAIT(type, name, parameters, ...)    PLAIN(type, name, parameters, )
#define MASKED(type, name, parameters, ...)  PLAIN(type, name, parameters, )
#define ACCEPT(type, name, parameters, ...)  PLAIN(type, name, parameters, )
#define CONNECT(type, name, parameters, ...) PLAIN(type, name, parameters, )
#define OPEN(type, name, parameters, ...)    PLAIN(type, name, parameters, )
#define OPEN_MODE(name, parameters, ...)     PLAIN(int, name, parameters, )
#define CLOSE(type, name, parameters, ...)   PLAIN(type, name, parameters, )
#define FORMAT(name, parameters, ...)        PLAIN(int, name, parameters, )
#include "io_calls.def"
#define ROW(name)                {#name, (void **)&p_##name, false},
#define PLAIN(type, name, ...)   ROW(name)
#define SOCKET(type, name, ...)  ROW(name)
#define SENDING(type, name, ...) ROW(name)
#define TRANSFER(name, ...)      ROW(name)
#define ITEMS(name, ...)         ROW(name)
#define WAIT(type, name, ...)    ROW(name)
#define MASKED(type, name, ...)  ROW(name)
#define ACCEPT(type, name, ...)  ROW(name)
#define CONNECT(type, name, ...) ROW(name)
#define OPEN(type, name, ...)    ROW(name)
#define OPEN_MODE(name, ...)     ROW(name)
#define CLOSE(type, name, ...)   ROW(name)
#define FORMAT(name, ...)        ROW(name)
static struct function {
	const char *name;
	void **pointer;
	bool called;
} functions[] = {
#include "io_calls.def"
};

static void mark(void *pointer)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (functions[i].pointer == pointer)
			functions[i].called = true;
}
#define F(name) (mark(&p_##name), p_##name)

static struct counts {
	uint64_t reads, read_bytes, writes, write_bytes, others, waits, errors;
} own;
static void wrong(const char *what, int line)
{
	fprintf(stderr, "line %d: %s (errno %d)\n", line, what, errno);
	_exit(1);
}
#define READ(call, bytes)                                                                                              \
	((own.reads++, own.read_bytes += (uint64_t)(bytes)), (call) == (bytes) ? 0 : (wrong(#call, __LINE__), 0))
#define WROTE(call, bytes)                                                                                             \
	((own.writes++, own.write_bytes += (uint64_t)(bytes)), (call) == (bytes) ? 0 : (wrong(#call, __LINE__), 0))
/* Calls whose result is not the number of bytes. */
#define READS(call, bytes, good) (own.reads++, own.read_bytes += (bytes), (call)good ? 0 : (wrong(#call, __LINE__), 0))
#define WRITES(call, bytes, good)                                                                                      \
	(own.writes++, own.write_bytes += (bytes), (call)good ? 0 : (wrong(#call, __LINE__), 0))
#define MOVED(call, bytes)                                                                                             \
	((own.reads++, own.read_bytes += (uint64_t)(bytes)), WROTE(call, bytes)) /* from a descriptor to another */
#define OTHER(call, good) (own.others++, (call)good ? 0 : (wrong(#call, __LINE__), 0))
#define WAITS(call, good) (own.waits++, (call)good ? 0 : (wrong(#call, __LINE__), 0))
#define FAILS(call, bad)  (own.errors++, (call)bad ? 0 : (wrong(#call, __LINE__), 0))

static char text[64] = "0123456789abcdefghijklmnopqrstuvwxyz", room[64];

static int raw_open(const char *path, int flags)
{
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
}
static void raw_close(int fd)
{
	syscall(SYS_close, fd);
}
static int data_file(void)
{
	int fd = raw_open("data", O_RDWR | O_CREAT | O_TRUNC);
	for (int i = 0; i < 100; i++)
		syscall(SYS_write, fd, text, 10);
	syscall(SYS_lseek, fd, 0, SEEK_SET);
	return fd;
}
#define GROUP static __attribute__((noinline)) void

struct group {
	const char *name;
	void (*run)(void);
};

/* Runs the groups, says what each has done, and which functions none of them has called. */
static void run_groups(const struct group *groups, size_t count)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		*functions[i].pointer = dlsym(RTLD_DEFAULT, functions[i].name);
	for (size_t i = 0; i < count; i++) {
		own = (struct counts){0};
		groups[i].run();
		fprintf(stderr, "%s %lu %lu %lu %lu %lu %lu %lu\n", groups[i].name, own.reads, own.read_bytes,
			own.writes, own.write_bytes, own.others, own.waits, own.errors);
	}
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (!functions[i].called)
			fprintf(stderr, "not called: %s\n", functions[i].name);
}

#endif
