/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a whole: the process with the highest peak, what it had then, how that came and went, and how large
   allocations and leaks were. */
#include "command_functions.h"
#include "heap_history.h"
#include "heap_view.h"
#include "search.h"
#include "stack_text.h"

#include <inttypes.h>
#include <stdlib.h>

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

static void print_number(FILE *file, const char *label, uint64_t number)
{
	fprintf(file, "%-33s %" PRIu64 "\n", label, number);
}

/* The stacks of the blocks that were there at the peak. */
static void print_at_peak(struct session *session, const struct heap_process *process)
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
	fprintf(session->out, "\nAllocated At The Peak, By Stack: %" PRIu32 " of %" PRIu32 "\n%s\n",
		count < limit ? count : limit, count, line);
	for (uint32_t i = 0; i < count && i < limit; i++) {
		fprintf(session->out, "%sBytes = %" PRIu64 " (%.2f %%)\n", i ? "\n" : "", rows[i].bytes,
			100 * (double)rows[i].bytes / (double)process->peak);
		stack_print(session, rows[i].stack);
	}
	free(rows);
	free(bytes);
}

static void print_moments(FILE *file, const struct heap_process *process)
{
	const struct experiment *experiment = process->experiment->file;
	double start = (double)process->experiment->start_offset / 1e9;
	double run = experiment->end.monotonic > experiment->start.monotonic
			     ? (double)(experiment->end.monotonic - experiment->start.monotonic) / 1e9
			     : 0;
	fprintf(file, "\nHeap Size Over Time\n%-33s Heap size bytes\n%s\n", "Time (secs.)", line);
	for (unsigned i = 0; i < HEAP_MOMENTS; i++)
		fprintf(file, "%-33.3f %" PRIu64 "\n", start + run * (i + 1) / HEAP_MOMENTS, process->moment[i]);
}

static void print_process(struct session *session, const struct heap_process *process)
{
	FILE *file = session->out;
	fprintf(file, "Process With Highest Peak Memory Usage\n%s\n", line);
	print_number(file, "Heap size bytes", process->peak);
	print_number(file, "  of these in mappings", process->peak_mapped);
	print_number(file, "Blocks and mappings at the peak", process->peak_pieces);
	print_number(file, "Experiment Id", process->experiment->number);
	print_number(file, "Process Id", process->experiment->file->process.pid);
	fprintf(file, "%-33s %.3f (secs.)\n", "Time of peak", (double)process->peak_time / 1e9);
	print_number(file, "Heap size bytes at the end", process->left);
	print_number(file, "  of these in mappings", process->left_mapped);
	print_at_peak(session, process);
	print_moments(file, process);
}

/* Ranges of sizes: upper ends as classes of heap_size_class. */
static void print_sizes(FILE *file, const char *title, const char *what, const struct heap_sizes *sizes)
{
	static const struct {
		unsigned last;
		const char *name;
	} ranges[] = {{11, "  0KB - 1KB"}, {14, "  1KB - 8KB"}, {16, "  8KB - 32KB"}, {18, "  32KB - 128KB"},
		{19, "  128KB - 256KB"}, {20, "  256KB - 512KB"}, {21, "  512KB - 1MB"}, {24, "  1MB - 8MB"},
		{27, "  8MB - 64MB"}, {31, "  64MB - 1GB"}, {65, "  over 1GB"}};
	unsigned class = 0;
	fprintf(file, "\n%s\n%-33s %s\n%s\n", title, "Allocation Size Range", what, line);
	for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; r++) {
		uint64_t count = 0;
		for (; class <= ranges[r].last; class ++)
			count += sizes->by_class[class];
		if (count)
			print_number(file, ranges[r].name, count);
	}
	putc('\n', file);
	if (sizes->count) {
		print_number(file, "Smallest allocation bytes", sizes->smallest);
		fprintf(file, "%-33s %.1f\n", "Average allocation bytes", (double)sizes->bytes / (double)sizes->count);
		print_number(file, "Largest allocation bytes", sizes->largest);
	}
	print_number(file, "Total allocations", sizes->count);
	print_number(file, "Total bytes", sizes->bytes);
}

static void print_oddities(FILE *file, const struct heap_history *history)
{
	uint64_t unknown = 0, missed = 0;
	for (uint32_t p = 0; p < history->process_count; p++) {
		unknown += history->processes[p].unknown_releases;
		missed += history->processes[p].missed_releases;
	}
	if (unknown || missed)
		fprintf(file, "\nNot Matched\n%s\n", line);
	if (unknown)
		print_number(file, "Releases of unknown blocks", unknown);
	if (missed)
		print_number(file, "Blocks whose release was not seen", missed);
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
	struct table texts = {0};
	fputs(heap_limit_text(session, &texts), session->out);
	table_free(&texts);
	if (highest)
		print_process(session, highest);
	print_sizes(session->out, "Memory Allocations Statistics", "Allocations", &history->allocations);
	print_sizes(session->out, "Memory Leaks Statistics", "Leaks", &history->leaks);
	print_oddities(session->out, history);
	heap_history_free(history);
	return true;
}
