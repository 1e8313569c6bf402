/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the ELF headers of a file. */
#include "file_headers.h"
#include "layout.h"
#include "system_calls.h"
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>

static unsigned char start[PAGE_UNIT];

bool file_headers_read(const struct mapping *mapping, struct file_headers *headers)
{
	struct stat status;
	int fd = mapping->path[0] == '/' ? sys_openat(AT_FDCWD, mapping->path, O_RDONLY | O_CLOEXEC, 0) : -1;
	if (fd < 0)
		return false;
	/* Not by the device, which file systems of several layers call otherwise in maps. */
	bool same = system_call(SYS_fstat, fd, &status) == 0 && status.st_ino == mapping->inode;
	long size = same ? system_call(SYS_pread64, fd, start, sizeof start, 0) : -1;
	sys_close(fd);
	*headers = (struct file_headers){.image = start, .size = size > 0 ? (size_t)size : 0};
	return size > 0;
}

bool file_headers_address(const struct file_headers *headers, uint64_t offset, uint64_t *address)
{
	ElfW(Ehdr) header;
	if (headers->size < sizeof header)
		return false;
	memcpy(&header, headers->image, sizeof header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	for (size_t i = 0; i < header.e_phnum; i++) {
		ElfW(Phdr) segment;
		if (header.e_phoff + (i + 1) * sizeof segment > headers->size)
			return false;
		memcpy(&segment, headers->image + header.e_phoff + i * sizeof segment, sizeof segment);
		/* A mapping begins at a page, which may have the end of the segment before. */
		uint64_t from = segment.p_offset / PAGE_UNIT * PAGE_UNIT;
		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || offset < from ||
			offset >= segment.p_offset + segment.p_filesz)
			continue;
		*address = offset - segment.p_offset + segment.p_vaddr;
		return true;
	}
	return false;
}
