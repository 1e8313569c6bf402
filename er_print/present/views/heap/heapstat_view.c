/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a whole: the process with the highest peak, what it had then, how that came and went, and how large
   allocations and leaks were. */
#include "command_functions.h"
#include "facts.h"
#include "heap_history.h"
#include "heap_view.h"
#include "search.h"
#include "stack_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char line[] = "-------------------------------------------------------";

enum { STACKS_AT_PEAK = 5 }; /* without a limit */

struct ranked {
	uint32_t stack;
	uint64_t bytes;
};

static int by_bytes(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return COMPARE(y->bytes, x->bytes) ?: COMPARE(x->stack, y->stack);
}

static void add_number(struct facts *facts, const char *label, uint64_t number)
{
	fprintf(facts->text, "%-33s %" PRIu64 "\n", label, number);
	fact_number(facts, label + strspn(label, " "), number);
}

/* The stacks of the blocks that were there at the peak. */
static void add_at_peak(struct session *session, struct facts *facts, const struct heap_process *process)
{
	uint64_t *bytes = heap_at_peak(session->data, session_filter(session), process);
	struct ranked *rows = 0;
	uint32_t count = 0;
	for (uint32_t s = 0; s < session->data->stack_count; s++) {
		if (!bytes[s])
			continue;
		rows = memory_room(rows, count, sizeof *rows);
		rows[count++] = (struct ranked){s, bytes[s]};
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_bytes);
	uint32_t limit = session->limit ? (uint32_t)session->limit : STACKS_AT_PEAK;
	fprintf(facts->text, "\nAllocated At The Peak, By Stack: %" PRIu32 " of %" PRIu32 "\n%s\n",
		count < limit ? count : limit, count, line);
	facts_subject(facts, "Bytes allocated at the peak, by stack");
	for (uint32_t i = 0; i < count && i < limit; i++) {
		fprintf(facts->text, "%sBytes = %" PRIu64 " (%.2f %%)\n%s", i ? "\n" : "", rows[i].bytes,
			100 * (double)rows[i].bytes / (double)process->peak,
			stack_lines(session, &facts->table, rows[i].stack));
		fact_number(facts, stack_folded(session, &facts->table, rows[i].stack), rows[i].bytes);
	}
	free(rows);
	free(bytes);
}

static void add_moments(struct facts *facts, const struct heap_process *process)
{
	const struct experiment *experiment = process->experiment->file;
	double start = (double)process->experiment->start_offset / 1e9;
	double run = experiment->end.monotonic > experiment->start.monotonic
			     ? (double)(experiment->end.monotonic - experiment->start.monotonic) / 1e9
			     : 0;
	fprintf(facts->text, "\nHeap Size Over Time\n%-33s Heap size bytes\n%s\n", "Time (secs.)", line);
	facts_subject(facts, "Heap size bytes, by seconds");
	for (unsigned i = 0; i < HEAP_MOMENTS; i++) {
		char time[32];
		snprintf(time, sizeof time, "%.3f", start + run * (i + 1) / HEAP_MOMENTS);
		fprintf(facts->text, "%-33s %" PRIu64 "\n", time, process->moment[i]);
		fact_number(facts, time, process->moment[i]);
	}
}

static void add_process(struct session *session, struct facts *facts, const struct heap_process *process)
{
	fprintf(facts->text, "Process With Highest Peak Memory Usage\n%s\n", line);
	facts_subject(facts, "Process with highest peak memory usage");
	add_number(facts, "Heap size bytes", process->peak);
	add_number(facts, "  of these in mappings", process->peak_mapped);
	add_number(facts, "Blocks and mappings at the peak", process->peak_pieces);
	add_number(facts, "Experiment Id", process->experiment->number);
	add_number(facts, "Process Id", process->experiment->file->process.pid);
	fprintf(facts->text, "%-33s %.3f (secs.)\n", "Time of peak", (double)process->peak_time / 1e9);
	fact_seconds(facts, "Time of peak", process->peak_time);
	add_number(facts, "Heap size bytes at the end", process->left);
	add_number(facts, "  of these in mappings", process->left_mapped);
	add_at_peak(session, facts, process);
	add_moments(facts, process);
}

/* Ranges of sizes: upper ends as classes of heap_size_class. */
static void add_sizes(struct facts *facts, const char *title, const char *what, const struct heap_sizes *sizes)
{
	static const struct {
		unsigned last;
		const char *name;
	} ranges[] = {{11, "  0KB - 1KB"}, {14, "  1KB - 8KB"}, {16, "  8KB - 32KB"}, {18, "  32KB - 128KB"},
		{19, "  128KB - 256KB"}, {20, "  256KB - 512KB"}, {21, "  512KB - 1MB"}, {24, "  1MB - 8MB"},
		{27, "  8MB - 64MB"}, {31, "  64MB - 1GB"}, {65, "  over 1GB"}};
	unsigned class = 0;
	fprintf(facts->text, "\n%s\n%-33s %s\n%s\n", title, "Allocation Size Range", what, line);
	facts_subject(facts, "%s", title);
	for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; r++) {
		uint64_t count = 0;
		for (; class <= ranges[r].last; class ++)
			count += sizes->by_class[class];
		if (count)
			add_number(facts, ranges[r].name, count);
	}
	putc('\n', facts->text);
	if (sizes->count) {
		add_number(facts, "Smallest allocation bytes", sizes->smallest);
		char average[32];
		snprintf(average, sizeof average, "%.1f", (double)sizes->bytes / (double)sizes->count);
		fprintf(facts->text, "%-33s %s\n", "Average allocation bytes", average);
		fact_text(facts, "Average allocation bytes", average);
		add_number(facts, "Largest allocation bytes", sizes->largest);
	}
	add_number(facts, "Total allocations", sizes->count);
	add_number(facts, "Total bytes", sizes->bytes);
}

static void add_oddities(struct facts *facts, const struct heap_history *history)
{
	uint64_t unknown = 0, missed = 0;
	for (uint32_t p = 0; p < history->process_count; p++) {
		unknown += history->processes[p].unknown_releases;
		missed += history->processes[p].missed_releases;
	}
	if (unknown || missed)
		fprintf(facts->text, "\nNot Matched\n%s\n", line);
	facts_subject(facts, "Not matched");
	if (unknown)
		add_number(facts, "Releases of unknown blocks", unknown);
	if (missed)
		add_number(facts, "Blocks whose release was not seen", missed);
}

bool command_heapstat(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!heap_was_recorded(session))
		return false;
	struct heap_history *history = heap_history_read(session->data, session_filter(session));
	const struct heap_process *highest = 0;
	for (uint32_t p = 0; p < history->process_count; p++)
		if (!highest || history->processes[p].peak > highest->peak)
			highest = &history->processes[p];
	struct facts facts;
	facts_begin(&facts, "Heap statistics");
	fputs(heap_limit_text(session, &facts.table), facts.text);
	if (highest)
		add_process(session, &facts, highest);
	add_sizes(&facts, "Memory Allocations Statistics", "Allocations", &history->allocations);
	add_sizes(&facts, "Memory Leaks Statistics", "Leaks", &history->leaks);
	add_oddities(&facts, history);
	heap_history_free(history);
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
