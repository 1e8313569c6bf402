/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of calling contexts: equal contexts have equal ids whoever asks and whenever, and what is in the file is the tree. */
#include "collector.h"
#include "context_tree.h"
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define THREADS  4
#define CONTEXTS 20000u

static struct experiment_directory directory;
static struct event_file stacks;
static uint64_t tallies[TALLY_COUNT];
static char path[64];

static void no_time(struct time_triple *triple)
{
	memset(triple, 0, sizeof *triple);
}

static void begin(void)
{
	char text[4096];
	int code;
	strcpy(path, "/tmp/test_stack_XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert(experiment_directory_open(&directory, path, &code));
	size_t size = stacks_describe(text, sizeof text);
	ck_assert(event_file_create(&stacks, &directory, "stacks", text, (uint32_t)size, no_time, &code));
	collector.tallies = tallies;
	ck_assert(context_tree_start(&stacks));
}
static void end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", path);
	ck_assert_int_eq(system(command), 0);
}

/* Context n is a child of context n / 3, or of the root; its address tells n. */
static uint32_t insert(uint32_t *ids, uint32_t n)
{
	if (ids[n])
		return ids[n];
	uint32_t parent = n ? insert(ids, n / 3) : context_root(ROOT_START, 7);
	return ids[n] = context_child(
		       parent, (0x1000 + n) | (n % 5 == 0 ? CONTEXT_EXACT : 0) | (n % 7 == 0 ? CONTEXT_HEURISTIC : 0));
}

START_TEST(the_same_context_is_the_same_node)
{
	begin();
	uint32_t root = context_root(ROOT_START, 0), a = context_child(root, 0x1000);
	ck_assert_uint_ne(root, 0);
	ck_assert_uint_gt(a, root);
	ck_assert_uint_eq(context_child(root, 0x1000), a);
	ck_assert_uint_ne(context_child(root, 0x1000 | CONTEXT_EXACT), a);
	ck_assert_uint_ne(context_child(root, 0x1000 | CONTEXT_HEURISTIC), a);
	ck_assert_uint_ne(context_child(a, 0x1000), a);
	ck_assert_uint_ne(context_root(ROOT_FAILED, 0), root);
	ck_assert_uint_ne(context_root(ROOT_START, 1), root);
	ck_assert_uint_eq(context_root(ROOT_START, 0), root);
	end();
}
END_TEST

/* The mapped bytes of the file, nodes by id. */
static const struct stack_node *node_in_file(const char *bytes, size_t size, uint32_t id)
{
	size_t block = (id - 1) / STACK_NODES_PER_BLOCK, slot = (id - 1) % STACK_NODES_PER_BLOCK;
	size_t offset = stacks.header_size + block * BLOCK_MAX + BLOCK_HEADER_SIZE + slot * sizeof(struct stack_node);
	ck_assert_uint_le(offset + sizeof(struct stack_node), size);
	return (const struct stack_node *)(bytes + offset);
}

static void compare_with_file(const uint32_t *ids)
{
	char name[128];
	struct stat status;
	snprintf(name, sizeof name, "%s/stacks", path);
	int fd = open(name, O_RDONLY);
	ck_assert_int_eq(fstat(fd, &status), 0);
	const char *bytes = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(bytes, MAP_FAILED);
	for (uint32_t n = 0; n < CONTEXTS; n++) {
		const struct stack_node *node = node_in_file(bytes, (size_t)status.st_size, ids[n]);
		ck_assert_uint_eq(node->pc, 0x1000 + n);
		ck_assert_uint_eq(node->flags, (n % 5 == 0 ? NODE_EXACT : 0) | (n % 7 == 0 ? NODE_HEURISTIC : 0));
		ck_assert_uint_eq(node->check, stack_node_check(node->pc, node->parent, node->flags));
		ck_assert_uint_lt(node->parent, ids[n]);
		if (n)
			ck_assert_uint_eq(node->parent, ids[n / 3]);
	}
	const struct stack_node *root = node_in_file(
		bytes, (size_t)status.st_size, node_in_file(bytes, (size_t)status.st_size, ids[0])->parent);
	ck_assert_uint_eq(root->pc, 1 + ROOT_START + (7 << 8));
	ck_assert_uint_eq(root->flags, NODE_ROOT);
	ck_assert_uint_eq(root->parent, 0);
	munmap((void *)bytes, (size_t)status.st_size);
	close(fd);
}

