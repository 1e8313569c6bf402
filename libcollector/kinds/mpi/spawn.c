/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that the target spawns are started by the launcher, not by us: like those on its command line they are started through
   collect, which makes them record into the founder of the ranks that spawn them. It tells them the number of their spawning, by
   which both sides know their communicator. */
#include "collector.h"
#include "communicators.h"
#include "environment.h"
#include "identity.h"
#include "operations.h"
#include "text.h"

/* The arguments of MPI_Comm_spawn, and with one more before them those of MPI_Comm_spawn_multiple. */
enum { COMMAND = 0, ARGUMENTS = 1, COUNT = 0, COMMANDS = 1, LISTS = 2, WORDS_BEFORE = 4 };
enum { MADE_SPAWNED = 0x59a7, MADE_PARENT = 0x9a6e };

static uint64_t spawnings;

/* Whether this process is the one whose arguments count. */
static bool is_root(const struct mpi_call *call)
{
	return communicator_rank(call->communicator) == (uint32_t)mpi_int(call, call->function->at.peer);
}

/* Takes a number that no other spawning has. */
static void begin(struct mpi_call *call)
{
	struct time_triple now;
	create_before(call);
	call->order = 0;
	if (!is_root(call))
		return;
	time_now(&now);
	uint64_t process = identity_mix(mpi_job_identity(), (uint64_t)collector.process);
	call->order = identity_mix(identity_mix(process, now.realtime), mpi_next(&spawnings) + 1) | 1;
}

static bool are_followed(const struct mpi_call *call)
{
	const struct settings *settings = &collector.settings;
	return call->order && settings->collect[0] && settings->follow && collector.lineage[0] == 'M';
}

static size_t count_of(char *const *arguments)
{
	size_t count = 0;
	while (arguments && arguments[count])
		count++;
	return count;
}

/* Puts the words for one command in front of its arguments. Returns the words used, with the null pointer at the end. */
static size_t put(const char **words, const char *number, const char *command, char *const *arguments)
{
	size_t count = count_of(arguments);
	words[0] = MPI_SPAWNED_OPTION;
	words[1] = collector.settings.founder;
	words[2] = number;
	words[3] = command;
	for (size_t i = 0; i < count; i++)
		words[WORDS_BEFORE + i] = arguments[i];
	words[WORDS_BEFORE + count] = 0;
	return WORDS_BEFORE + count + 1;
}

/* The spawning's number, in room of the call; 0: no memory. */
static const char *number_word(struct mpi_call *call)
{
	enum { SIZE = 32 };
	char *bytes = mpi_call_memory(call, 1, SIZE);
	struct text text = {.bytes = bytes, .capacity = SIZE - 1};
	if (!bytes)
		return 0;
	text_number(&text, call->order, 16, 1);
	bytes[text.size] = 0;
	return bytes;
}

void spawn_before(struct mpi_call *call)
{
	begin(call);
	if (!are_followed(call) || !call->arguments[COMMAND])
		return;
	char **given = (char **)call->arguments[ARGUMENTS];
	const char *number = number_word(call);
	const char **words = mpi_call_memory(call, 0, (count_of(given) + WORDS_BEFORE + 1) * sizeof *words);
	if (!number || !words)
		return;
	put(words, number, (const char *)call->arguments[COMMAND], given);
	call->arguments[COMMAND] = (long)collector.settings.collect;
	call->arguments[ARGUMENTS] = (long)words;
}

void spawn_multiple_before(struct mpi_call *call)
{
	begin(call);
	char **commands = (char **)call->arguments[COMMANDS], ***lists = (char ***)call->arguments[LISTS];
	int count = mpi_int(call, call->function->at.count);
	const char *number = are_followed(call) && count > 0 ? number_word(call) : 0;
	size_t size = 0, all = number ? (size_t)count : 0;
	for (size_t i = 0; i < all; i++)
		size += 2 + count_of(lists ? lists[i] : 0) + WORDS_BEFORE + 1;
	const void **memory = all ? mpi_call_memory(call, 0, size * sizeof *memory) : 0;
	if (!memory)
		return;
	/* The commands, the lists of words, and the words of each. */
	const char **words = (const char **)memory + 2 * all;
	for (size_t i = 0; i < all; i++) {
		memory[i] = collector.settings.collect;
		memory[all + i] = words;
		words += put(words, number, commands[i], lists ? lists[i] : 0);
	}
	call->arguments[COMMANDS] = (long)memory;
	call->arguments[LISTS] = (long)(memory + all);
}

void spawn_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	const struct creation creation = {.parent = call->communicator,
		.made = communicator_next_made(call->communicator),
		.meeting = call->order ? identity_mix(MADE_SPAWNED, call->order) : 0,
		.made_by = call->function->name};
	communicator_define(call->abi,
		mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.handle), 0), &creation);
	mpi_together(call, call->communicator, communicator_next_collective(call->communicator));
}

void spawned_define_parent(const struct mpi_call *call)
{
	uint64_t parent = 0;
	if (MPI_ASK(MPI_Comm_get_parent, (long)&parent) != 0)
		return;
	const struct creation creation = {.parent = communicator_number(call->abi, (long)call->abi->communicator_world),
		.made = MADE_PARENT,
		.meeting = collector.spawned ? identity_mix(MADE_SPAWNED, collector.spawned) : 0,
		.made_by = "MPI_Comm_get_parent"};
	communicator_define(call->abi, mpi_handle_at(call->abi, &parent, 0), &creation);
}
