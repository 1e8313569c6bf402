/* SPDX-License-Identifier: Apache-2.0 */
/* Raw system calls, for code that runs inside other people's programs: no libc function that the collector
   interposes, no errno, no cancellation point. Results are the kernel's: a value, or -errno. */
#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include "machine.h"
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

enum { ADVICE_POPULATE_WRITE = 23 }; /* MADV_POPULATE_WRITE of Linux 5.14 */
#ifndef SYS_faccessat2               /* headers before Linux 5.8 */
#define SYS_faccessat2 439
#endif

/* Calls that are not made but fail with -EPERM, bit NUMBER % 64 of word NUMBER / 64: the recorded process has confined itself,
   and would be punished for them. */
#define SYSTEM_CALLS_KNOWN 512
extern uint64_t system_calls_denied[SYSTEM_CALLS_KNOWN / 64] __attribute__((visibility("hidden")));

static inline long system_call6(long number, long a, long b, long c, long d, long e, long f)
{
	uint64_t denied = __atomic_load_n(&system_calls_denied[number / 64], __ATOMIC_RELAXED);
	if (__builtin_expect(denied >> number % 64 & 1, 0))
		return -EPERM;
	return system_call_always(number, a, b, c, d, e, f);
}

/* system_call(SYS_close, fd): up to six arguments, each an integer or a pointer. */
#define SYSTEM_CALL_7(number, a, b, c, d, e, f, ...)                                                                   \
	system_call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define system_call(...) SYSTEM_CALL_7(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

static inline int sys_openat(int directory, const char *path, int flags, int mode)
{
	return (int)system_call(SYS_openat, directory, path, flags, mode);
}

static inline int sys_close(int fd)
{
	return (int)system_call(SYS_close, fd);
}

static inline long sys_read(int fd, void *bytes, size_t size)
{
	return system_call(SYS_read, fd, bytes, size);
}

static inline long sys_write(int fd, const void *bytes, size_t size)
{
	return system_call(SYS_write, fd, bytes, size);
}

static inline long sys_pwrite(int fd, const void *bytes, size_t size, uint64_t offset)
{
	return system_call(SYS_pwrite64, fd, bytes, size, offset);
}

/* The kernel's addresses and its -errno never overlap: see sys_failed(). */
static inline void *sys_mmap(void *address, size_t size, int protection, int flags, int fd, uint64_t offset)
{
	return (void *)system_call(SYS_mmap, address, size, protection, flags, fd, offset);
}

static inline int sys_munmap(void *address, size_t size)
{
	return (int)system_call(SYS_munmap, address, size);
}

/* Whether a system call that returns an address failed. */
static inline int sys_failed(const void *address)
{
	return (unsigned long)address > -4096ul;
}

#endif
