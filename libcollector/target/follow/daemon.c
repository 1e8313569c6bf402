/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of daemon: libc ends the parent by an _exit of its own, which nobody sees. So it is done here, as libc
   does it, with an end that takes what is left. */
#include "collector.h"
#include "interpose.h"
#include "lifetime.h"
#include "system_calls.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* /dev/null in place of the standard descriptors, if it is what it should be. */
static int leave_terminal(void)
{
	struct stat status;
	int fd = sys_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);
	if (fd < 0) {
		errno = -fd;
		return -1;
	}
	/* As libc does: somebody may have put a file in the place of /dev/null, which would then fill up. */
	if (system_call(SYS_fstat, fd, &status) < 0 || !S_ISCHR(status.st_mode) || status.st_rdev != makedev(1, 3)) {
		sys_close(fd);
		errno = ENODEV;
		return -1;
	}
	for (int standard = 0; standard <= 2; standard++)
		if (standard != fd)
			system_call(SYS_dup3, fd, standard, 0);
	if (fd > 2)
		sys_close(fd);
	return 0;
}

INTERPOSE int daemon(int keep_directory, int keep_descriptors)
{
	if (!collector_recording())
		return REAL(daemon)(keep_directory, keep_descriptors);
	pid_t child = fork();
	if (child < 0)
		return -1;
	if (child > 0) {
		collector_close("daemon");
		REAL(_exit)(0);
	}
	if (setsid() < 0)
		return -1;
	if (!keep_directory)
		(void)!chdir("/");
	return keep_descriptors ? 0 : leave_terminal();
}
