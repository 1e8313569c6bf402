/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many I/O calls of each kind there were, how much they moved, and the longest, smallest and largest of them. */
#include "command_functions.h"
#include "facts.h"
#include "io_types.h"
#include "io_view.h"

#include <inttypes.h>

static const struct range {
	const char *name;
	uint64_t most; /* bytes */
} ranges[] = {
	{"0B", 0},
	{"1B - 1KB", 1ull << 10},
	{"1KB - 8KB", 8ull << 10},
	{"8KB - 32KB", 32ull << 10},
	{"32KB - 128KB", 128ull << 10},
	{"128KB - 256KB", 256ull << 10},
	{"256KB - 512KB", 512ull << 10},
	{"512KB - 1000KB", 1000ull << 10},
	{"1000KB - 10MB", 10ull << 20},
	{"10MB - 100MB", 100ull << 20},
	{"100MB - 1GB", 1ull << 30},
	{"1GB and more", UINT64_MAX},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

static const struct {
	const char *title, *word;
} words[] = {{"Write", "write"}, {"Read", "read"}, {"Other I/O", "call"}, {"I/O Wait", "wait"}, {"I/O Error", "call"}};
enum class { WRITE, READ, OTHER, WAIT, ERROR, CLASSES };

struct statistics {
	struct class_statistics {
		uint64_t calls, bytes, time, longest, smallest, largest, by_range[RANGES];
	} of[CLASSES];
};

static enum class class_of(uint64_t type) {
	return type == STATE_VALUE(IO, type, write)  ? WRITE
	       : type == STATE_VALUE(IO, type, read) ? READ
	       : type == STATE_VALUE(IO, type, wait) ? WAIT
	       : io_is_error(type)                   ? ERROR
						     : OTHER;
}

static void add_calls(struct class_statistics *of, uint64_t bytes, uint64_t time)
{
	unsigned range = 0;
	while (bytes > ranges[range].most)
		range++;
	of->by_range[range]++;
	of->smallest = !of->calls || bytes < of->smallest ? bytes : of->smallest;
	of->largest = bytes > of->largest ? bytes : of->largest;
	of->longest = time > of->longest ? time : of->longest;
	of->calls++;
	of->bytes += bytes;
	of->time += time;
}

static void visit(void *context, const struct data_batch *batch)
{
	struct statistics *statistics = context;
	for (uint32_t i = 0; i < batch->count; i++)
		add_calls(&statistics->of[class_of(batch->field[FIELD_INDEX(IO, type)][i])],
			batch->field[FIELD_INDEX(IO, bytes)][i], batch->field[FIELD_INDEX(IO, duration)][i]);
}

static void add_number(struct facts *facts, const char *name, uint64_t number)
{
	fprintf(facts->text, "%-26s %12" PRIu64 "\n", name, number);
	fact_number(facts, name, number);
}

static void add_seconds(struct facts *facts, const char *name, uint64_t nanoseconds)
{
	fprintf(facts->text, "%-26s %12.6f (secs.)\n", name, (double)nanoseconds / 1e9);
	fact_seconds(facts, name, nanoseconds);
}

static void add_class(struct facts *facts, enum class class, const struct class_statistics *of)
{
	const char *word = words[class].word;
	char name[64];
	bool moves = class == READ || class == WRITE;
	fprintf(facts->text, "%s Statistics\n", words[class].title);
	facts_subject(facts, "%s", words[class].title);
	if (moves)
		fprintf(facts->text, "%-26s %12s\n", "I/O Size Range", class == READ ? "Read Calls" : "Write Calls");
	for (unsigned r = 0; moves && r < RANGES; r++)
		if (of->by_range[r])
			add_number(facts, ranges[r].name, of->by_range[r]);
	snprintf(name, sizeof name, "Longest %s", word);
	add_seconds(facts, name, of->longest);
	if (moves) {
		snprintf(name, sizeof name, "Smallest %s bytes", word);
		add_number(facts, name, of->smallest);
		snprintf(name, sizeof name, "Largest %s bytes", word);
		add_number(facts, name, of->largest);
	}
	add_seconds(facts, "Total time", of->time);
	add_number(facts, "Total calls", of->calls);
	if (moves)
		add_number(facts, "Total bytes", of->bytes);
}

bool command_iostat(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct statistics statistics = {0};
	struct facts facts;
	if (!io_was_recorded(session))
		return false;
	event_filter_visit(session->data, KIND_IO, session_filter(session), visit, &statistics);
	facts_begin(&facts, "I/O statistics");
	bool any = false;
	for (enum class class = 0; class < CLASSES; class ++) {
		if (!statistics.of[class].calls)
			continue;
		if (any)
			putc('\n', facts.text);
		any = true;
		add_class(&facts, class, &statistics.of[class]);
	}
	if (!any)
		fputs("No I/O calls\n", facts.text);
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
