/* SPDX-License-Identifier: Apache-2.0 */
/* A mapping of the whole file. */
#include "file_bytes.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const void *file_bytes(const char *path, size_t *size)
{
	struct stat status;
	void *bytes = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return 0;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
		*size = (size_t)status.st_size;
		bytes = mmap(0, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	return bytes == MAP_FAILED ? 0 : bytes;
}

void file_bytes_free(const void *bytes, size_t size)
{
	munmap((void *)bytes, size);
}
