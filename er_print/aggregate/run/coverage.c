/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws up the balance: see coverage.h. */
#include "coverage.h"
#include "id_table.h"
#include "process_accounts.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

/* Less than this, or than this share, is what the kernel's account and ours may differ by: ticks that were due. */
#define NOISE       20000000u
#define NOISE_SHARE 50u
/* A limit for all processes together that lack less each: 3 %. */
#define PARTS_SHARE 33u
/* Children without a name that used less are taken together, and left out if that is not much: they have only tried to exec,
   as shells do. */
#define NAMELESS_LEAST 10000000u

#define LOST_EVENTS "events of it were lost"
#define LOST_TICKS  "its clock's signal did not reach the collector"
#define NOT_CLOCKED "not clocked: " /* FORMAT.md: what a message about a process without ticks begins with */
#define NO_END      "it ended unseen, so that its time and its children's are not told apart"

static bool is_much(uint64_t time, uint64_t whole)
{
	return time > NOISE && time > whole / NOISE_SHARE;
}

static void add_missing(struct coverage *coverage, const struct missing *missing)
{
	coverage->missing = memory_room(coverage->missing, coverage->missing_count, sizeof *missing);
	coverage->missing[coverage->missing_count++] = *missing;
	if (missing->time_known)
		coverage->whole += missing->time;
}

/* Whether others of its run were not loaded, so that nothing can be said of what is missing. */
static bool is_partial(const struct data *data, uint32_t e)
{
	return data->experiments[data->experiments[e].founder].partial;
}

static const char *program_of(const struct data *data, uint32_t e)
{
	const char *name = data->experiments[e].file->process.executable, *slash = name ? strrchr(name, '/') : 0;
	return slash ? slash + 1 : name ? name : "";
}

static const enum tally lost_events[] = {TALLY_events_lost_disk, TALLY_events_lost_memory, TALLY_events_lost_nested,
	TALLY_events_lost_ended, TALLY_overflows_lost, TALLY_mpi_calls_unrecorded};
enum { LOSSES = sizeof lost_events / sizeof *lost_events };

static bool has_lost_events(const struct experiment *file)
{
	for (unsigned i = 0; i < LOSSES; i++)
		if (experiment_tally(file, lost_events[i]))
			return true;
	return false;
}

