/* SPDX-License-Identifier: Apache-2.0 */
/* MPI tracing of one process: its settings, its beginning and end, and what the log says of the process. */
#include "call.h"
#include "capture.h"
#include "clock_offsets.h"
#include "clock_partners.h"
#include "collector.h"
#include "communicators.h"
#include "creations.h"
#include "environment.h"
#include "event_log.h"
#include "identity.h"
#include "kind.h"
#include "load_objects.h"
#include "operations.h"
#include "requests.h"
#include "sessions.h"
#include "system_calls.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpi_file mpi_file;
bool mpi_stacks = true, mpi_stopped;
uint64_t mpi_space_limit;

enum { VERBOSE_NOTHING, VERBOSE_ERRORS, VERBOSE_ALL };
enum { SEVERAL_THREADS = 3 }; /* MPI_THREAD_MULTIPLE, in all libraries */
static uint64_t verbose = VERBOSE_ERRORS;
static int started; /* atomic: 1 being started, 2 started, 3 could not be */
static uint32_t world_rank;

/* A number, and K, M or G. */
static uint64_t number_of(const char *text, uint64_t otherwise)
{
	char *end;
	if (!text || *text < '0' || *text > '9')
		return otherwise;
	uint64_t number = strtoull(text, &end, 10);
	switch (*end) {
	case 'k':
	case 'K':
		return number << 10;
	case 'm':
	case 'M':
		return number << 20;
	case 'g':
	case 'G':
		return number << 30;
	default:
		return number;
	}
}

static void read_variables(void)
{
	enum { BUFFER = 64 << 20, BUFFER_LEAST = 1 << 20 };
	uint64_t flushes = number_of(getenv("VT_MAX_FLUSHES"), 0), buffer = number_of(getenv("VT_BUFFER_SIZE"), BUFFER);
	mpi_stacks = number_of(getenv("VT_STACKS"), 1) != 0;
	verbose = number_of(getenv("VT_VERBOSE"), VERBOSE_ERRORS);
	mpi_space_limit = flushes * (buffer < BUFFER_LEAST ? BUFFER_LEAST : buffer);
}

/* Messages that VT_VERBOSE asks for go to stderr, as VampirTrace's did. */
static void say(uint64_t level, const char *what, const char *why)
{
	char bytes[256];
	struct text text = {.bytes = bytes, .capacity = sizeof bytes};
	if (verbose < level)
		return;
	text_string(&text, "er-tools: MPI rank ");
	text_number(&text, world_rank, 10, 1);
	text_string(&text, ": ");
	text_string(&text, what);
	text_string(&text, why);
	text_append(&text, "\n", 1);
	sys_write(STDERR_FILENO, bytes, text.size);
}

void mpi_tracing_stop(const char *why)
{
	if (__atomic_exchange_n(&mpi_stopped, true, __ATOMIC_RELAXED))
		return;
	struct log_line *line = event_log_begin("mpi_stop");
	if (line)
		event_log_end(line, why);
	say(VERBOSE_ERRORS, "MPI tracing stopped, the totals by function go on: ", why);
}

static bool make_file(void)
{
	static char buffer[MPI_DESCRIPTION_MAX];
	static struct mpi_named names[MPI_FUNCTIONS];
	for (unsigned i = 0; i < MPI_FUNCTIONS; i++)
		names[i] = (struct mpi_named){mpi_functions[i].name, mpi_functions[i].class};
	int code = mpi_file_create(&mpi_file, &collector.directory, names, MPI_FUNCTIONS, buffer);
	if (code)
		collector_refuse("MPI calls are not recorded: the file mpi cannot be made", code);
	return code == 0;
}

