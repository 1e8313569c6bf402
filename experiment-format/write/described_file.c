/* SPDX-License-Identifier: Apache-2.0 */
/* Binary files with a described header, and "counters", which is nothing more. */
#include "described_file.h"
#include "event_file.h"
#include "file_space.h"
#include "system_calls.h"
#include <errno.h>
#include <fcntl.h>

static int write_all(int fd, const void *bytes, size_t size, uint64_t offset)
{
	for (size_t done = 0; done < size;) {
		long n = sys_pwrite(fd, (const char *)bytes + done, size - done, offset + done);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			return n ? (int)-n : ENOSPC;
		done += (size_t)n;
	}
	return 0;
}

int described_file_create(struct experiment_directory *directory, const char *name, const char *description,
	uint32_t description_size, uint64_t space, uint32_t *header_size)
{
	struct file_header header = {.magic = FILE_MAGIC,
		.byte_order = BYTE_ORDER_MARK,
		.major = FORMAT_MAJOR,
		.minor = FORMAT_MINOR,
		.description_size = description_size,
		.process = (uint64_t)system_call(SYS_getpid)};
	*header_size = sizeof(header);
	if (description_size)
		*header_size = (sizeof(header) + description_size + PAGE_UNIT - 1) / PAGE_UNIT * PAGE_UNIT;
	header.header_size = *header_size;
	header.check = file_header_check(&header, description);
	int fd = experiment_directory_open_file(directory, name, O_RDWR | O_CREAT | O_EXCL);
	if (fd < 0)
		return fd;
	int code = file_space_allocate(fd, 0, *header_size + space);
	if (!code)
		/* The header comes last: a file of a process that was killed here has no magic, and a reader knows that it was
		   never begun. */
		code = write_all(fd, description, description_size, sizeof(header));
	if (!code)
		code = write_all(fd, &header, sizeof(header), 0);
	if (!code)
		return fd;
	sys_close(fd);
	return -code;
}

void *described_file_map(struct experiment_directory *directory, const char *name, const char *description,
	uint32_t description_size, uint64_t space, int *code)
{
	uint32_t header_size;
	/* Address space first, since a file that cannot be mapped should not be left behind. */
	struct file_reservation reserved = file_space_reserve(space);
	if (!reserved.start) {
		*code = ENOMEM;
		return 0;
	}
	int fd = described_file_create(directory, name, description, description_size, space, &header_size);
	if (fd < 0) {
		file_space_give_up(&reserved);
		*code = -fd;
		return 0;
	}
	void *mapped = file_space_map(&reserved, space, fd, header_size);
	sys_close(fd);
	*code = mapped ? 0 : ENOMEM;
	return mapped;
}

uint64_t *tallies_create(struct experiment_directory *directory, bool described, int *code)
{
	static char description[2 * PAGE_UNIT]; /* static: stacks of targets may be small */
	uint32_t size = described ? (uint32_t)tallies_describe(description, sizeof(description)) : 0;
	return described_file_map(directory, TALLIES_FILE, description, size, TALLY_COUNT * sizeof(uint64_t), code);
}

void tallies_unmap(uint64_t *tallies)
{
	file_space_unmap(tallies, TALLY_COUNT * sizeof(uint64_t));
}
