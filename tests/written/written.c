/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an experiment from a text on standard input, so that a test can say every byte of what er_print is to show:
 *
 *   written EXPERIMENT
 *
 *   object ADDRESS SIZE FILE-OFFSET FILE-ADDRESS PATH
 *   cpu NUMBER                                          of the events that follow
 *   event KIND THREAD TIME FIELD=VALUE,... FRAME;...    frames from the outermost on: return addresses, the leaf's own; none: -
 *   log KIND TIME TEXT
 *   rank TIME NUMBER                                    it is of an MPI job of four; communicator 1 is MPI_COMM_WORLD,
 *                                                       functions are MPI_Send, MPI_Barrier, MPI_Put, MPI_File_write
 *   count COUNTER NUMBER
 *   end | kill
 *
 * Times are nanoseconds since the start, addresses hexadecimal; lines that begin with # are comments. */
#include "synthetic.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 10000 };

static const char *text_line;

static void fail(const char *what)
{
	fprintf(stderr, "written: %s: %s\n", what, text_line);
	exit(1);
}

static unsigned kind_named(const char *name)
{
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (!strcmp(kind_row(kind)->name, name))
			return kind;
	fail("no such kind");
	return 0;
}

static void set_fields(unsigned kind, char *text, uint64_t fields[FIELDS_MAX])
{
	const struct kind_row *row = kind_row(kind);
	for (char *word = strtok(text, ","); word; word = strtok(0, ",")) {
		char *value = strchr(word, '=');
		unsigned field = 0;
		if (!value)
			fail("FIELD=VALUE is expected");
		*value++ = 0;
		while (field < row->field_count && strcmp(row->fields[field].name, word))
			field++;
		if (field == row->field_count)
			fail("no such field");
		fields[field] = strtoull(value, 0, 0);
	}
}

static uint32_t stack_of(struct synthetic *s, char *text)
{
	static uint64_t frames[FRAMES];
	unsigned count = 0;
	if (!strcmp(text, "-"))
		return 0;
	for (char *word = strtok(text, ";"); word && count < FRAMES; word = strtok(0, ";"))
		frames[count++] = strtoull(word, 0, 16);
	return synthetic_stack(s, frames, count, 0);
}

static void event(struct synthetic *s, char *line)
{
	char kind[64], fields_text[1024];
	unsigned thread;
	unsigned long time;
	int used;
	uint64_t fields[FIELDS_MAX] = {0};
	if (sscanf(line, "event %63s %u %lu %1023s %n", kind, &thread, &time, fields_text, &used) != 4)
		fail("what is it?");
	unsigned number = kind_named(kind);
	if (strcmp(fields_text, "-"))
		set_fields(number, fields_text, fields);
	synthetic_event(s, number, thread, time, stack_of(s, line + used), fields);
}

static void object(struct synthetic *s, const char *line)
{
	unsigned long address, size, offset, file_address;
	int used;
	if (sscanf(line, "object %lx %lx %lx %lx %n", &address, &size, &offset, &file_address, &used) != 4)
		fail("what is it?");
	synthetic_map_object(s, address, size, offset, file_address, line + used);
}

static void count(struct synthetic *s, const char *line)
{
	char name[64];
	unsigned long n;
	unsigned tally = 0;
	if (sscanf(line, "count %63s %lu", name, &n) != 2)
		fail("what is it?");
	while (tally < TALLY_COUNT && strcmp(tally_row(tally)->name, name))
		tally++;
	if (tally == TALLY_COUNT)
		fail("no such tally");
	synthetic_count(s, tally, n);
}

static void rank(struct synthetic *s, unsigned long time, const char *number)
{
	static const struct mpi_named functions[] = {{"MPI_Send", "point-to-point"}, {"MPI_Barrier", "collective"},
		{"MPI_Put", "one-sided"}, {"MPI_File_write", "file"}};
	char attributes[160];
	synthetic_mpi(s, functions, sizeof functions / sizeof *functions);
	snprintf(attributes, sizeof attributes, "rank=%s size=4 job=written", number);
	synthetic_log_with(s, "mpi", time, attributes, "library");
	snprintf(attributes, sizeof attributes, "number=1 identity=0x1 rank=%s size=4 made_by=MPI_Init", number);
	synthetic_log_with(s, "mpi_communicator", time, attributes, 0);
	synthetic_log_with(s, "mpi_name", time, "number=1", "MPI_COMM_WORLD");
}

static void take_line(struct synthetic *s, char *line)
{
	char kind[64];
	unsigned long number;
	int used;
	if (!strncmp(line, "object ", 7))
		object(s, line);
	else if (!strncmp(line, "event ", 6))
		event(s, line);
	else if (!strncmp(line, "count ", 6))
		count(s, line);
	else if (sscanf(line, "cpu %lu", &number) == 1)
		synthetic_cpu(s, (uint32_t)number);
	else if (sscanf(line, "rank %lu %63s", &number, kind) == 2)
		rank(s, number, kind);
	else if (sscanf(line, "log %63s %lu %n", kind, &number, &used) == 2)
		synthetic_log(s, kind, number, line[used] ? line + used : 0);
	else
		fail("what is it?");
}

int main(int argc, char **argv)
{
	char *line = 0;
	size_t capacity = 0;
	ssize_t size;
	if (argc != 2) {
		fprintf(stderr, "usage: written EXPERIMENT <TEXT\n");
		return 2;
	}
	struct synthetic *s = synthetic_begin(argv[1]);
	while ((size = getline(&line, &capacity, stdin)) > 0) {
		line[strcspn(line, "\n")] = 0;
		text_line = line;
		if (!strcmp(line, "end") || !strcmp(line, "kill")) {
			(*line == 'e' ? synthetic_end : synthetic_kill)(s);
			free(line);
			return 0;
		}
		if (*line && *line != '#')
			take_line(s, line);
	}
	text_line = "";
	fail("the text ends without end or kill");
	return 1;
}
