/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a program, takes its stacks by the collector's capture and judges them at exit, in one line appended to
   $SAMPLER_REPORT:

     PROGRAM samples N complete % heuristic % failed % outer % calls N complete % compared N mismatched N libgcc N differ N

   samples: of a CPU clock, SAMPLER_INTERVAL (500000) ns apart; outer: those that show a function whose exported name begins with
   "outer_". SAMPLER_HEAP=1: each malloc, calloc, realloc and free takes a stack too, interrupted by samples; SAMPLER_LIBGCC=n:
   each n-th of those is compared with libgcc's unwinder. Built with UNWIND_SELF_CHECK, each capture is compared with a walk
   that remembers nothing. */
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "incremental.h"
#include "pages.h"
#include "system_calls.h"
#include "thread.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef UNWIND_SELF_CHECK
static const uint64_t self_check_compared, self_check_mismatched;
#endif

#define PUBLIC        __attribute__((visibility("default")))
#define NODES_MOST    (1u << 22)
#define LIBGCC_FRAMES 1024

struct outcomes {
	uint64_t complete, heuristic, failed, truncated;
};
struct collector collector; /* the sampler is no collector: capture only counts in it */
static struct outcomes samples, calls;
static uint64_t libgcc_compared, libgcc_differs;
static uint32_t *count_of; /* samples by stack */
static bool running;
static unsigned long interval = 500000, heap, libgcc;
static char path[] = "/tmp/sampler_XXXXXX";

struct sampled {
	struct thread thread;
	int perf;
	bool busy;
};
static __thread struct sampled *me __attribute__((tls_model("initial-exec")));

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static void add(struct outcomes *tally, struct captured captured)
{
	uint64_t *place = captured.end == ROOT_TRUNCATED ? &tally->truncated
			  : captured.end == ROOT_FAILED  ? &tally->failed
			  : captured.heuristic           ? &tally->heuristic
							 : &tally->complete;
	__atomic_fetch_add(place, 1, __ATOMIC_RELAXED);
}

static void on_clock(int number, siginfo_t *info, void *context)
{
	struct sampled *thread = me;
	int saved = errno;
	(void)number, (void)info;
	if (thread && running) {
		struct captured captured = capture_signal(&thread->thread, context);
		add(&samples, captured);
		if (captured.stack < NODES_MOST)
			__atomic_fetch_add(&count_of[captured.stack], 1, __ATOMIC_RELAXED);
	}
	errno = saved;
}

static void clock_start(struct sampled *thread)
{
	struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.wakeup_events = 1,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = interval,
		.disabled = 1};
	struct f_owner_ex owner = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};
	thread->perf = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (thread->perf < 0) { /* refused, or an emulator: one timer for the process */
		long microseconds = interval > 4000000 ? (long)interval / 1000 : 4000;
		setitimer(ITIMER_PROF, &(struct itimerval){{0, microseconds}, {0, microseconds}}, 0);
		return;
	}
	fcntl(thread->perf, F_SETFL, O_ASYNC | O_NONBLOCK);
	fcntl(thread->perf, F_SETSIG, SIGPROF);
	fcntl(thread->perf, F_SETOWN_EX, &owner);
	ioctl(thread->perf, PERF_EVENT_IOC_ENABLE, 0);
}

static void thread_start(void)
{
	struct sampled *thread = pages_map(sizeof *thread);
	pthread_attr_t attributes;
	void *low;
	size_t size;
	if (!pthread_getattr_np(pthread_self(), &attributes)) {
		pthread_attr_getstack(&attributes, &low, &size);
		pthread_attr_destroy(&attributes);
		thread->thread.stack_low = (uintptr_t)low;
		thread->thread.stack_high = (uintptr_t)low + size;
	}
	capture_thread_begin(&thread->thread);
	me = thread;
	clock_start(thread);
}

