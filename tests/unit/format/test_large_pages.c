/* SPDX-License-Identifier: Apache-2.0 */
/* The writer where pages are larger than the format's unit of 4096 bytes, as on some arm64 kernels. This program tells it
   that they are 64 KB, and leaves the kernel a gap at a multiple of that as the first place for mappings; so every mapping
   of the writer must begin at such a multiple, in memory and in the file. */
#include "event_stream.h"
#include "scratch.h"
#include "seal.h"
#include "synthetic.h"
#include <elf.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 65536 };

unsigned long getauxval(unsigned long type)
{
	return type == AT_PAGESZ ? LARGE_PAGE : 0;
}

static char *reserve(size_t size)
{
	char *region = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ck_assert_ptr_ne(region, MAP_FAILED);
	return region;
}

/* The highest gap in which a mapping fits is where the kernel puts it: this makes one and fills those above it. False:
   another allocator of this program would use it too. */
static bool leave_aligned_gap(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return false;
#endif
	mallopt(M_MMAP_MAX, 0);
	size_t size = (size_t)32 << 20;
	char *region = reserve(2 * size);
	char *gap = (char *)(((uintptr_t)region + LARGE_PAGE) / LARGE_PAGE * LARGE_PAGE);
	ck_assert_int_eq(munmap(gap, size), 0);
	char *filler;
	do
		filler = reserve(LARGE_PAGE);
	while (filler < gap || filler >= gap + size);
	ck_assert_int_eq(munmap(filler, LARGE_PAGE), 0);
	return true;
}

/* Mappings of the experiment's files, and how many of them do not begin at a large page of the file. */
static void count_mappings(unsigned *count, unsigned *misplaced)
{
	char line[4096], path[4096];
	unsigned long start, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	*count = *misplaced = 0;
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%*s %*s %lx %*s %*s %4095s", &start, &offset, path) == 3 &&
			strstr(path, "/a.er/")) {
			++*count;
			*misplaced += offset % LARGE_PAGE != 0 || start % LARGE_PAGE != 0;
		}
	fclose(maps);
}

START_TEST(blocks_lie_where_the_format_says)
{
	enum { EVENTS = 50000, THREADS = 40 };
	unsigned mappings, misplaced;
	if (!leave_aligned_gap())
		return;
	struct synthetic *s = synthetic_begin("a.er");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x10, 0x20}, 2, 0);
	for (uint64_t i = 1; i <= EVENTS; i++)
		synthetic_clock(s, 1 + i % THREADS, i, stack, i, 0);
	synthetic_count(s, TALLY_clock_ticks, EVENTS);
	count_mappings(&mappings, &misplaced);
	ck_assert_uint_gt(mappings, 2);
	ck_assert_uint_eq(misplaced, 0);
	synthetic_end(s);
	struct experiment *experiment = open_experiment("a.er");
	struct event_source *source = find_source(experiment, "clock");
	struct event_batch batch = {0};
	uint64_t sum = 0;
	for (unsigned block = 0; block < source->block_count; block++) {
		event_source_read(experiment, source, block, &batch);
		for (uint32_t i = 0; i < batch.count; i++)
			sum += batch.field[0][i];
	}
	ck_assert_uint_eq(sum, (uint64_t)EVENTS * (EVENTS + 1) / 2);
	ck_assert_uint_eq(experiment->tallies[TALLY_clock_ticks].value, EVENTS);
	ck_assert_uint_eq(damage_total(experiment), 0);
	event_batch_free(&batch);
	experiment_close(experiment);
}
END_TEST

/* Sealed blocks are unmapped whole, and reservations leave nothing behind. */
START_TEST(nothing_stays_mapped)
{
	static struct experiment_directory directory;
	static struct event_file file;
	unsigned mappings, misplaced;
	if (!leave_aligned_gap())
		return;
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	struct event_stream stream;
	event_stream_init(&stream, &file, 1);
	for (uint64_t i = 1; i <= 50000; i++) {
		struct event_head head = {i, 0, 1};
		if (!event_append(&stream, &head, (uint64_t[]){i, 0, 0, 1}))
			ck_abort_msg("event %lu was lost", (unsigned long)i);
	}
	event_stream_release(&stream);
	seal_given_back(&file);
	count_mappings(&mappings, &misplaced);
	ck_assert_uint_eq(mappings, 0);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {blocks_lie_where_the_format_says, nothing_stays_mapped};
	return RUN_TESTS("large pages", tests);
}
