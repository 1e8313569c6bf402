/* SPDX-License-Identifier: Apache-2.0 */
/* Calls every function of the heap's family, also so that it fails, and counts by itself what that allocates and leaves.
   Prints "blocks ALLOCATIONS BYTES LEAKS BYTES", then "mappings" and "failed" (calls and bytes asked for) likewise. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct counted {
	unsigned long allocations, bytes, leaks, leaked;
} blocks, mappings, failed;

static void *volatile sink;
static const volatile size_t huge = PTRDIFF_MAX;

static void die(const char *what)
{
	char text[100];
	int size = snprintf(text, sizeof text, "heap_calls: %s did not do as expected\n", what);
	_exit(write(2, text, (size_t)size) != size ? 2 : 1);
}
#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			die(#condition);                                                                               \
	} while (0)

static void got(struct counted *kind, size_t size)
{
	kind->allocations++;
	kind->bytes += size;
	kind->leaks++;
	kind->leaked += size;
}
static void lost(struct counted *kind, size_t size)
{
	kind->leaks--;
	kind->leaked -= size;
}
static void *block(void *memory, size_t size)
{
	MUST(memory);
	got(&blocks, size);
	return sink = memory;
}
static void release(void *memory, size_t size)
{
	lost(&blocks, size);
	free(memory);
}
static void fails(int no, size_t size)
{
	MUST(no);
	failed.allocations++;
	failed.bytes += size;
}

static void each_function(void)
{
	void *p;
	release(block(malloc(100), 100), 100);
	block(malloc(101), 101);
	block(malloc(0), 0);
	release(block(calloc(7, 30), 210), 210);
	block(calloc(7, 31), 217);
	block(calloc(0, 8), 0);
	release(block(memalign(64, 300), 300), 300);
	block(memalign(64, 301), 301);
	block(aligned_alloc(128, 256), 256);
	MUST(posix_memalign(&p, 256, 500) == 0);
	release(block(p, 500), 500);
	MUST(posix_memalign(&p, 256, 501) == 0);
	block(p, 501);
	block(valloc(600), 600);
	block(pvalloc(700), 700);
	block(strdup("nineteen characters"), 20);
	MUST(malloc_usable_size(sink) >= 20);
	free(0);
}

static void *again(void *old, size_t old_size, size_t size)
{
	void *memory = realloc(old, size);
	MUST(memory);
	if (old)
		lost(&blocks, old_size);
	got(&blocks, size);
	return sink = memory;
}

static void reallocations(void)
{
	void *p = again(0, 0, 1000);
	p = again(p, 1000, 2000);    /* in place or not */
	p = again(p, 2000, 300000);  /* to a mapping of its own */
	p = again(p, 300000, 90000); /* and back */
	errno = 0;
	fails(!realloc(p, huge), huge);
	MUST(errno == ENOMEM);
	p = again(sink, 90000, 12);
	lost(&blocks, 12);
	void *volatile none = realloc(p, 0);
	MUST(!none);
	p = block(reallocarray(0, 10, 11), 110);
	lost(&blocks, 110);
	p = block(reallocarray(p, 10, 13), 130);
	MUST(!reallocarray(p, huge, 4)); /* overflows, which libc finds before it asks realloc */
	block(malloc(1000), 1000);
}

static void failures(void)
{
	void *p = &p;
	fails(!malloc(huge), huge);
	fails(!calloc(1, huge), huge);
	fails(!calloc(huge, 4), SIZE_MAX);
	fails(!memalign(64, huge), huge);
	fails(!aligned_alloc(64, huge), huge);
	fails(!valloc(huge), huge);
	fails(!pvalloc(huge), huge);
	fails(posix_memalign(&p, 3, 100) == EINVAL && p == &p, 100);
	fails(posix_memalign(&p, 64, huge) == ENOMEM && p == &p, huge);
}

static char *map(size_t size)
{
	char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(memory != MAP_FAILED);
	got(&mappings, size);
	return memory;
}

static void own_mappings(void)
{
	enum { PAGE = 4096 };
	char *p = map(10 * PAGE);
	MUST(munmap(p, 10 * PAGE) == 0);
	lost(&mappings, 10 * PAGE);
	p = map(10 * PAGE); /* a hole, then the end: six pages are left of one mapping, in two places */
	MUST(munmap(p + 2 * PAGE, 3 * PAGE) == 0 && munmap(p + 9 * PAGE, PAGE) == 0);
	mappings.leaked -= 4 * PAGE;
	p = map(100); /* not a whole page: it is asked for that is counted */
	p = map(3 * PAGE - 5);
	MUST(munmap(p, 1) == 0);
	mappings.leaked -= PAGE;
	p = map(4 * PAGE);
	MUST(mmap(p + PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p + PAGE);
	got(&mappings, PAGE);
	mappings.leaked -= PAGE;
	p = map(2 * PAGE);
	p = mremap(p, 2 * PAGE, 600 * PAGE, MREMAP_MAYMOVE);
	MUST(p != MAP_FAILED);
	lost(&mappings, 2 * PAGE);
	got(&mappings, 600 * PAGE);
	p = mremap(p, 600 * PAGE, PAGE, 0);
	MUST(p != MAP_FAILED);
	lost(&mappings, 600 * PAGE);
	got(&mappings, PAGE);
	fails(mremap(p, PAGE, 0, 0) == MAP_FAILED, 0);
	fails(mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, 0);
	MUST(munmap(p + 1, PAGE) && munmap(p, 0));
	MUST(p[0] == 0);
}

static void the_break(void)
{
	char *start = sbrk(0);
	MUST(sbrk(10000) == start);
	got(&mappings, 10000);
	MUST(brk(start + 15000) == 0);
	got(&mappings, 5000);
	MUST(sbrk(-4000) == start + 15000 && sbrk(0) == start + 11000);
	mappings.leaked -= 4000; /* of the 5000 */
	fails(sbrk(PTRDIFF_MAX / 2) == (void *)-1, PTRDIFF_MAX / 2);
}

static void print(const char *name, const struct counted *counted)
{
	char line[200];
	int size = snprintf(line, sizeof line, "%s %lu %lu %lu %lu\n", name, counted->allocations, counted->bytes,
		counted->leaks, counted->leaked);
	MUST(write(1, line, (size_t)size) == size);
}

int main(void)
{
	each_function();
	reallocations();
	failures();
	own_mappings();
	the_break();
	print("blocks", &blocks);
	print("mappings", &mappings);
	print("failed", &failed);
	return 0;
}