/* libgcc's frames from the caller of the wrapper outwards against the stack's. */
static void compare_with_libgcc(uint32_t stack)
{
	static __thread void *theirs[LIBGCC_FRAMES] __attribute__((tls_model("initial-exec")));
	int n = backtrace(theirs, LIBGCC_FRAMES), i = 0;
	uint32_t parent, id = stack;
	uint64_t frame = context_frame(id, &parent);
	while (i < n && (uint64_t)theirs[i] != frame)
		i++;
	for (; i < n && !(frame & CONTEXT_ROOT) && (uint64_t)theirs[i] == (frame & CONTEXT_ADDRESS); i++) {
		id = parent;
		frame = context_frame(id, &parent);
	}
	__atomic_fetch_add(&libgcc_compared, 1, __ATOMIC_RELAXED);
	if (n < LIBGCC_FRAMES && (i < n || !(frame & CONTEXT_ROOT)))
		__atomic_fetch_add(&libgcc_differs, 1, __ATOMIC_RELAXED);
}

static void heap_call(const void *frame)
{
	static __thread unsigned long turn __attribute__((tls_model("initial-exec")));
	struct sampled *thread = me;
	if (!thread || !running || !heap || thread->busy)
		return;
	thread->busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	struct captured captured = capture_call(&thread->thread, frame);
	add(&calls, captured);
	if (libgcc && ++turn % libgcc == 0 && captured.end == ROOT_START)
		compare_with_libgcc(captured.stack);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->busy = false;
}

PUBLIC void *malloc(size_t size)
{
	heap_call(__builtin_frame_address(0));
	return __libc_malloc(size);
}
PUBLIC void *calloc(size_t count, size_t size)
{
	heap_call(__builtin_frame_address(0));
	return __libc_calloc(count, size);
}
PUBLIC void *realloc(void *old, size_t size)
{
	heap_call(__builtin_frame_address(0));
	return __libc_realloc(old, size);
}
PUBLIC void free(void *block)
{
	heap_call(__builtin_frame_address(0));
	__libc_free(block);
}

struct start {
	void *(*routine)(void *);
	void *argument;
};
static void *start_routine(void *argument)
{
	struct start start = *(struct start *)argument;
	void *result;
	__libc_free(argument);
	thread_start();
	result = start.routine(start.argument);
	struct sampled *thread = me;
	me = 0;
	close(thread->perf);
	capture_thread_end(&thread->thread);
	return result;
}
PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	if (!next)
		next = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
			RTLD_NEXT, "pthread_create");
	if (!running)
		return next(thread, attributes, routine, argument);
	struct start *start = __libc_malloc(sizeof *start);
	*start = (struct start){routine, argument};
	return next(thread, attributes, start_routine, start);
}
PUBLIC int dlclose(void *handle)
{
	static int (*next)(void *);
	if (!next)
		next = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	int result = next(handle);
	capture_new_generation();
	return result;
}

/* dladdr searches linearly, and some programs export very many functions: answers are kept. */
static bool is_outer(uint64_t pc)
{
	static struct {
		uint64_t pc;
		bool outer;
	} known[1 << 16];
	unsigned i = (unsigned)(pc * 0x9E3779B97F4A7C15ull >> 48);
	Dl_info info;
	if (known[i].pc != pc) {
		known[i].pc = pc;
		known[i].outer =
			dladdr((void *)pc, &info) && info.dli_sname && strncmp(info.dli_sname, "outer_", 6) == 0;
	}
	return known[i].outer;
}

static bool shows_outer(uint32_t id)
{
	uint32_t parent;
	for (;; id = parent) {
		uint64_t frame = context_frame(id, &parent);
		if (frame & CONTEXT_ROOT)
			return false;
		if (is_outer((frame & CONTEXT_ADDRESS) - !(frame & CONTEXT_EXACT)))
			return true;
	}
}

