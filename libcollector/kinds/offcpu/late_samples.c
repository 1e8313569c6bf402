/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and reading them: see late_samples.h. */
#include "late_samples.h"
#include "memory.h"
#include "pages.h"
#include "perf_event.h"
#include "system_calls.h"
#include "touched_ring.h"
#include <string.h>
#include <time.h>

/* Pages of data: room for 30 samples with 4 KB of the stack, 58 with 2 KB. */
enum { PAGES_MOST = 32, PAGES_LEAST = 2 };
/* Frames, at most: nothing of an earlier walk is remembered, so each one costs. */
enum { FRAMES_MOST = 1024 };

#define SAMPLE_TYPE                                                                                                    \
	(PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

static int open_event(uint32_t type, uint64_t config, uint32_t stack_bytes)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = type;
	attributes.config = config;
	attributes.sample_period = 1;
	attributes.sample_type = SAMPLE_TYPE;
	attributes.sample_regs_user = PERF_REGISTERS;
	attributes.sample_stack_user = stack_bytes;
	attributes.use_clockid = 1;
	attributes.clockid = CLOCK_MONOTONIC;
	attributes.exclude_hv = 1;
	return perf_event_open(&attributes, -1);
}

/* The mapping keeps the event: no descriptor is left for the target to see. */
static bool map_event(struct late_samples *samples, int fd)
{
	if (fd < 0)
		return false;
	samples->ring_pages = PAGES_MOST;
	samples->ring = touched_ring_map(fd, &samples->ring_pages, PAGES_LEAST);
	sys_close(fd);
	return samples->ring != 0;
}

struct late_samples *late_samples_open(uint32_t type, uint64_t config, uint32_t stack_bytes)
{
	struct late_samples *samples = pages_map(sizeof *samples);
	if (samples && map_event(samples, open_event(type, config, stack_bytes)))
		return samples;
	pages_unmap(samples, sizeof *samples);
	return 0;
}

void late_samples_close(struct late_samples *samples)
{
	perf_ring_unmap(samples->ring, samples->ring_pages);
	pages_unmap(samples, sizeof *samples);
}

void late_samples_forget(struct late_samples *samples)
{
	pages_unmap(samples, sizeof *samples);
}

bool late_samples_look(struct late_samples *samples)
{
	struct ring_contents *contents = &samples->contents;
	if (samples->found)
		return true;
	ring_contents_clear(contents);
	while (!contents->sampled && ring_take_one(samples->ring, SAMPLE_TYPE, contents))
		;
	samples->found = contents->sampled;
	return samples->found;
}

/* A thread in a system call is to return behind its instruction, where another line or inlined function may begin. Which call it
   was is told by the instruction itself. */
static uint64_t before_system_call(uint64_t pc)
{
	unsigned char code[SYSTEM_CALL_BYTES];
	struct memory memory = {0};
	bool is_one = memory_read_bytes(&memory, pc - sizeof code, code, sizeof code) && bytes_are_system_call(code);
	return is_one ? pc - sizeof code : pc;
}

/* From where on the thread's own stack is as it was. The sample may be of a signal handler, ours too, on a stack of its own: it has
   interrupted what the thread's stack still has. 0: it is not known. */
static uint64_t unchanged_from(const struct thread *thread, uint64_t sp, uint64_t size, uint64_t in_use)
{
	uint64_t low = thread->stack_low, span = thread->stack_high - low;
	if (sp - low < span && in_use < sp + size)
		return in_use ? sp + size : 0;
	return in_use - low < span ? in_use : 0;
}

struct captured late_samples_stack(struct thread *thread, const struct late_samples *samples, uint64_t in_use)
{
	const struct ring_contents *contents = &samples->contents;
	uint64_t sp = contents->registers[SAVED_STACK_POINTER];
	uint64_t size = sp & 7 ? 0 : contents->stack_size;
	const struct stack_copy copy = {sp, size, contents->stack, unchanged_from(thread, sp, size, in_use),
		thread->stack_high, FRAMES_MOST, contents->time};
	if (!contents->has_registers)
		return (struct captured){.end = ROOT_FAILED};
	struct captured captured = capture_copied(thread, &copy, contents->registers);
	captured.stack = capture_leaf(captured.stack, before_system_call(contents->registers[SAVED_PC]));
	return captured;
}
