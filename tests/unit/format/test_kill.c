/* SPDX-License-Identifier: Apache-2.0 */
/* A writer that is killed at any moment: every event that it had committed is readable. */
#include "event_stream.h"
#include "scratch.h"
#include "synthetic.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { THREADS = 2, KILLS = 100 };

struct report {
	uint32_t thread;
	uint32_t count;
};

struct writer {
	struct event_file *file;
	uint32_t thread;
	int pipe;
};

/* Event i of a thread has user time i, from 1. */
static void *write_events(void *argument)
{
	struct writer *writer = argument;
	struct event_stream stream;
	event_stream_init(&stream, writer->file, writer->thread);
	for (uint32_t i = 1;; i++) {
		struct event_head head = {clock_nanoseconds(CLOCK_MONOTONIC), 0, i % 9};
		struct report report = {writer->thread, i};
		if (!event_append(&stream, &head, (uint64_t[]){i, 0, 0, 1}))
			return 0;
		if (write(writer->pipe, &report, sizeof(report)) != sizeof(report))
			return 0;
	}
}

static void child(const char *path, int pipe)
{
	static struct experiment_directory directory;
	static struct event_file file;
	pthread_t threads[THREADS];
	struct writer writers[THREADS];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	create_events(&file, &directory, path, KIND_CLOCK, clock_triple);
	for (unsigned i = 0; i < THREADS; i++) {
		writers[i] = (struct writer){&file, i + 1, pipe};
		pthread_create(&threads[i], 0, write_events, &writers[i]);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	_exit(0);
}

/* Takes what is in the pipe until the deadline, or until its end. */
static void take_reports(int pipe, uint64_t deadline, uint32_t reported[THREADS + 1])
{
	for (;;) {
		uint64_t now = clock_nanoseconds(CLOCK_MONOTONIC);
		struct pollfd wait = {.fd = pipe, .events = POLLIN};
		struct timespec left = {0, (long)(now < deadline ? deadline - now : 0)};
		struct report reports[512];
		if (now >= deadline || (deadline != UINT64_MAX && ppoll(&wait, 1, &left, 0) == 0))
			return;
		ssize_t size = read(pipe, reports, sizeof(reports));
		if (size <= 0)
			return;
		for (size_t i = 0; i < (size_t)size / sizeof(reports[0]); i++)
			reported[reports[i].thread] = reports[i].count;
	}
}

/* Each thread's events are 1, 2, ..., n, with no gap. */
static void read_events(const char *path, uint32_t count[THREADS + 1])
{
	struct experiment *experiment = open_experiment(path);
	struct event_batch batch = {0};
	uint64_t sum[THREADS + 1] = {0};
	for (unsigned i = 0; i < experiment->source_count; i++) {
		struct event_source *source = &experiment->sources[i];
		for (unsigned block = 0; block < source->block_count; block++) {
			event_source_read(experiment, source, block, &batch);
			for (uint32_t k = 0; k < batch.count; k++) {
				ck_assert_uint_le(batch.thread[k], THREADS);
				count[batch.thread[k]]++;
				sum[batch.thread[k]] += batch.field[0][k];
			}
		}
	}
	ck_assert_uint_eq(experiment->damage.records_bad, 0);
	ck_assert_uint_eq(experiment->damage.bytes_skipped, 0);
	for (unsigned thread = 1; thread <= THREADS; thread++)
		ck_assert_uint_eq(sum[thread], (uint64_t)count[thread] * (count[thread] + 1) / 2);
	event_batch_free(&batch);
	experiment_close(experiment);
}

START_TEST(events_that_were_reported_before_a_kill_are_read)
{
	uint64_t state = (uint64_t)getpid(), total = 0;
	for (unsigned round = 0; round < KILLS; round++) {
		char path[32], log[64];
		int ends[2];
		uint32_t reported[THREADS + 1] = {0}, there[THREADS + 1] = {0};
		snprintf(path, sizeof(path), "%u.er", round);
		ck_assert_int_eq(pipe(ends), 0);
		pid_t pid = fork();
		if (pid == 0)
			child(path, ends[1]);
		close(ends[1]);
		struct pollfd started = {.fd = ends[0], .events = POLLIN};
		if (round % 10)
			poll(&started, 1, 10000);
		take_reports(ends[0], clock_nanoseconds(CLOCK_MONOTONIC) + random_next(&state) % 3000000, reported);
		kill(pid, SIGKILL);
		waitpid(pid, 0, 0);
		take_reports(ends[0], UINT64_MAX, reported);
		close(ends[0]);
		mkdir(path, 0755);
		snprintf(log, sizeof(log), "%s/log.xml", path);
		write_bytes(log, "<experiment version=\"1.0\">\n", 27);
		read_events(path, there);
		for (unsigned thread = 1; thread <= THREADS; thread++) {
			ck_assert_uint_ge(there[thread], reported[thread]);
			ck_assert_uint_le(there[thread], reported[thread] + 1);
			total += reported[thread];
		}
	}
	ck_assert_uint_gt(total, KILLS);
	printf("%lu events were reported in %d rounds\n", (unsigned long)total, KILLS);
}
END_TEST

/* Likewise all that a whole experiment holds: stacks, log and map, at the end of a synthetic one that nobody closed. */
START_TEST(an_experiment_that_was_not_closed_is_whole)
{
	struct synthetic *s = synthetic_begin("a.er");
	synthetic_map_object(s, 0x1000, 0x1000, 0, 0x1000, "/bin/a");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x1100, 0x1200, 0x1300}, 3, 0);
	for (unsigned i = 1; i <= 1000; i++)
		synthetic_clock(s, 1, i * 1000, stack, 7, 0);
	synthetic_count(s, TALLY_clock_ticks, 1000);
	synthetic_kill(s);
	struct experiment *experiment = open_experiment("a.er");
	ck_assert(!experiment->closed);
	ck_assert_uint_eq(experiment->stacks.count, 1 + 4);
	ck_assert_uint_eq(experiment->segment_count, 1);
	ck_assert_uint_eq(experiment->tallies[TALLY_clock_ticks].value, 1000);
	struct event_source *source = find_source(experiment, "clock");
	struct event_batch batch = {0};
	uint64_t count = 0;
	for (unsigned block = 0; block < source->block_count; block++) {
		event_source_read(experiment, source, block, &batch);
		count += batch.count;
	}
	ck_assert_uint_eq(count, 1000);
	ck_assert_uint_eq(damage_total(experiment), 0);
	event_batch_free(&batch);
	experiment_close(experiment);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
		events_that_were_reported_before_a_kill_are_read, an_experiment_that_was_not_closed_is_whole};
	return RUN_TESTS("kill", tests);
}
