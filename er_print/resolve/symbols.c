/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of one load object: collected from all tables, one for each start, the rest of the code filled in. */
#include "symbols.h"
#include "search.h"
#include "symbol_tables.h"
#include <stdlib.h>
#include <string.h>

/* Among several names for one start the one wins that a reader of the source knows: a function before a label, exported before
   local, "write" before "__write", the shorter, the first in the alphabet. */
static int compare_names(const struct symbol *a, const struct symbol *b)
{
	bool reserved_a = a->name[0] == '_' && a->name[1] != 'Z' && a->name[1] != 'R';
	bool reserved_b = b->name[0] == '_' && b->name[1] != 'Z' && b->name[1] != 'R';
	int order = COMPARE(b->function, a->function) ?: COMPARE(a->local, b->local) ?: COMPARE(reserved_a, reserved_b);
	order = order ?: COMPARE(strlen(a->name), strlen(b->name)) ?: strcmp(a->name, b->name);
	/* One symbol stands in two tables: .symtab knows its file. */
	return order ?: COMPARE(b->file != 0, a->file != 0);
}

static int by_start(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return COMPARE(x->start, y->start) ?: compare_names(x, y);
}

/* Keeps the best name of each start, with the size of the first that has one. */
static void sort_unique(struct symbols *symbols)
{
	if (symbols->count)
		qsort(symbols->array, symbols->count, sizeof *symbols->array, by_start);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < symbols->count; i++) {
		struct symbol *last = kept ? &symbols->array[kept - 1] : 0;
		const struct symbol *next = &symbols->array[i];
		if (!last || last->start != next->start) {
			symbols->array[kept++] = *next;
			continue;
		}
		if (!last->sized && next->sized) {
			last->end = next->end;
			last->sized = true;
		}
		if (strcmp(last->name, next->name)) {
			symbols->aliases =
				memory_room(symbols->aliases, symbols->alias_count, sizeof *symbols->aliases);
			symbols->aliases[symbols->alias_count++] = (struct symbol_alias){next->name, kept - 1};
		}
	}
	symbols->count = kept;
}

/* Code that no sized symbol covers is cut at labels without a size and at the starts in the unwind table. */
struct filler {
	struct symbols *symbols;
	uint32_t known;                /* symbols before there are any made here */
	uint32_t *labels, label_count; /* of them, those without a size */
	const uint64_t *starts;
	uint32_t start_count;
	struct interval *intervals; /* that all symbols will own */
	uint32_t count;
};

static void own(struct filler *filler, uint64_t low, uint64_t high, uint32_t symbol, uint32_t priority)
{
	filler->intervals = memory_room(filler->intervals, filler->count, sizeof *filler->intervals);
	filler->intervals[filler->count++] = (struct interval){low, high, symbol, priority};
}

static uint64_t label_start(const struct filler *filler, uint32_t label)
{
	return label < filler->label_count ? filler->symbols->array[filler->labels[label]].start : UINT64_MAX;
}

static uint64_t unwind_start(const struct filler *filler, uint32_t start)
{
	return start < filler->start_count ? filler->starts[start] : UINT64_MAX;
}

/* The first label, or start in the unwind table, at the address or after it. */
static uint32_t first_at(const struct filler *filler, uint64_t (*where)(const struct filler *, uint32_t),
	uint32_t count, uint64_t address)
{
	return FIRST_WHERE(i, count, where(filler, i) >= address);
}

/* The known symbol that ends at the address, or NO_INTERVAL. */
static uint32_t ending_at(const struct filler *filler, uint64_t address)
{
	uint32_t low = FIRST_WHERE(i, filler->known, filler->symbols->array[i].start >= address);
	return low && filler->symbols->array[low - 1].end == address ? low - 1 : NO_INTERVAL;
}

/* Less than this after a function, where nothing else starts, is padding and belongs to it. */
enum { PADDING_MAX = 64 };

