/* SPDX-License-Identifier: Apache-2.0 */
/* The table of segments, build-ids from memory and from a file's first bytes, and /proc/self/maps. */
#include "build_id.h"
#include "process_maps.h"
#include "segment_table.h"
#include <check.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct segment *add(const char *path, uint64_t address, uint64_t size)
{
	struct segment *segment = segment_add(path);
	ck_assert_ptr_nonnull(segment);
	segment->address = address;
	segment->size = size;
	return segment;
}

static unsigned visited;
static void visit(struct segment *segment)
{
	visited += segment->mapped;
}

START_TEST(segments_are_found_by_what_they_cover)
{
	add("/a", 0x1000, 0x1000);
	add("/b", 0x3000, 0x1000);
	ck_assert_str_eq(segment_find(0x1000, 1)->path, "/a");
	ck_assert_str_eq(segment_find(0x1fff, 1)->path, "/a");
	ck_assert_ptr_null(segment_find(0x2000, 0x1000));
	ck_assert_str_eq(segment_find(0x2000, 0x1001)->path, "/b");
	segment_find(0x1000, 1)->mapped = false;
	ck_assert_ptr_null(segment_find(0x1000, 1));
}
END_TEST

START_TEST(a_plugin_that_comes_and_goes_takes_no_more_room)
{
	for (uint64_t i = 1; i <= 1000; i++) /* more than the table begins with */
		add("/many", i << 20, 16);
	for (uint64_t i = 1; i <= 1000; i++)
		ck_assert_ptr_nonnull(segment_find((i << 20) + 15, 1));
	const char *path = segment_find(5 << 20, 1)->path;
	ck_assert_ptr_eq(segment_find(6 << 20, 1)->path, path); /* kept once */
	struct segment *first = add("/plugin", 0x1000, 16), *low = first, *high = first;
	for (int i = 0; i < 100000; i++) {
		first->mapped = false;
		first = add("/plugin", 0x1000, 16);
		low = first < low ? first : low;
		high = first > high ? first : high;
	}
	ck_assert_int_lt(high - low, 2048);
	visited = 0;
	segments_visit(visit);
	ck_assert_uint_eq(visited, 1001);
}
END_TEST

static int own_build_id(struct dl_phdr_info *info, size_t size, void *text)
{
	(void)size;
	build_id_text(info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, text);
	return 1;
}

START_TEST(build_ids_are_those_of_readelf)
{
	char text[2 * BUILD_ID_MAX + 1], command[128], truth[256] = "";
	snprintf(command, sizeof command, "readelf -n /proc/%d/exe | sed -n 's/.*Build ID: //p'", getpid());
	FILE *stream = popen(command, "r");
	ck_assert_ptr_nonnull(fgets(truth, sizeof truth, stream));
	pclose(stream);
	truth[strcspn(truth, "\n")] = 0;
	ck_assert_uint_eq(strlen(truth), 40);
	dl_iterate_phdr(own_build_id, text);
	ck_assert_str_eq(text, truth);
	unsigned char image[4096];
	FILE *file = fopen("/proc/self/exe", "r");
	size_t size = fread(image, 1, sizeof image, file);
	fclose(file);
	build_id_of_image(image, size, text);
	ck_assert_str_eq(text, truth);
	/* Cut anywhere, it says nothing or the truth. */
	for (size_t cut = 0; cut < size; cut++) {
		unsigned char *copy = malloc(cut ? cut : 1);
		memcpy(copy, image, cut);
		build_id_of_image(copy, cut, text);
		ck_assert(!text[0] || !strcmp(text, truth));
		free(copy);
	}
	/* With bytes changed it stays inside. */
	for (size_t i = 0; i < 1024; i++) {
		unsigned char *copy = malloc(size);
		memcpy(copy, image, size);
		copy[i] ^= 0xff;
		build_id_of_image(copy, size, text);
		ck_assert_uint_le(strlen(text), 2 * BUILD_ID_MAX);
		free(copy);
	}
}
END_TEST

static char buffer[4096];

static bool look_for(const struct mapping *mapping, void *data)
{
	struct mapping *wanted = data;
	if (mapping->start != wanted->start)
		return false;
	*wanted = *mapping;
	return true;
}

START_TEST(maps_are_read_as_they_are)
{
	char name[] = "/tmp/er-tools maps.XXXXXX";
	int fd = mkstemp(name);
	ck_assert_int_eq(ftruncate(fd, 8192), 0);
	void *file = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096);
	void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct mapping found = {.start = (uintptr_t)file};
	process_maps_visit(buffer, sizeof buffer, look_for, &found);
	ck_assert_uint_eq(found.end, (uintptr_t)file + 4096);
	ck_assert_uint_eq(found.file_offset, 4096);
	ck_assert(found.executable && found.readable && !found.writable);
	ck_assert_str_eq(found.path, name);
	mprotect(memory, 4096, PROT_READ);
	found = (struct mapping){.start = (uintptr_t)memory};
	process_maps_visit(buffer, sizeof buffer, look_for, &found);
	ck_assert(!found.executable && found.readable);
	ck_assert_str_eq(found.path, "");
	unlink(name);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("objects_table");
	TCase *cases = tcase_create("objects");
	tcase_add_test(cases, segments_are_found_by_what_they_cover);
	tcase_add_test(cases, a_plugin_that_comes_and_goes_takes_no_more_room);
	tcase_add_test(cases, build_ids_are_those_of_readelf);
	tcase_add_test(cases, maps_are_read_as_they_are);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
