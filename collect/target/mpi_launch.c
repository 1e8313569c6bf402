/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of mpirun: see mpi_launch.h. */
#include "mpi_launch.h"
#include "environment.h"
#include "experiment.h"
#include "file_bytes.h"
#include "log.h"
#include "message.h"
#include "still_recorded.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_OF_ENTRY = 3 };

static bool is(const char *word, const char *other)
{
	return strcmp(word, other) == 0;
}

/* Options whose programs are in a file that we do not see. */
static bool reads_file(const char *word)
{
	static const char *const options[] = {"--app", "-app", "-configfile", "--configfile"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (is(word, options[i]))
			return true;
	return false;
}

bool mpi_launch_check(char **argv, struct error *error)
{
	bool marked = false;
	for (char **word = argv + 1;; word++) {
		if (!*word || is(*word, ":")) {
			if (!marked)
				return error_set(error,
					"Option -M: \"--\" must stand before the name of each program that %s is to "
					"start: "
					"%s ... -- program arguments",
					argv[0], argv[0]);
			marked = false;
			if (!*word)
				return true;
		} else if (!marked && reads_file(*word)) {
			return error_set(error,
				"Option -M: %s %s: programs that are named in a file are not supported; name them on "
				"the command line, separated by \":\"",
				argv[0], *word);
		} else if (!marked && is(*word, "--")) {
			if (!word[1] || is(word[1], ":"))
				return error_set(error, "Option -M: there is no program after \"--\"");
			marked = true;
		}
	}
}

char **mpi_launch_rewrite(char **argv, const char *collect, const char *founder)
{
	size_t words = 1, programs = 0;
	for (char **word = argv; *word; word++, words++)
		programs += is(*word, "--");
	char **rewritten = calloc(words + WORDS_OF_ENTRY * programs, sizeof *rewritten), **to = rewritten;
	bool marked = false;
	for (char **word = argv; to && *word; word++) {
		if (is(*word, ":"))
			marked = false;
		if (marked || !is(*word, "--")) {
			*to++ = *word;
			continue;
		}
		/* MPICH's mpirun does not know "--". */
		marked = true;
		*to++ = (char *)collect;
		*to++ = (char *)MPI_RANK_OPTION;
		*to++ = (char *)founder;
	}
	return rewritten;
}

/* The words with blanks between them, as far as there is room. */
static void join(char **argv, char *text, size_t size)
{
	size_t used = 0;
	for (char **word = argv; *word && used < size; word++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", word == argv ? "" : " ", *word);
}

void mpi_launch_note(struct created *created, char **argv)
{
	char command[LOG_LINE_MAX / 2], folder[PATH_MAX];
	struct log_line line;
	log_begin(&line, "event");
	log_text_attribute(&line, "kind", "launcher");
	log_time_attribute(&line, "tstamp", 0);
	log_text_attribute(&line, "cwd", getcwd(folder, sizeof folder) ? folder : "");
	join(argv, command, sizeof command);
	log_end(&line, command, &created->directory, LOG_FILE);
}

static bool is_mpi_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && (strncmp(slash, "/libmpi.so", 10) == 0 || strncmp(slash, "/libmpich.so", 12) == 0);
}

static bool file_has_mpi(const char *path)
{
	static const char name[] = "MPI_Init";
	size_t size;
	const void *bytes = file_bytes(path, &size);
	if (!bytes)
		return false;
	bool found = memmem(bytes, size, name, sizeof name - 1) != 0;
	file_bytes_free(bytes, size);
	return found;
}

/* Whether a process may have called MPI where we do not see it: the library was loaded, or its functions are in the program. */
static bool has_mpi(const struct experiment *rank)
{
	for (size_t i = 0; i < rank->segment_count; i++)
		if (is_mpi_library(rank->segments[i].path))
			return true;
	return rank->process.executable && file_has_mpi(rank->process.executable);
}

void mpi_launch_end(const char *founder)
{
	size_t count;
	char **names = experiment_descendants(founder, &count);
	bool ranks = false, calls = false, silent = false;
	for (size_t i = 0; i < count; i++) {
		char path[PATH_MAX + NAME_MAX];
		struct error error;
		snprintf(path, sizeof path, "%s/%s", founder, names[i]);
		struct experiment *rank = names[i][0] == 'M' ? experiment_open(path, &error) : 0;
		if (rank && still_recorded(rank))
			message_warning("Warning: %s still runs (process %ld) and goes on recording", names[i],
				(long)rank->process.pid);
		ranks |= rank != 0;
		calls |= rank && (rank->mpi_function_count != 0 || !rank->settings->mpi);
		silent |= rank && !rank->mpi_function_count && has_mpi(rank);
		if (rank)
			experiment_close(rank);
		free(names[i]);
	}
	free(names);
	if (!ranks)
		message_warning("Warning: no rank was recorded in %s", founder);
	else if (!calls && silent)
		message_warning("Warning: no MPI calls were recorded: MPI is linked statically, or loaded by dlsym");
}