/* Fills [low, high), which no sized symbol owns. */
static void fill_gap(struct filler *filler, uint64_t low, uint64_t high)
{
	struct symbols *symbols = filler->symbols;
	uint32_t label = first_at(filler, label_start, filler->label_count, low);
	uint32_t start = first_at(filler, unwind_start, filler->start_count, low);
	while (low < high) {
		bool labelled = label_start(filler, label) == low, starts = unwind_start(filler, start) == low;
		uint32_t owner = labelled ? filler->labels[label] : NO_INTERVAL;
		label += labelled;
		while (unwind_start(filler, start) <= low && start < filler->start_count)
			start++;
		uint64_t end = high;
		end = label_start(filler, label) < end ? label_start(filler, label) : end;
		end = unwind_start(filler, start) < end ? unwind_start(filler, start) : end;
		if (labelled)
			symbols->array[owner].end = end;
		else if (!starts && end - low < PADDING_MAX)
			owner = ending_at(filler, low);
		if (owner == NO_INTERVAL) {
			owner = symbols->count;
			symbols_append(symbols, &(struct symbol){.start = low, .end = end, .function = true});
		}
		own(filler, low, end, owner, 0);
		low = end;
	}
}

struct code_list {
	struct interval *stretches;
	uint32_t count;
};

static void add_stretch(void *context, uint64_t low, uint64_t high)
{
	struct code_list *list = context;
	list->stretches = memory_room(list->stretches, list->count, sizeof *list->stretches);
	list->stretches[list->count++] = (struct interval){low, high, 0, 0};
}

/* Fills what `sized` leaves of one stretch of code. */
static void fill_stretch(struct filler *filler, const struct interval_map *sized, uint64_t low, uint64_t high)
{
	uint32_t piece = interval_map_piece(sized, low);
	while (low < high) {
		uint32_t next = piece == NO_INTERVAL ? 0 : piece + 1;
		uint64_t end = next < sized->count && sized->start[next] < high ? sized->start[next] : high;
		if (piece == NO_INTERVAL || sized->value[piece] == NO_INTERVAL)
			fill_gap(filler, low, end);
		low = end;
		piece = next;
	}
}

static void fill_gaps(struct filler *filler, const struct elf_file *code)
{
	struct interval *copy = memory_new(filler->count, sizeof *copy);
	if (filler->count)
		memcpy(copy, filler->intervals, filler->count * sizeof *copy);
	struct interval_map sized = {0}, stretches = {0};
	interval_map_build(&sized, copy, filler->count);
	free(copy);
	struct code_list list = {0};
	elf_file_code(code, add_stretch, &list);
	interval_map_build(&stretches, list.stretches, list.count);
	free(list.stretches);
	for (uint32_t i = 0; i + 1 < stretches.count; i++)
		if (stretches.value[i] != NO_INTERVAL)
			fill_stretch(filler, &sized, stretches.start[i], stretches.start[i + 1]);
	interval_map_free(&stretches);
	interval_map_free(&sized);
}

void symbols_read(struct symbols *symbols, const struct elf_file *file, const struct elf_file *debug)
{
	if (file) {
		symbol_table_read(symbols, file, false);
		symbol_table_read(symbols, file, true);
		plt_read(symbols, file);
		entry_symbols_read(symbols, file);
		symbols->mini = mini_debug_open(file);
	}
	if (symbols->mini)
		symbol_table_read(symbols, symbols->mini, false);
	if (debug && debug != file)
		symbol_table_read(symbols, debug, false);
	sort_unique(symbols);
	symbols->named = symbols->count;

	const struct elf_file *code = file ? file : debug;
	if (!code)
		return;
	struct filler filler = {.symbols = symbols, .known = symbols->count};
	uint64_t *starts = unwind_starts(code, &filler.start_count);
	filler.starts = starts;
	/* A symbol inside another one (a second entry) owns its part: it starts later. */
	filler.labels = memory_new(symbols->count, sizeof *filler.labels);
	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols->array[i].sized)
			own(&filler, symbols->array[i].start, symbols->array[i].end, i, 1 + i);
		else
			filler.labels[filler.label_count++] = i;
	fill_gaps(&filler, code);
	interval_map_build(&symbols->owner, filler.intervals, filler.count);
	free(filler.intervals);
	free(filler.labels);
	free(starts);
}

void symbols_free(struct symbols *symbols)
{
	free(symbols->array);
	free(symbols->aliases);
	interval_map_free(&symbols->owner);
	arena_free(&symbols->names);
	elf_file_close(symbols->mini);
	*symbols = (struct symbols){0};
}

uint32_t symbols_find(const struct symbols *symbols, uint64_t address)
{
	return interval_map_find(&symbols->owner, address);
}
