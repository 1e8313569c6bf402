/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring a call, and turning it into events and totals. */
#include "call.h"
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "guard.h"
#include "operations.h"
#include "pages.h"
#include "polls.h"
#include "recording.h"
#include "system_calls.h"
#include <string.h>

enum { LEAVES = 64, MEMORIES = 2 };

struct mpi_thread {
	const void *outer;  /* frame address of the wrapper that the thread is in; 0: it is in none */
	uint64_t *progress; /* its slot, or slots that nobody reads */
	uint64_t nowhere[MPI_PROGRESS_COLUMNS];
	unsigned slot; /* number of the slot and 1; 0: none was free */
	struct polls polls;
	/* A small direct-mapped cache: an application calls a few functions from a few places, and a node of the tree of contexts
	   costs more to find than two comparisons. */
	struct leaf {
		uint32_t caller, node;
		enum mpi_number number;
		uint32_t era;
	} leaves[LEAVES]; /* stacks with the function on top, found before */
	struct memory {
		void *bytes;
		size_t size;
	} memory[MEMORIES], messages;
	struct mpi_message lost; /* there was no memory for it */
	struct mpi_thread *next; /* in the list of those without a thread */
};

static __thread struct mpi_thread *mpi_thread __attribute__((tls_model("initial-exec")));
static uint64_t slots_taken; /* atomic: a bit for each */
static struct mpi_thread *unused;
static int list_lock, table_lock;

bool mpi_several_threads;

/* A lock of our own, because the pthread functions may be interposed by the target, by a tool or by our own sync tracing. */
static void lock(int *held)
{
	while (__atomic_exchange_n(held, 1, __ATOMIC_ACQUIRE))
		system_call(SYS_sched_yield);
}

static void unlock(int *held)
{
	__atomic_store_n(held, 0, __ATOMIC_RELEASE);
}

void mpi_lock_tables(void)
{
	lock(&table_lock);
}

void mpi_unlock_tables(void)
{
	unlock(&table_lock);
}

