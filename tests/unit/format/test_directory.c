/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment's directory is found again whatever the target does to its descriptors and directories; and a full disk or
   a file size limit is an error, never a signal. */
#include "event_stream.h"
#include "experiment_directory.h"
#include "log.h"
#include "scratch.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct experiment_directory directory;

static void open_directory(const char *path)
{
	char absolute[8192];
	int code = 0;
	mkdir(path, 0755);
	snprintf(absolute, sizeof(absolute), "%s/%s", scratch_path, path);
	ck_assert_msg(experiment_directory_open(&directory, absolute, &code), "%s", strerror(code));
}

/* Creates a file in the directory and says whether it is in a.er. */
static bool reaches(const char *name)
{
	char path[8192];
	int fd = experiment_directory_open_file(&directory, name, O_WRONLY | O_CREAT | O_EXCL);
	if (fd < 0)
		return false;
	close(fd);
	snprintf(path, sizeof(path), "%s/a.er/%s", scratch_path, name);
	return access(path, F_OK) == 0;
}

/* In a process of its own, so that a signal would be seen. */
static void run_in_child(void (*body)(void))
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		body();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x, signal %s", status,
		WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "none");
}

START_TEST(its_descriptor_is_high_and_closed_by_exec)
{
	struct rlimit limit = {1024, 1024};
	setrlimit(RLIMIT_NOFILE, &limit);
	open_directory("a.er");
	ck_assert_int_ge(directory.self.fd, 900);
	ck_assert_int_eq(fcntl(directory.self.fd, F_GETFD), FD_CLOEXEC);
	int file = experiment_directory_open_file(&directory, "x", O_WRONLY | O_CREAT);
	ck_assert_int_eq(fcntl(file, F_GETFD), FD_CLOEXEC);
	ck_assert_int_lt(file, 900);
}
END_TEST

START_TEST(it_works_with_few_descriptors)
{
	struct rlimit limit = {16, 16};
	setrlimit(RLIMIT_NOFILE, &limit);
	open_directory("a.er");
	ck_assert(reaches("x"));
}
END_TEST

START_TEST(a_target_that_closes_everything_does_not_matter)
{
	open_directory("a.er");
	ck_assert(reaches("before"));
	close(directory.self.fd);
	ck_assert(reaches("closed"));
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert(reaches("elsewhere"));
}
END_TEST

START_TEST(a_target_that_uses_the_number_for_something_else_keeps_it)
{
	mkdir("b.er", 0755);
	open_directory("a.er");
	int other = open("b.er", O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(dup2(other, directory.self.fd), directory.self.fd);
	ck_assert(reaches("x"));
	ck_assert_int_ne(access("b.er/x", F_OK), 0);
	int number = directory.self.fd;
	experiment_directory_close(&directory);
	ck_assert_int_ge(fcntl(number, F_GETFD), 0);
}
END_TEST

START_TEST(a_directory_that_was_replaced_is_not_written_to)
{
	open_directory("a.er");
	close(directory.self.fd);
	ck_assert_int_eq(rename("a.er", "c.er"), 0);
	ck_assert_int_eq(experiment_directory_open_file(&directory, "x", O_WRONLY | O_CREAT), -ENOENT);
	mkdir("a.er", 0755);
	ck_assert_int_eq(experiment_directory_open_file(&directory, "x", O_WRONLY | O_CREAT), -ESTALE);
}
END_TEST

static void change_root(void)
{
	open_directory("a.er");
	mkdir("root", 0755);
	if (chroot("root"))
		return; /* only root may */
	ck_assert_int_eq(chdir("/"), 0);
	int fd = experiment_directory_open_file(&directory, "x", O_WRONLY | O_CREAT | O_EXCL);
	ck_assert_int_ge(fd, 0);
	close(directory.self.fd);
	ck_assert_int_eq(experiment_directory_open_file(&directory, "y", O_WRONLY | O_CREAT), -ENOENT);
}

START_TEST(a_changed_root_is_no_obstacle_while_the_descriptor_is_there)
{
	run_in_child(change_root);
}
END_TEST

START_TEST(what_is_no_directory_is_an_error)
{
	int code = 0;
	char path[5000];
	ck_assert(!experiment_directory_open(&directory, "/nowhere.er", &code));
	ck_assert_int_eq(code, ENOENT);
	ck_assert(!experiment_directory_open(&directory, "/dev/null", &code));
	ck_assert_int_eq(code, ENOTDIR);
	ck_assert(!experiment_directory_open(&directory, "relative.er", &code));
	ck_assert_int_eq(code, EINVAL);
	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = 0;
	ck_assert(!experiment_directory_open(&directory, path, &code));
	ck_assert_int_eq(code, ENAMETOOLONG);
}
END_TEST

/* Appends until it is refused; then again, to see that it stays refused. Returns the events that were taken. */
static uint32_t append_until_full(struct event_file *file)
{
	struct event_stream stream;
	uint32_t count = 0;
	struct event_head head = {.stack = 1};
	event_stream_init(&stream, file, 1);
	for (;; count++) {
		head.time = clock_nanoseconds(CLOCK_MONOTONIC);
		if (count == 10000000 || !event_append(&stream, &head, (uint64_t[]){UINT64_MAX, 0, 0, 1}))
			break;
	}
	for (unsigned i = 0; i < 100; i++)
		if (event_append(&stream, &head, (uint64_t[]){1, 0, 0, 1}))
			ck_abort_msg("an event was taken after one was refused");
	event_stream_release(&stream);
	return count;
}

static uint64_t count_events(const char *path)
{
	struct experiment *experiment = open_experiment(path);
	struct event_batch batch = {0};
	uint64_t count = 0;
	for (unsigned i = 0; i < experiment->source_count; i++)
		for (unsigned block = 0; block < experiment->sources[i].block_count; block++) {
			event_source_read(experiment, &experiment->sources[i], block, &batch);
			count += batch.count;
		}
	ck_assert_msg(damage_total(experiment) == 0, "%s", experiment->damage.first);
	event_batch_free(&batch);
	experiment_close(experiment);
	return count;
}

static void fill_disk(void)
{
	static struct event_file file, second;
	static struct log_line line;
	static const char zeros[4096];
	char description[4096];
	int code = 0;
	if (unshare(CLONE_NEWNS) || mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) || mkdir("small", 0755) ||
		mount("small", "small", "tmpfs", 0, "size=300k")) {
		printf("no small disk: %s: only root may mount one\n", strerror(errno));
		return;
	}
	create_events(&file, &directory, "small/a.er", KIND_CLOCK, clock_triple);
	unlink("small/a.er/" MAP_XML_FILE);
	ck_assert_int_eq(log_create(&directory), 0);
	ck_assert_ptr_nonnull(tallies_create(&directory, true, &code));
	uint32_t count = append_until_full(&file);
	/* At most 32 bytes each, in more than half of the disk; the rest is headers, and a last block that did not fit. */
	ck_assert_uint_ge(count, 300 * 1024 / 2 / 32);
	ck_assert_uint_lt(count, 10000000);
	ck_assert_uint_eq(count_events("small/a.er"), count);
	/* The room that is left is filled, so that nothing at all can be created. */
	int fd = open("small/rest", O_WRONLY | O_CREAT, 0644);
	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
	uint32_t size = (uint32_t)kind_describe(KIND_THREAD, description, sizeof(description));
	ck_assert(!event_file_create(&second, &directory, "thread.events", description, size, clock_triple, &code));
	ck_assert_int_eq(code, ENOSPC);
	log_begin(&line, "event");
	for (unsigned i = 0; i < 100; i++)
		log_text_attribute(&line, "a", "some text that takes its place in a full page of the file, and more");
	code = 0;
	while (!code) {
		struct log_line copy = line;
		code = log_end(&copy, 0, &directory, LOG_FILE);
	}
	ck_assert_int_eq(code, ENOSPC);
}

