/* SPDX-License-Identifier: Apache-2.0 */
/* Disk space before memory: see file_space.h. */
#include "file_space.h"
#include "layout.h"
#include "place.h"
#include "system_calls.h"
#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

bool file_space_over_limit(uint64_t end)
{
	struct rlimit limit;
	return system_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       end > limit.rlim_cur;
}

bool file_space_is_limited(void)
{
	return file_space_over_limit(UINT64_MAX);
}

/* For file systems without fallocate: writing every page takes the space as well. */
static int write_zeros(int fd, uint64_t offset, uint64_t size)
{
	static const unsigned char zeros[PAGE_UNIT];
	for (uint64_t done = 0; done < size;) {
		uint64_t left = size - done;
		long n = sys_pwrite(fd, zeros, left < sizeof(zeros) ? left : sizeof(zeros), offset + done);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			return n ? (int)-n : ENOSPC;
		done += (uint64_t)n;
	}
	return 0;
}

int file_space_allocate(int fd, uint64_t offset, uint64_t size)
{
	if (file_space_over_limit(offset + size))
		return EFBIG;
	long result;
	do
		result = system_call(SYS_fallocate, fd, 0, offset, size);
	while (result == -EINTR);
	if (result == -EOPNOTSUPP || result == -ENOSYS)
		return write_zeros(fd, offset, size);
	return (int)-result;
}

size_t file_space_page_size(void)
{
	size_t size = getauxval(AT_PAGESZ);
	return size ? size : PAGE_UNIT;
}

static size_t whole_pages(size_t size)
{
	return (size + file_space_page_size() - 1) / file_space_page_size() * file_space_page_size();
}

struct file_reservation file_space_reserve(size_t size)
{
	/* Blocks begin at multiples of 4 KB in the file, and a machine with larger pages maps from the page before. */
	size_t most = whole_pages(size + file_space_page_size() - PAGE_UNIT);
	void *start = place_map(most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return sys_failed(start) ? (struct file_reservation){0, 0} : (struct file_reservation){start, most};
}

void file_space_give_up(const struct file_reservation *reserved)
{
	sys_munmap(reserved->start, reserved->size);
}

void *file_space_map(const struct file_reservation *reserved, size_t size, int fd, uint64_t offset)
{
	size_t before = offset % file_space_page_size(), used = whole_pages(before + size);
	void *mapped =
		sys_mmap(reserved->start, used, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset - before);
	if (sys_failed(mapped)) {
		file_space_give_up(reserved);
		return 0;
	}
	/* A page at a time costs several times as much; a kernel that cannot do it (before 5.14) will do that. A single page is
	   written to at once. */
	if (used > file_space_page_size())
		system_call(SYS_madvise, mapped, used, ADVICE_POPULATE_WRITE);
	if (used < reserved->size)
		sys_munmap(reserved->start + used, reserved->size - used);
	return reserved->start + before;
}

void file_space_unmap(void *mapped, size_t size)
{
	size_t before = (uintptr_t)mapped % file_space_page_size();
	sys_munmap((char *)mapped - before, whole_pages(before + size));
}