START_TEST(the_file_is_the_tree)
{
	static uint32_t ids[CONTEXTS];
	begin();
	for (uint32_t n = 0; n < CONTEXTS; n++)
		ck_assert_uint_ne(insert(ids, n * 7919 % CONTEXTS), 0);
	compare_with_file(ids);
	ck_assert_uint_eq(tallies[TALLY_stack_nodes], CONTEXTS + 1);
	/* No block was taken that holds no node. */
	ck_assert_uint_eq(stacks.next >> 32, CONTEXTS / STACK_NODES_PER_BLOCK + 1);
	end();
}
END_TEST

static uint32_t ids_of[2 * THREADS][CONTEXTS];
static volatile uint32_t handled;
static __thread unsigned mine;
static __thread uint32_t position_in_handler;

/* A handler makes the same insertions while it interrupts them, in its own order. */
static void on_signal(int number)
{
	(void)number;
	for (int i = 0; i < 20 && position_in_handler < CONTEXTS; i++, position_in_handler++)
		insert(ids_of[THREADS + mine], position_in_handler * 13 % CONTEXTS);
	handled++;
}

static void *insert_all(void *argument)
{
	static const uint32_t stride[THREADS] = {1, 3, 7919, 17};
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct itimerspec often = {{0, 20000}, {0, 20000}};
	mine = (unsigned)(uintptr_t)argument;
	event._sigev_un._tid = gettid();
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &often, 0);
	for (uint32_t n = 0; n < CONTEXTS; n++)
		insert(ids_of[mine], n * stride[mine] % CONTEXTS);
	timer_delete(timer);
	return 0;
}

START_TEST(threads_and_handlers_agree)
{
	pthread_t threads[THREADS];
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	begin();
	sigaction(SIGUSR1, &action, 0);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, insert_all, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	ck_assert_uint_gt(handled, 10);
	for (uint32_t n = 0; n < CONTEXTS; n++)
		for (int i = 1; i < 2 * THREADS; i++)
			if (i < THREADS || ids_of[i][n])
				ck_assert_uint_eq(ids_of[i][n], ids_of[0][n]);
	compare_with_file(ids_of[0]);
	end();
}
END_TEST

/* A full disk: no new contexts, those that are there are found. */
START_TEST(a_full_disk_keeps_what_is_there)
{
	static uint32_t ids[CONTEXTS];
	uint32_t n = 0;
	begin();
	uint32_t root = context_root(ROOT_START, 0);
	for (n = 0; n < CONTEXTS; n++) {
		if (n == 100)
			stacks.full = 1;
		ids[n] = context_child(root, 0x1000 + n);
		if (!ids[n])
			break;
	}
	ck_assert_uint_eq(n, STACK_NODES_PER_BLOCK - 1);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_uint_eq(context_child(root, 0x1000 + i), ids[i]);
	ck_assert_uint_eq(context_child(root, 0x999), 0);
	end();
}
END_TEST

/* After fork the child's tree begins anew, in a file of its own. */
START_TEST(a_new_tree_is_empty)
{
	static uint32_t ids[CONTEXTS];
	begin();
	uint32_t first = context_root(ROOT_START, 7);
	for (uint32_t n = 0; n < CONTEXTS; n++)
		insert(ids, n);
	end();
	memset(ids, 0, sizeof ids);
	begin();
	ck_assert_uint_eq(context_root(ROOT_START, 7), first);
	for (uint32_t n = 0; n < CONTEXTS; n++)
		insert(ids, n);
	compare_with_file(ids);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tree of calling contexts");
	TCase *test = tcase_create("tree");
	tcase_set_timeout(test, 60);
	tcase_add_test(test, the_same_context_is_the_same_node);
	tcase_add_test(test, the_file_is_the_tree);
	tcase_add_test(test, threads_and_handlers_agree);
	tcase_add_test(test, a_full_disk_keeps_what_is_there);
	tcase_add_test(test, a_new_tree_is_empty);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