START_TEST(a_full_disk_is_an_error_and_no_signal)
{
	run_in_child(fill_disk);
}
END_TEST

static void reach_size_limit(void)
{
	static struct event_file file;
	static struct log_line line;
	struct rlimit limit = {200000, 200000}, small = {100, 200000};
	setrlimit(RLIMIT_FSIZE, &limit);
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	unlink("a.er/" MAP_XML_FILE);
	ck_assert_int_eq(log_create(&directory), 0);
	uint32_t count = append_until_full(&file);
	/* Header, 4, 16, 64 and 64 KB fit. */
	ck_assert_uint_ge(count, (200000 - 65536 - 4096 - 3 * 64) / 32);
	ck_assert_uint_eq(count_events("a.er"), count);
	int code = 0;
	for (unsigned i = 0; i < 1000 && !code; i++) {
		log_begin(&line, "event");
		for (unsigned k = 0; k < 100; k++)
			log_text_attribute(&line, "a", "text");
		code = log_end(&line, 0, &directory, LOG_FILE);
	}
	ck_assert_int_eq(code, EFBIG);
	setrlimit(RLIMIT_FSIZE, &small);
	uint64_t *tallies = tallies_create(&directory, true, &code); /* Check itself writes files: no assertion here */
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_ptr_null(tallies);
	ck_assert_int_eq(code, EFBIG);
}

START_TEST(a_file_size_limit_is_an_error_and_no_signal)
{
	run_in_child(reach_size_limit);
}
END_TEST

static void exhaust_memory(void)
{
	static struct event_file file;
	create_events(&file, &directory, "a.er", KIND_CLOCK, clock_triple);
	struct rlimit limit = {0, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
	struct event_stream stream;
	struct event_head head = {.stack = 1};
	event_stream_init(&stream, &file, 1);
	setrlimit(RLIMIT_AS, &limit);
	bool taken = event_append(&stream, &head, (uint64_t[]){1, 0, 0, 1});
	setrlimit(RLIMIT_AS, &none);
	ck_assert(!taken);
	ck_assert(event_append(&stream, &head, (uint64_t[]){1, 0, 0, 1}));
	write_bytes("a.er/log.xml", "<experiment version=\"1.0\">\n", 27);
	ck_assert_uint_eq(count_events("a.er"), 1);
}

START_TEST(lack_of_memory_loses_events_only_while_it_lasts)
{
	run_in_child(exhaust_memory);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {its_descriptor_is_high_and_closed_by_exec, it_works_with_few_descriptors,
		a_target_that_closes_everything_does_not_matter,
		a_target_that_uses_the_number_for_something_else_keeps_it,
		a_directory_that_was_replaced_is_not_written_to,
		a_changed_root_is_no_obstacle_while_the_descriptor_is_there, what_is_no_directory_is_an_error,
		a_full_disk_is_an_error_and_no_signal, a_file_size_limit_is_an_error_and_no_signal,
		lack_of_memory_loses_events_only_while_it_lasts};
	return RUN_TESTS("directory", tests);
}