/* At the first call: most processes with this library are no MPI programs. */
bool mpi_tracing_start(void)
{
	int none = 0;
	if (__atomic_compare_exchange_n(&started, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		read_variables();
		__atomic_store_n(&started, make_file() ? 2 : 3, __ATOMIC_RELEASE);
	}
	return __atomic_load_n(&started, __ATOMIC_ACQUIRE) == 2;
}

/* The launcher's name of this run; "" if it has none. */
static const char *job_name(void)
{
	static const char *const names[] = {MPI_JOB_VARIABLES, 0};
	for (const char *const *name = names; *name; name++)
		if (getenv(*name))
			return getenv(*name);
	return "";
}

uint64_t mpi_job_identity(void)
{
	return identity_of_text(job_name());
}

static void log_process(const struct mpi_call *call, int size, int level)
{
	static char version[8192]; /* static: stacks of targets may be small */
	int length = 0;
	struct time_triple now;
	MPI_ASK(MPI_Get_library_version, (long)version, (long)&length);
	struct log_line *line = event_log_begin("mpi");
	if (line) {
		time_now(&now);
		log_triple_attributes(line, &now);
		log_number_attribute(line, "rank", world_rank);
		log_number_attribute(line, "size", (uint64_t)size);
		log_text_attribute(line, "job", job_name());
		log_text_attribute(line, "library", call->abi->name);
		log_number_attribute(line, "threads", (uint64_t)level);
		event_log_end(line, version);
	}
}

void init_before(struct mpi_call *call)
{
	(void)call;
	clock_partners_announce(job_name());
}

void init_after(struct mpi_call *call)
{
	int rank = 0, size = 0, level = 0;
	if (call->failed)
		return;
	MPI_ASK(MPI_Comm_rank, (long)call->abi->communicator_world, (long)&rank);
	MPI_ASK(MPI_Comm_size, (long)call->abi->communicator_world, (long)&size);
	MPI_ASK(MPI_Query_thread, (long)&level);
	world_rank = (uint32_t)rank;
	mpi_several_threads = level == SEVERAL_THREADS;
	world_initialized();
	log_process(call, size, level);
	communicators_start(call->abi, world_rank, mpi_job_identity());
	spawned_define_parent(call);
	call->communicator = communicator_number(call->abi, (long)call->abi->communicator_world);
	mpi_together(call, call->communicator, communicator_next_collective(call->communicator));
	/* Open MPI takes its plugins away again at the end. */
	if (load_objects_may_ask_loader())
		load_objects_update();
	clock_offsets_begin(call->abi, world_rank);
	say(VERBOSE_ALL, "MPI tracing begins: ", call->abi->name);
}

/* The log gets the same as from MPI_Init. No communicator leads to the other processes' clocks. */
void session_init_after(struct mpi_call *call)
{
	uint64_t world = 0,
		 session = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.handle), 0);
	int rank = 0, size = 0;
	if (call->failed)
		return;
	/* Nothing tells how many threads will use it. */
	mpi_several_threads = true;
	session_begun(session);
	if (communicators_begin() || !mpi_world_group(call->abi, &world))
		return;
	MPI_ASK(MPI_Group_rank, (long)mpi_handle_at(call->abi, &world, 0), (long)&rank);
	MPI_ASK(MPI_Group_size, (long)mpi_handle_at(call->abi, &world, 0), (long)&size);
	MPI_ASK(MPI_Group_free, (long)&world);
	world_rank = (uint32_t)rank;
	log_process(call, size, SEVERAL_THREADS);
}

void session_finalize_before(struct mpi_call *call)
{
	session_ended(mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.handle), 0));
}

void finalize_before(struct mpi_call *call)
{
	struct time_triple now;
	clock_offsets_end(call->abi);
	if (load_objects_may_ask_loader())
		load_objects_update();
	call->communicator = communicator_number(call->abi, (long)call->abi->communicator_world);
	call->order = communicator_next_collective(call->communicator);
	time_now(&now);
	struct log_line *line = event_log_begin("mpi_end");
	if (line) {
		log_triple_attributes(line, &now);
		event_log_end(line, 0);
	}
}

void abort_before(struct mpi_call *call)
{
	/* It does not return. */
	call->start = time_raw();
	mpi_call_write(call, 0);
}

static bool wanted(void)
{
	return collector.settings.mpi;
}

static void start(void)
{
	mpi_threads_forget();
	requests_clear();
	communicators_clear();
	creations_clear();
	sessions_clear();
	clock_offsets_clear();
	mpi_file = (struct mpi_file){0, 0};
	mpi_stopped = false;
	started = 0;
}

static void thread_stop(struct thread *thread)
{
	(void)thread;
	mpi_thread_end();
}

const struct kind_operations mpi_operations = {.wanted = wanted, .start = start, .thread_stop = thread_stop};
