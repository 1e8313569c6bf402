/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as capture.h takes them, against what the program knows of itself and against libgcc's unwinder. */
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "modules.h"
#include "thread.h"
#include <check.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE    __attribute__((noinline))
#define FRAMES_MOST 70000

static struct experiment_directory directory;
static char path[64];
static __thread struct thread me;

static void now(struct time_triple *triple)
{
	memset(triple, 0, sizeof *triple);
}

static void begin_with_limit(uint32_t limit)
{
	static struct event_file stacks;
	static uint64_t tallies[TALLY_COUNT];
	char text[4096];
	int code;
	strcpy(path, "/tmp/test_stack_XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert(experiment_directory_open(&directory, path, &code));
	size_t size = stacks_describe(text, sizeof text);
	memset(&stacks, 0, sizeof stacks);
	ck_assert(event_file_create(&stacks, &directory, "stacks", text, (uint32_t)size, now, &code));
	memset(tallies, 0, sizeof tallies);
	collector.tallies = tallies;
	ck_assert(capture_start(&stacks, limit));
	memset(&me, 0, sizeof me);
	ck_assert(capture_thread_begin(&me));
}
static void begin(void)
{
	begin_with_limit(65536);
}
static void end(void)
{
	char command[128];
	capture_thread_end(&me);
	snprintf(command, sizeof command, "rm -rf %s", path);
	ck_assert_int_eq(system(command), 0);
}

/* The frames of a stack, leaf first, without the root. */
static unsigned frames_of(uint32_t id, uint64_t *frames, unsigned most, uint64_t *root)
{
	unsigned n = 0;
	uint32_t parent;
	for (;; id = parent) {
		uint64_t frame = context_frame(id, &parent);
		if (frame & CONTEXT_ROOT) {
			*root = frame & CONTEXT_ADDRESS;
			ck_assert_uint_eq(parent, 0);
			return n;
		}
		ck_assert_uint_lt(parent, id);
		ck_assert_uint_lt(n, most);
		frames[n++] = frame;
	}
}

static NOINLINE struct captured here(void)
{
	struct captured captured = capture_call(&me, __builtin_frame_address(0));
	__asm__ volatile("");
	return captured;
}

static NOINLINE struct captured recursive(int n, struct captured (*leaf)(void))
{
	struct captured captured = n > 1 ? recursive(n - 1, leaf) : leaf();
	__asm__ volatile("");
	return captured;
}

/* libgcc's frames from here outwards must be the stack's. */
static NOINLINE struct captured compare_with_libgcc(void)
{
	static void *theirs[FRAMES_MOST];
	static uint64_t ours[FRAMES_MOST];
	uint64_t root;
	int n = backtrace(theirs, FRAMES_MOST), first = 0;
	struct captured captured = here();
	unsigned m = frames_of(captured.stack, ours, FRAMES_MOST, &root);
	ck_assert_uint_eq(m, captured.depth);
	ck_assert_uint_gt(m, 3);
	/* Our own frame stands at another call, and a sanitizer may have put one of its own before it. */
	while (first < n && (uint64_t)theirs[first] != ours[1])
		first++;
	ck_assert_int_eq(n - first, (int)m - 1);
	for (unsigned i = 1; i < m; i++)
		ck_assert_uint_eq(ours[i], (uint64_t)theirs[first++]);
	return captured;
}

START_TEST(a_call_gives_what_libgcc_sees)
{
	begin();
	for (int depth = 1; depth < 3000; depth = depth * 3 / 2 + 1) {
		struct captured captured = recursive(depth, compare_with_libgcc);
		ck_assert_uint_ne(captured.stack, 0);
		ck_assert_int_eq(captured.end, ROOT_START);
		ck_assert(!captured.heuristic);
	}
	end();
}
END_TEST

START_TEST(equal_stacks_have_equal_ids)
{
	begin();
	uint32_t ids[3];
	for (volatile int i = 0; i < 3; i++) /* one call site */
		ids[i] = recursive(10, here).stack;
	ck_assert_uint_eq(ids[0], ids[1]);
	ck_assert_uint_eq(ids[0], ids[2]);
	ck_assert_uint_ne(recursive(11, here).stack, ids[0]);
	end();
}
END_TEST

/* Deeper than the limit: the leaf end is kept, under another root; the depth is the limit. */
START_TEST(the_leaf_end_is_kept)
{
	static uint64_t whole[FRAMES_MOST], cut[FRAMES_MOST];
	uint64_t root;
	begin_with_limit(65536);
	uint32_t id = recursive(100, here).stack;
	unsigned n = frames_of(id, whole, FRAMES_MOST, &root);
	ck_assert_uint_eq((root - 1) & 255, ROOT_START);
	end();
	for (uint32_t limit = 1; limit < n; limit = limit * 2 + 1) {
		begin_with_limit(limit);
		for (int again = 0; again < 2; again++) {
			struct captured captured = recursive(100, here);
			ck_assert_int_eq(captured.end, ROOT_TRUNCATED);
			ck_assert_uint_eq(captured.depth, limit);
			ck_assert_uint_eq(frames_of(captured.stack, cut, FRAMES_MOST, &root), limit);
			ck_assert_uint_eq((root - 1) & 255, ROOT_TRUNCATED);
			for (unsigned i = 0; i + 1 < limit; i++)
				ck_assert_uint_eq(cut[i], whole[i]);
		}
		ck_assert_uint_eq(collector.tallies[TALLY_stacks_truncated], 2);
		end();
	}
}
END_TEST

/* The memory of a shallower stack must not hide that a deeper one is cut. */
START_TEST(the_limit_holds_when_the_stack_grows)
{
	begin_with_limit(50);
	ck_assert_int_eq(recursive(20, here).end, ROOT_START);
	ck_assert_int_eq(recursive(100, here).end, ROOT_TRUNCATED);
	ck_assert_int_eq(recursive(20, here).end, ROOT_START);
	end();
}
END_TEST

START_TEST(deep_stacks_are_whole)
{
	static uint64_t frames[FRAMES_MOST];
	uint64_t root;
	begin();
	struct captured captured = {0}, first = {0};
	for (volatile int i = 0; i < 2; i++) { /* one call site */
		captured = recursive(60000, here);
		if (i == 0)
			first = captured;
	}
	ck_assert_uint_eq(first.stack, captured.stack);
	ck_assert_int_eq(captured.end, ROOT_START);
	ck_assert_uint_gt(captured.depth, 60000);
	ck_assert_uint_eq(frames_of(captured.stack, frames, FRAMES_MOST, &root), captured.depth);
	for (unsigned i = 2; i < 59000; i++)
		ck_assert_uint_eq(frames[i], frames[2]);
	end();
}
END_TEST

/* A frame that returns to 0 (a coroutine of somebody's own, say) is no known start. */
static struct captured on_zero;
static NOINLINE void below_zero(void)
{
	on_zero = here();
	longjmp(*(jmp_buf *)me.streams[0].file, 1);
}
START_TEST(a_zero_is_no_start)
{
	static uint64_t stack[8192] __attribute__((aligned(16)));
	static jmp_buf back;
	begin();
	me.streams[0].file = (void *)&back;
	if (setjmp(back) == 0) {
#if defined(__x86_64__)
		__asm__ volatile("mov %0, %%rsp; xor %%ebp, %%ebp; push $0; jmp *%1"
				 :
				 : "r"(stack + 8000), "r"(below_zero)
				 : "memory");
#else
		below_zero();
#endif
	}
#if defined(__x86_64__)
	ck_assert_int_eq(on_zero.end, ROOT_FAILED);
	ck_assert_uint_eq(on_zero.depth, 1);
	ck_assert_uint_eq(collector.tallies[TALLY_stacks_failed], 1);
#endif
	end();
}
END_TEST

/* A new generation of the address space gives stacks a new root, and the old id never again. */
START_TEST(a_generation_has_its_own_roots)
{
	static uint64_t before[FRAMES_MOST], after[FRAMES_MOST];
	uint64_t root_before, root_after;
	begin();
	uint32_t ids[2];
	for (volatile int i = 0; i < 2; i++) { /* one call site */
		ids[i] = recursive(10, here).stack;
		if (i == 0)
			capture_new_generation();
	}
	unsigned n = frames_of(ids[0], before, FRAMES_MOST, &root_before);
	ck_assert_uint_eq(frames_of(ids[1], after, FRAMES_MOST, &root_after), n);
	ck_assert_int_eq(memcmp(before, after, n * sizeof *before), 0);
	ck_assert_uint_eq(root_after, root_before + 256);
	ck_assert_uint_eq((root_after - 1) >> 8, capture_generation());
	end();
}
END_TEST

/* Without libc's help: the own table of modules gives the same stacks; an object that is loaded later needs a refresh. */
START_TEST(the_own_table_gives_the_same)
{
	setenv(ENVIRONMENT_OWN_MODULES, "1", 1);
	begin();
	for (int depth = 1; depth < 1000; depth = depth * 3 + 1)
		ck_assert_int_eq(recursive(depth, compare_with_libgcc).end, ROOT_START);
	struct module module;
	void *library = dlopen("libcrypto.so.3", RTLD_NOW);
	void *function = library ? dlsym(library, "SHA256_Init") : 0;
	ck_assert_ptr_nonnull(function);
	ck_assert(!module_find((uint64_t)function, &module));
	modules_refresh();
	ck_assert(module_find((uint64_t)function, &module));
	ck_assert_ptr_nonnull(module.eh_frame_hdr);
	end();
	unsetenv(ENVIRONMENT_OWN_MODULES);
}
END_TEST

/* qsort calls back: each of 4 depths in turn, through libc, must be what libgcc sees; so must many threads' stacks. */
static int compare_stacks(const void *a, const void *b)
{
	recursive(1 + (*(const int *)a + *(const int *)b) % 4, compare_with_libgcc);
	return *(const int *)a - *(const int *)b;
}
static void *sort_in_thread(void *unused)
{
	int numbers[40];
	memset(&me, 0, sizeof me);
	ck_assert(capture_thread_begin(&me));
	for (int i = 0; i < 40; i++)
		numbers[i] = i * 17 % 41;
	qsort(numbers, 40, sizeof numbers[0], compare_stacks);
	capture_thread_end(&me);
	return unused;
}
START_TEST(threads_one_after_another)
{
	begin();
	for (int i = 0; i < 100; i++) {
		pthread_t thread;
		pthread_create(&thread, 0, sort_in_thread, 0);
		pthread_join(thread, 0);
	}
	ck_assert_uint_eq(collector.tallies[TALLY_stacks_failed], 0);
	ck_assert_uint_eq(collector.tallies[TALLY_stacks_heuristic], 0);
	ck_assert_uint_gt(collector.tallies[TALLY_stacks_complete], 100 * 100);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stack capture");
	TCase *test = tcase_create("calls");
	void *warm[2];
	backtrace(warm, 2);
	tcase_add_test(test, a_call_gives_what_libgcc_sees);
	tcase_add_test(test, equal_stacks_have_equal_ids);
	tcase_add_test(test, the_leaf_end_is_kept);
	tcase_add_test(test, the_limit_holds_when_the_stack_grows);
	tcase_add_test(test, deep_stacks_are_whole);
	tcase_add_test(test, a_zero_is_no_start);
	tcase_add_test(test, a_generation_has_its_own_roots);
	tcase_add_test(test, the_own_table_gives_the_same);
	tcase_add_test(test, threads_one_after_another);
	tcase_set_timeout(test, 60);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
