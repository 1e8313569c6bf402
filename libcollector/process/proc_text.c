/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel makes such a text in one read: see proc_text.h. */
#include "proc_text.h"
#include "system_calls.h"
#include <fcntl.h>

size_t proc_text_read(const char *path, char *text, size_t capacity)
{
	int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	long got = fd < 0 ? 0 : sys_read(fd, text, capacity - 1);
	if (fd >= 0)
		sys_close(fd);
	size_t size = got > 0 ? (size_t)got : 0;
	text[size] = 0;
	return size;
}