static void print_stack(FILE *report, uint32_t id)
{
	uint32_t parent;
	fprintf(report, "  x%u:", count_of[id]);
	for (int n = 0; n < 40; n++, id = parent) {
		uint64_t frame = context_frame(id, &parent), pc = frame & CONTEXT_ADDRESS;
		Dl_info info = {0};
		if (frame & CONTEXT_ROOT) {
			fprintf(report, " root %lx", pc);
			break;
		}
		dladdr((void *)pc, &info);
		fprintf(report, " %s%s%s(%s+%lx)", frame & CONTEXT_EXACT ? "=" : "",
			frame & CONTEXT_HEURISTIC ? "?" : "", info.dli_sname ? info.dli_sname : "",
			info.dli_fname ? basename(info.dli_fname) : "-",
			info.dli_fname ? pc - (uint64_t)info.dli_fbase : pc);
	}
	fprintf(report, "\n");
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100;
}

static void print_report(FILE *report)
{
	uint64_t all = samples.complete + samples.heuristic + samples.failed + samples.truncated, outer = 0;
	uint64_t all_calls = calls.complete + calls.heuristic + calls.failed + calls.truncated;
	const char *verbose = getenv("SAMPLER_VERBOSE");
	for (uint32_t id = 1; id < NODES_MOST; id++) {
		if (!count_of[id])
			continue;
		bool shows = shows_outer(id);
		outer += shows ? count_of[id] : 0;
		uint32_t root = id, parent;
		bool flagged = false;
		uint64_t frame;
		while (!((frame = context_frame(root, &parent)) & CONTEXT_ROOT)) {
			flagged |= (frame & CONTEXT_HEURISTIC) != 0;
			root = parent;
		}
		if (verbose && ((*verbose == 'o' && !shows) || flagged || ((frame - 1) & 255) != ROOT_START))
			print_stack(report, id);
	}
	fprintf(report,
		"%s samples %lu complete %.3f heuristic %.3f failed %.3f outer %.3f calls %lu complete %.3f compared "
		"%lu mismatched %lu "
		"libgcc %lu differ %lu\n",
		program_invocation_short_name, all, percent(samples.complete, all), percent(samples.heuristic, all),
		percent(samples.failed, all), percent(outer, all), all_calls, percent(calls.complete, all_calls),
		self_check_compared, self_check_mismatched, libgcc_compared, libgcc_differs);
}

__attribute__((destructor)) static void end(void)
{
	const char *name = getenv("SAMPLER_REPORT");
	char command[64];
	if (!running)
		return;
	running = false;
	unsetenv("LD_PRELOAD");
	FILE *report = name ? fopen(name, "a") : stderr;
	if (report)
		print_report(report);
	if (report && name)
		fclose(report);
	snprintf(command, sizeof command, "rm -rf %s", path);
	if (system(command))
		perror(path);
}

static void no_time(struct time_triple *triple)
{
	memset(triple, 0, sizeof *triple);
}
static unsigned long number(const char *name, unsigned long initial)
{
	const char *value = getenv(name);
	return value ? strtoul(value, 0, 10) : initial;
}
/* A forked child has no tree of its own here: it is left alone. */
static void in_child(void)
{
	running = false;
	if (me && me->perf >= 0)
		close(me->perf);
	me = 0;
}

__attribute__((constructor)) static void begin(void)
{
	static struct experiment_directory directory;
	static struct event_file stacks;
	static uint64_t tallies[TALLY_COUNT];
	static char text[4096];
	struct sigaction action = {.sa_sigaction = on_clock, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
	int code;
	void *warm[4];
	size_t size = stacks_describe(text, sizeof text);
	interval = number("SAMPLER_INTERVAL", interval);
	heap = number("SAMPLER_HEAP", 0);
	libgcc = number("SAMPLER_LIBGCC", 0);
	count_of = pages_map(NODES_MOST * sizeof *count_of);
	collector.tallies = tallies;
	if (libgcc)
		backtrace(warm, 4);
	if (!mkdtemp(path) || !experiment_directory_open(&directory, path, &code) ||
		!event_file_create(&stacks, &directory, "stacks", text, (uint32_t)size, no_time, &code) ||
		!capture_start(&stacks, (uint32_t)number("SAMPLER_LIMIT", 65536)))
		return;
	pthread_atfork(0, 0, in_child);
	sigaction(SIGPROF, &action, 0);
	running = true;
	thread_start();
}