static void take_slot(struct mpi_thread *thread)
{
	uint64_t taken = __atomic_load_n(&slots_taken, __ATOMIC_RELAXED);
	thread->progress = thread->nowhere;
	thread->slot = 0;
	while (~taken) {
		unsigned free = (unsigned)__builtin_ctzll(~taken);
		if (!__atomic_compare_exchange_n(
			    &slots_taken, &taken, taken | 1ull << free, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		thread->slot = free + 1;
		thread->progress = mpi_file.progress[free];
		return;
	}
}

static struct mpi_thread *thread_begin_mpi(void)
{
	lock(&list_lock);
	struct mpi_thread *thread = unused;
	if (thread)
		unused = thread->next;
	unlock(&list_lock);
	if (!thread)
		thread = pages_map(sizeof *thread);
	if (!thread || !mpi_tracing_start())
		return 0;
	take_slot(thread);
	thread->progress[MPI_PROGRESS_thread] = current_thread->number;
	return mpi_thread = thread;
}

void mpi_thread_end(void)
{
	struct mpi_thread *thread = mpi_thread;
	if (!thread)
		return;
	polls_write(&thread->polls);
	/* In a call that ends the process (MPI_Abort), the slot says so for ever. */
	if (thread->outer)
		thread->slot = 0;
	else
		thread->progress[MPI_PROGRESS_function] = 0;
	if (thread->slot)
		__atomic_fetch_and(&slots_taken, ~(1ull << (thread->slot - 1)), __ATOMIC_RELAXED);
	memset(thread->leaves, 0, sizeof thread->leaves);
	thread->outer = 0;
	mpi_thread = 0;
	lock(&list_lock);
	thread->next = unused;
	unused = thread;
	unlock(&list_lock);
}

void mpi_threads_forget(void)
{
	mpi_thread = 0;
	unused = 0;
	slots_taken = 0;
	list_lock = table_lock = 0;
}

/* The stack of the call, with the function itself as its leaf: all bindings of a function are one function then, and it is the
   one that the clock's samples show. */
static uint32_t stack_of(struct mpi_thread *thread, enum mpi_number number, const void *frame_address)
{
	uint32_t caller = mpi_stacks ? capture_call(current_thread, frame_address).stack
				     : context_root(ROOT_TRUNCATED, capture_generation());
	uint32_t era = capture_generation();
	struct leaf *leaf = &thread->leaves[(caller * 31 + number) % LEAVES];
	if (leaf->caller == caller && leaf->number == number && leaf->era == era && leaf->node)
		return leaf->node;
	if (!caller)
		return 0;
	uint32_t node = context_child(caller, (uint64_t)mpi_real(number, false) | CONTEXT_EXACT);
	*leaf = (struct leaf){caller, node, number, era};
	return node;
}

static void begin_progress(struct mpi_call *call)
{
	uint64_t *progress = call->progress;
	progress[MPI_PROGRESS_start] = call->start;
	progress[MPI_PROGRESS_communicator] = call->communicator;
	__atomic_store_n(&progress[MPI_PROGRESS_function], call->number + 1, __ATOMIC_RELEASE);
}

bool mpi_call_begin(struct mpi_call *call, enum mpi_number number, const void *frame_address, long *arguments)
{
	struct mpi_thread *thread = mpi_thread;
	/* A wrapper that is left by an exception or a longjmp does not clear it; then the frame is at or above it. */
	if (thread && thread->outer && frame_address < thread->outer)
		return false;
	if (!guard_enter())
		return false;
	if (!thread && !(thread = thread_begin_mpi())) {
		guard_leave();
		return false;
	}
	thread->outer = frame_address;
	call->function = &mpi_functions[number];
	call->number = number;
	call->thread = thread;
	call->progress = thread->progress;
	call->arguments = arguments;
	call->communicator = 0;
	call->poll = call->written = false;
	call->message_count = 0;
	call->message.role = ROLE_NONE;
	call->stack = stack_of(thread, number, frame_address); /* MPI_Abort's event is written by what follows */
	enum mpi_operation operation = call->function->operation;
	call->abi = operation ? mpi_abi() : 0;
	if (call->abi)
		operation_before(call);
	call->start = time_raw();
	begin_progress(call);
	guard_leave();
	return true;
}

void *mpi_call_memory(struct mpi_call *call, unsigned which, size_t size)
{
	struct memory *memory = &call->thread->memory[which];
	if (memory->size >= size)
		return memory->bytes;
	pages_unmap(memory->bytes, memory->size);
	size = (size + PAGE_UNIT - 1) / PAGE_UNIT * PAGE_UNIT;
	memory->bytes = pages_map(size);
	memory->size = memory->bytes ? size : 0;
	return memory->bytes;
}

struct mpi_message *mpi_call_further_message(struct mpi_call *call)
{
	struct memory *messages = &call->thread->messages;
	size_t index = call->message_count - 2;
	if ((index + 1) * sizeof(struct mpi_message) > messages->size) {
		size_t size = messages->size ? messages->size * 2 : PAGE_UNIT;
		void *bytes = pages_map(size);
		if (!bytes) {
			call->message_count--;
			count(TALLY_events_lost_memory, 1);
			return &call->thread->lost;
		}
		/* The size is 0 the first time; memcpy() must not be handed a null pointer even then. */
		memcpy(bytes, messages->bytes ? messages->bytes : bytes, messages->size);
		pages_unmap(messages->bytes, messages->size);
		*messages = (struct memory){bytes, size};
	}
	return (struct mpi_message *)messages->bytes + index;
}

static void add_total(enum mpi_number number, enum mpi_total total, uint64_t amount)
{
	uint64_t *sum = &mpi_file.totals[number][total];
	if (mpi_several_threads)
		__atomic_fetch_add(sum, amount, __ATOMIC_RELAXED);
	else
		*sum += amount;
}

/* Returns whether it is one that makes the call no "other" call. */
static bool add_message(enum mpi_number number, const struct mpi_message *message)
{
	if (message->role == ROLE_SEND) {
		add_total(number, MPI_TOTAL_sends, 1);
		add_total(number, MPI_TOTAL_sent, message->sent);
		return true;
	}
	if (message->role == ROLE_RECEIVE) {
		add_total(number, MPI_TOTAL_receives, 1);
		add_total(number, MPI_TOTAL_received, message->received);
		return true;
	}
	return false;
}

static const struct mpi_message *message_at(const struct mpi_call *call, unsigned index)
{
	return index ? (const struct mpi_message *)call->thread->messages.bytes + (index - 1) : &call->message;
}

static void add_totals(const struct mpi_call *call, uint64_t duration)
{
	bool other = true;
	for (unsigned i = 0; i < call->message_count; i++)
		if (add_message(call->number, message_at(call, i)))
			other = false;
	add_total(call->number, MPI_TOTAL_calls, 1);
	add_total(call->number, MPI_TOTAL_time, duration);
	if (other)
		add_total(call->number, MPI_TOTAL_other, 1);
}

/* Puts a message first that says whether the call is an "other" one: an event counts as it does. */
static void put_message_first(struct mpi_call *call)
{
	/* Only the first event of a call has calls = 1, and a report decides by that event's role whether the call is an "other"
	   one. */
	for (unsigned i = 1; i < call->message_count; i++) {
		struct mpi_message *message = (struct mpi_message *)message_at(call, i);
		if (message->role != ROLE_SEND && message->role != ROLE_RECEIVE)
			continue;
		if (call->message.role != ROLE_SEND && call->message.role != ROLE_RECEIVE) {
			struct mpi_message first = call->message;
			call->message = *message;
			*message = first;
		}
		return;
	}
}

bool mpi_event_write(const struct mpi_event *event, const struct mpi_message *message)
{
	struct event_file *file = &collector.files[KIND_MPI];
	struct event_head head = {.time = event->start, .stack = event->stack};
	uint64_t fields[] = {
		[FIELD_INDEX(MPI, function)] = event->number,
		[FIELD_INDEX(MPI, duration)] = event->duration,
		[FIELD_INDEX(MPI, calls)] = event->calls,
		[FIELD_INDEX(MPI, between)] = event->between,
		[FIELD_INDEX(MPI, role)] = message->role,
		[FIELD_INDEX(MPI, peer)] = message->peer,
		[FIELD_INDEX(MPI, tag)] = message->tag,
		[FIELD_INDEX(MPI, communicator)] = message->communicator,
		[FIELD_INDEX(MPI, sent)] = message->sent,
		[FIELD_INDEX(MPI, received)] = message->received,
		[FIELD_INDEX(MPI, order)] = message->order,
		[FIELD_INDEX(MPI, result)] = event->result,
	};
	if (!mpi_stopped && mpi_space_limit &&
		(uint32_t)__atomic_load_n(&file->next, __ATOMIC_RELAXED) * (uint64_t)PAGE_UNIT >
			mpi_space_limit + file->header_size)
		mpi_tracing_stop("VT_MAX_FLUSHES times VT_BUFFER_SIZE was reached");
	if (!mpi_stopped && event_append(&current_thread->streams[KIND_MPI], &head, fields))
		return true;
	if (!mpi_stopped)
		mpi_tracing_stop("the disk is full, or the size limit was reached");
	/* The totals by function go on without events, so a report can say how many calls it does not show. */
	if (event->calls)
		count(TALLY_mpi_calls_unrecorded, event->calls);
	if (event->calls)
		add_total(event->number, MPI_TOTAL_unrecorded, event->calls);
	return false;
}

static void write_call(struct mpi_call *call, uint64_t duration, long result)
{
	put_message_first(call);
	struct mpi_event event = {.start = call->start,
		.duration = duration,
		.stack = call->stack,
		.number = call->number,
		.calls = 1,
		.result = (uint32_t)result};
	if (!call->message_count)
		call->message = (struct mpi_message){.communicator = call->communicator};
	mpi_event_write(&event, &call->message);
	event.calls = event.duration = event.result = 0;
	/* The first event alone carries the duration and the result, so that their sums over events count each call once. */
	for (unsigned i = 1; i < call->message_count; i++)
		mpi_event_write(&event, message_at(call, i));
}

void mpi_call_write(struct mpi_call *call, uint64_t duration)
{
	polls_write(&call->thread->polls);
	add_totals(call, duration);
	write_call(call, duration, 0);
	call->written = true;
}

static void record_call(struct mpi_call *call, uint64_t duration, long result)
{
	if (current_thread)
		current_thread->sums[SUM_MPI_WAIT] += duration;
	if (call->written || recording_paused())
		return;
	add_totals(call, duration);
	if (call->poll) {
		polls_add(&call->thread->polls, call, duration);
		return;
	}
	polls_write(&call->thread->polls);
	write_call(call, duration, result);
}

long mpi_call_end(struct mpi_call *call, long result)
{
	uint64_t duration = time_raw() - call->start;
	struct mpi_thread *thread = call->thread;
	thread->outer = 0;
	if (!guard_enter())
		return result;
	__atomic_store_n(&call->progress[MPI_PROGRESS_function], 0, __ATOMIC_RELEASE);
	call->failed = (int)result != 0;
	if (call->abi)
		operation_after(call);
	record_call(call, duration, result);
	guard_leave();
	return result;
}