static void add_lost_events(struct coverage *coverage, const struct data *data)
{
	uint64_t most = 0;
	for (unsigned i = 0; i < LOSSES; i++) {
		uint64_t lost = 0;
		for (uint32_t e = 0; e < data->experiment_count; e++)
			lost += experiment_tally(data->experiments[e].file, lost_events[i]);
		coverage->events_lost += lost;
		if (lost > most)
			coverage->events_lost_why = tally_row(lost_events[i])->text;
		most = lost > most ? lost : most;
	}
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The CPU time of a process itself, without paused time; 0 if it is not known. */
static uint64_t own_time(const struct process_account *process)
{
	/* From the best source to the poorest: the process's own account at its end, its parent's account of it, what was
	   recorded. */
	uint64_t self = process->self_known    ? process->self
			: process->whole_known ? less(process->whole, process->waited)
					       : process->recorded + process->paused;
	return less(self, process->paused);
}

/* The CPU time that it used after its last image had recorded its end. */
static uint64_t time_after(const struct process_account *process)
{
	if (!process->whole_known || !process->self_known)
		return 0;
	return less(process->whole, process->self + process->children);
}

/* Why it was not to be clocked; 0: it was. */
static const char *why_not_clocked(const struct experiment *file)
{
	for (size_t i = 0; i < file->event_count; i++)
		if (!strcmp(file->events[i].kind, "cwarn") &&
			!strncmp(file->events[i].text, NOT_CLOCKED, sizeof NOT_CLOCKED - 1))
			return file->events[i].text + sizeof NOT_CLOCKED - 1;
	return 0;
}

/* Why a process that was recorded lacks time. */
static const char *why_lacking(const struct data *data, const struct process_account *process)
{
	const struct experiment *file = data->experiments[process->image].file;
	const char *not_clocked = why_not_clocked(file);
	if (not_clocked)
		return not_clocked;
	if (has_lost_events(file))
		return LOST_EVENTS;
	return process->self_known ? LOST_TICKS : NO_END;
}

/* A small part of each process may be a large part of all: shells start hundreds. The kernel's account and ours
   differ either way. */
static void add_parts(struct coverage *coverage, int64_t parts, uint32_t count)
{
	if (parts <= NOISE || (uint64_t)parts <= coverage->whole / PARTS_SHARE)
		return;
	coverage->parts = (uint64_t)parts < coverage->recorded ? (uint64_t)parts : coverage->recorded;
	coverage->parts_of = count;
	coverage->recorded -= coverage->parts;
}

/* The nanoseconds that it lacks, if no line says so of it alone. */
static int64_t add_process(struct coverage *coverage, const struct data *data, const struct process_account *process)
{
	uint64_t own = own_time(process), after = time_after(process);
	uint64_t lacking = process->clocked ? less(own, process->recorded) : 0;
	bool lacks = is_much(lacking, own) || (lacking && why_not_clocked(data->experiments[process->image].file));
	coverage->recorded += lacks ? own - lacking : own;
	coverage->whole += lacks ? own - lacking : own;
	struct missing missing = {.experiment = process->image,
		.count = 1,
		.pid = process->pid,
		.time_known = true,
		.time = lacks ? lacking : 0};
	if (process->replaced_by) {
		missing.name = process->replaced_by;
		missing.why = process->why;
		missing.time += after;
		missing.time_known = process->whole_known || lacks;
		add_missing(coverage, &missing);
		return 0;
	}
	coverage->ends += after;
	if (!lacks)
		return process->clocked ? (int64_t)own - (int64_t)process->recorded : 0;
	missing.part = true;
	missing.name = program_of(data, process->image);
	missing.why = why_lacking(data, process);
	add_missing(coverage, &missing);
	return 0;
}

static void add_stranger(struct coverage *coverage, const struct data *data, const struct process_accounts *accounts,
	const struct stranger *stranger)
{
	bool child = !stranger->name;
	uint32_t parent = child ? accounts->processes[stranger->waiter].image : stranger->experiment;
	add_missing(coverage, &(struct missing){.experiment = stranger->experiment,
				      .count = 1,
				      .pid = stranger->pid,
				      .name = child ? program_of(data, parent) : stranger->name,
				      .child = child,
				      .why = stranger->why,
				      .time_known = stranger->time_known,
				      .time = stranger->time});
}

static bool is_small(const struct stranger *stranger)
{
	return !stranger->name && stranger->time < NAMELESS_LEAST;
}

/* Children without a name and with little time, those of one process together. */
static void add_small(struct coverage *coverage, const struct data *data, const struct process_accounts *accounts)
{
	uint32_t first = coverage->missing_count;
	uint64_t sum = 0;
	for (uint32_t s = 0; s < accounts->stranger_count; s++) {
		const struct stranger *stranger = &accounts->strangers[s];
		if (!is_small(stranger) || is_partial(data, stranger->experiment))
			continue;
		struct missing *last =
			coverage->missing_count > first ? &coverage->missing[coverage->missing_count - 1] : 0;
		sum += stranger->time;
		if (last && last->experiment == stranger->experiment) {
			last->count++;
			last->time += stranger->time;
			last->pid = 0;
			coverage->whole += stranger->time;
		} else {
			add_stranger(coverage, data, accounts, stranger);
		}
	}
	if (!is_much(sum, coverage->whole)) {
		coverage->missing_count = first;
		coverage->whole -= sum;
	}
}

struct coverage coverage_of(const struct data *data)
{
	struct coverage coverage = {0};
	struct process_accounts accounts;
	int64_t parts = 0;
	uint32_t parts_of = 0;
	process_accounts_read(&accounts, data);
	for (uint32_t p = 0; p < accounts.count; p++) {
		if (is_partial(data, accounts.processes[p].founder))
			continue;
		int64_t part = add_process(&coverage, data, &accounts.processes[p]);
		parts += part;
		parts_of += part > 0;
	}
	for (uint32_t s = 0; s < accounts.stranger_count; s++)
		if (!is_small(&accounts.strangers[s]) && !is_partial(data, accounts.strangers[s].experiment))
			add_stranger(&coverage, data, &accounts, &accounts.strangers[s]);
	add_small(&coverage, data, &accounts);
	add_lost_events(&coverage, data);
	coverage.ends = is_much(coverage.ends, coverage.whole) ? coverage.ends : 0;
	coverage.whole += coverage.ends;
	add_parts(&coverage, parts, parts_of);
	process_accounts_free(&accounts);
	return coverage;
}

void coverage_free(struct coverage *coverage)
{
	free(coverage->missing);
	*coverage = (struct coverage){0};
}
