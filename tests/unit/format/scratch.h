/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of the tests of the format: a directory of their own, a clock, experiments read whole, files changed. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "event_file.h"
#include "experiment.h"
#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char scratch_path[4096];

static inline int scratch_remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

/* Fixtures: an empty current directory for each test. */
static inline void scratch_begin(void)
{
	const char *parent = getenv("TMPDIR");
	snprintf(scratch_path, sizeof(scratch_path), "%s/format.XXXXXX", parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(scratch_path));
	ck_assert_int_eq(chdir(scratch_path), 0);
}
static inline void scratch_end(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	nftw(scratch_path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline uint64_t clock_nanoseconds(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void clock_triple(struct time_triple *now)
{
	now->raw = now->monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
	now->realtime = clock_nanoseconds(CLOCK_REALTIME);
}

/* A reproducible sequence of numbers (xorshift). */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* An empty file of stacks and of mapped code, which every experiment with events has. */
static inline void create_parts(struct experiment_directory *directory)
{
	static const char *const names[] = {STACKS_FILE, MAP_XML_FILE};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		int fd = experiment_directory_open_file(directory, names[i], O_WRONLY | O_CREAT);
		if (fd >= 0)
			close(fd);
	}
}

/* Creates DIRECTORY/KIND.events of one of the table's kinds in the current directory. */
static inline void create_events(struct event_file *file, struct experiment_directory *directory, const char *path,
	enum kind kind, void (*time_now)(struct time_triple *))
{
	char absolute[8192], name[64], description[4096];
	int code = 0;
	mkdir(path, 0755);
	snprintf(absolute, sizeof(absolute), "%s/%s", scratch_path, path);
	ck_assert_msg(experiment_directory_open(directory, absolute, &code), "%s", strerror(code));
	create_parts(directory);
	snprintf(name, sizeof(name), "%s%s", kind_row(kind)->name, EVENT_FILE_SUFFIX);
	uint32_t size = (uint32_t)kind_describe(kind, description, sizeof(description));
	ck_assert_msg(
		event_file_create(file, directory, name, description, size, time_now, &code), "%s", strerror(code));
}

static inline struct experiment *open_experiment(const char *path)
{
	struct error error;
	struct experiment *experiment = experiment_open(path, &error);
	ck_assert_msg(experiment, "%s", error.text);
	return experiment;
}

static inline struct event_source *find_source(struct experiment *experiment, const char *name)
{
	for (unsigned i = 0; i < experiment->source_count; i++)
		if (!strcmp(experiment->sources[i].name, name))
			return &experiment->sources[i];
	ck_abort_msg("no %s events", name);
	return 0;
}

static inline uint64_t damage_total(const struct experiment *experiment)
{
	const struct damage *damage = &experiment->damage;
	return damage->blocks_bad + damage->bytes_skipped + damage->records_bad + damage->nodes_bad +
	       damage->log_lines_bad;
}

static inline unsigned char *read_bytes(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "rb");
	ck_assert_ptr_nonnull(stream);
	fseek(stream, 0, SEEK_END);
	*size = (size_t)ftell(stream);
	rewind(stream);
	unsigned char *bytes = malloc(*size + 1);
	ck_assert_uint_eq(fread(bytes, 1, *size, stream), *size);
	bytes[*size] = 0;
	fclose(stream);
	return bytes;
}

/* Not by truncating first: some file systems then write to the disk at once. */
static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);
	if (fd < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size || ftruncate(fd, (off_t)size))
		ck_abort_msg("%s", path);
	close(fd);
}

/* Runs one suite of one case with the fixtures above; for main(). */
static inline int run_tests(const char *name, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(name);
	TCase *all = tcase_create(name);
	tcase_add_checked_fixture(all, scratch_begin, scratch_end);
	tcase_set_timeout(all, 240);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(all, tests[i]);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
#define RUN_TESTS(name, tests) run_tests(name, tests, sizeof(tests) / sizeof(tests[0]))

#endif
