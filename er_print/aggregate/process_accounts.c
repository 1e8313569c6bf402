/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the logs: who became what, who waited for whom, and what the kernel said that it had used. */
#include "process_accounts.h"
#include "id_table.h"
#include "lineages.h"
#include "number_map.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

#define UNFOLLOWED  "not followed"
#define UNRECORDED  "not recorded"
#define NEVER_BEGAN "not recorded: the collector never began in it, as its environment or its privileges kept it away"
#define BY_WISH     "not followed, as -F off asks"
#define UNSEEN      "not recorded: the collector does not see how they were started or waited for"
#define SAME_END    1000000u  /* ns */
#define TRACED      20000000u /* ns: more than this beyond its children's time is what a debugger was told of others */

/* The end of a child, as the process that waited for it was told. */
struct reaped {
	uint32_t waiter;
	uint64_t pid, time, cpu;
};

struct reading {
	struct process_accounts *accounts;
	const struct data *data;
	struct lineages lineages;
	struct number_map youngest; /* (founder, parent's pid): the last process that has it */
	uint32_t *older;            /* by process: the one before with the same parent; UINT32_MAX: none */
	uint32_t *by_pid;           /* processes by founder, pid and start */
	struct reaped *reaped;
	uint32_t reaped_count;
};

static bool number_of(const struct log_event *event, const char *name, uint64_t *number)
{
	const char *text = log_event_attribute(event, name);
	if (text)
		*number = strtoull(text, 0, 10);
	return text != 0;
}

static bool is_kind(const struct log_event *event, const char *kind)
{
	return !strcmp(event->kind, kind);
}

/* The process that an image belongs to: that of the image whose exec made it, or a new one. */
static uint32_t process_of(struct reading *reading, uint32_t e)
{
	struct process_accounts *accounts = reading->accounts;
	const struct loaded_experiment *loaded = &reading->data->experiments[e];
	uint32_t before = lineages_before(&reading->lineages, loaded->founder, reading->lineages.name[e]);
	uint32_t parent = before == NO_ID ? NO_ID : accounts->of_experiment[before];
	if (parent != NO_ID && accounts->processes[parent].pid == loaded->file->process.pid)
		return parent;
	accounts->processes = memory_room(accounts->processes, accounts->count, sizeof *accounts->processes);
	accounts->processes[accounts->count] = (struct process_account){.founder = loaded->founder,
		.parent = parent,
		.pid = loaded->file->process.pid,
		.start = loaded->start_offset,
		.clocked = true};
	return accounts->count++;
}

/* Whether the collector of that experiment counted such: older ones lack some counters. */
static bool counts(const struct experiment *file, enum counter counter)
{
	for (size_t i = 0; i < file->counter_count; i++)
		if (!strcmp(file->counters[i].name, counter_row(counter)->name))
			return true;
	return false;
}

static void add_image(struct reading *reading, uint32_t e)
{
	const struct experiment *file = reading->data->experiments[e].file;
	uint32_t index = process_of(reading, e);
	struct process_account *process = &reading->accounts->processes[index];
	reading->accounts->of_experiment[e] = index;
	process->image = e;
	process->clocked = process->clocked && file->settings.clock_interval && counts(file, COUNTER_time_recorded);
	process->recorded += experiment_counter(file, COUNTER_time_recorded);
	process->paused += experiment_counter(file, COUNTER_time_paused);
}

static void note_exit(struct process_account *process, const struct log_event *event)
{
	uint64_t user, system, children = 0;
	if (!number_of(event, "user", &user) || !number_of(event, "system", &system))
		return;
	number_of(event, "children", &children);
	process->self_known = true;
	process->self = user + system;
	process->children = children;
}

static void note_waited(struct reading *reading, uint32_t waiter, uint64_t start, const struct log_event *event)
{
	struct reaped reaped = {.waiter = waiter, .time = start + event->time};
	if (!number_of(event, "pid", &reaped.pid) || !number_of(event, "cpu", &reaped.cpu))
		return;
	reading->accounts->processes[waiter].waited += reaped.cpu;
	reading->reaped = memory_room(reading->reaped, reading->reaped_count, sizeof reaped);
	reading->reaped[reading->reaped_count++] = reaped;
}

static void add_stranger(struct reading *reading, const struct stranger *stranger)
{
	struct process_accounts *accounts = reading->accounts;
	accounts->strangers = memory_room(accounts->strangers, accounts->stranger_count, sizeof *stranger);
	accounts->strangers[accounts->stranger_count++] = *stranger;
}

/* What a log names as not recorded: a child, or in the founder's log any process. */
static void note_stranger(struct reading *reading, uint32_t e, const struct log_event *event, const char *why)
{
	struct stranger stranger = {.experiment = e,
		.waiter = reading->accounts->of_experiment[e],
		.name = log_event_attribute(event, "name"),
		.why = why};
	number_of(event, "pid", &stranger.pid);
	const char *lineage = log_event_attribute(event, "lineage");
	uint32_t before =
		lineage ? lineages_before(&reading->lineages, reading->data->experiments[e].founder, lineage) : NO_ID;
	if (before != NO_ID) {
		struct process_account *process =
			&reading->accounts->processes[reading->accounts->of_experiment[before]];
		stranger.waiter = reading->accounts->of_experiment[before];
		if (process->pid == stranger.pid) {
			process->replaced_by = stranger.name;
			process->why = why;
			return;
		}
	}
	add_stranger(reading, &stranger);
}

static bool begins(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

bool process_accounts_has(const struct log_event *event)
{
	return (is_kind(event, "cwarn") || is_kind(event, "comment")) &&
	       (begins(event->text, UNFOLLOWED) || begins(event->text, UNRECORDED));
}

/* Descendants that the founder's log tells of have their lineage there. */
static bool is_known(const struct reading *reading, uint32_t founder, const char *lineage)
{
	if (lineages_find(&reading->lineages, founder, lineage) != NO_ID)
		return true;
	const struct experiment *file = reading->data->experiments[founder].file;
	for (size_t i = 0; i < file->event_count; i++) {
		const char *told = log_event_attribute(&file->events[i], "lineage");
		if (told && process_accounts_has(&file->events[i]) && !strcmp(told, lineage))
			return true;
	}
	return false;
}

static void note_exec(struct reading *reading, uint32_t e, const struct log_event *event)
{
	struct process_account *process = &reading->accounts->processes[reading->accounts->of_experiment[e]];
	const char *lineage = log_event_attribute(event, "lineage");
	if (lineage && is_known(reading, process->founder, lineage))
		return;
	process->replaced_by = log_event_attribute(event, "name");
	process->why = *event->text ? event->text : NEVER_BEGAN;
}

static void note_descendant(struct reading *reading, uint32_t e, const struct log_event *event)
{
	const char *lineage = log_event_attribute(event, "lineage"), *how = log_event_attribute(event, "how");
	if (lineage && how && strcmp(how, "fork") != 0 &&
		!is_known(reading, reading->data->experiments[e].founder, lineage))
		note_stranger(reading, e, event, NEVER_BEGAN);
}

static void read_log(struct reading *reading, uint32_t e)
{
	const struct loaded_experiment *loaded = &reading->data->experiments[e];
	uint32_t index = reading->accounts->of_experiment[e];
	struct process_account *process = &reading->accounts->processes[index];
	process->self_known = false; /* an image before this one may have said it */
	for (size_t i = 0; i < loaded->file->event_count; i++) {
		const struct log_event *event = &loaded->file->events[i];
		if (is_kind(event, "exit"))
			note_exit(process, event);
		else if (is_kind(event, "waited"))
			note_waited(reading, index, loaded->start_offset, event);
		else if (is_kind(event, "exec_start"))
			note_exec(reading, e, event);
		else if (is_kind(event, "exec_error"))
			process->replaced_by = 0, process->self_known = false;
		else if (is_kind(event, "desc_start"))
			note_descendant(reading, e, event);
		else if (process_accounts_has(event))
			note_stranger(reading, e, event, event->text);
	}
}

/* collect has waited for the founder's own process. */
static void read_close(struct reading *reading, uint32_t e)
{
	const struct loaded_experiment *loaded = &reading->data->experiments[e];
	struct process_account *process = &reading->accounts->processes[reading->accounts->of_experiment[e]];
	uint64_t user, system;
	for (size_t i = 0; i < loaded->file->event_count && loaded->founder == e && process->pid; i++) {
		const struct log_event *event = &loaded->file->events[i];
		if (!is_kind(event, "close") || !number_of(event, "user", &user) ||
			!number_of(event, "system", &system))
			continue;
		process->whole_known = true;
		process->whole = user + system;
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_pid(const void *a, const void *b, void *context)
{
	const struct process_account *all = context, *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
	int order = compare(x->founder, y->founder);
	order = order ? order : compare(x->pid, y->pid);
	return order ? order : compare(x->start, y->start);
}

static void sort_by_pid(struct reading *reading)
{
	const struct process_accounts *accounts = reading->accounts;
	reading->by_pid = memory_get(accounts->count, sizeof *reading->by_pid);
	for (uint32_t i = 0; i < accounts->count; i++)
		reading->by_pid[i] = i;
	qsort_r(reading->by_pid, accounts->count, sizeof *reading->by_pid, by_pid, accounts->processes);
}

/* The last one with that pid that had begun by then; numbers are used again. */
static struct process_account *with_pid(const struct reading *reading, uint32_t founder, uint64_t pid, uint64_t time)
{
	struct process_account wanted = {.founder = founder, .pid = pid, .start = time};
	uint32_t low = 0, high = reading->accounts->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct process_account *process = &reading->accounts->processes[reading->by_pid[middle]];
		int order = compare(process->founder, wanted.founder);
		order = order ? order : compare(process->pid, wanted.pid);
		order = order ? order : compare(process->start, wanted.start);
		if (order <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	struct process_account *found = low ? &reading->accounts->processes[reading->by_pid[low - 1]] : 0;
	return found && found->founder == founder && found->pid == pid ? found : 0;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* What recorded processes used that a stranger started and waited for. */
static uint64_t recorded_below(const struct reading *reading, uint32_t founder, uint64_t pid)
{
	const struct process_accounts *accounts = reading->accounts;
	uint64_t sum = 0;
	uint32_t p = number_map_find(&reading->youngest, number_pair(founder, (uint32_t)pid));
	for (; p != UINT32_MAX; p = reading->older[p])
		if (!accounts->processes[p].whole_known && accounts->processes[p].self_known)
			sum += accounts->processes[p].self + accounts->processes[p].children;
	return sum;
}

/* Links the processes that have the same parent, which need not be recorded. */
static void link_siblings(struct reading *reading)
{
	const struct process_accounts *accounts = reading->accounts;
	reading->older = memory_get(accounts->count, sizeof *reading->older);
	for (uint32_t p = 0; p < accounts->count; p++) {
		const struct process_account *process = &accounts->processes[p];
		uint64_t parent = reading->data->experiments[process->image].file->process.ppid;
		uint32_t *place = number_map_place(&reading->youngest, number_pair(process->founder, (uint32_t)parent));
		reading->older[p] = *place;
		*place = p;
	}
}

static void end_stranger(struct reading *reading, const struct reaped *reaped)
{
	struct process_accounts *accounts = reading->accounts;
	const struct process_account *waiter = &accounts->processes[reaped->waiter];
	uint64_t time = less(reaped->cpu, recorded_below(reading, waiter->founder, reaped->pid));
	for (uint32_t s = 0; s < accounts->stranger_count; s++) {
		struct stranger *stranger = &accounts->strangers[s];
		if (stranger->time_known || stranger->pid != reaped->pid ||
			reading->data->experiments[stranger->experiment].founder != waiter->founder)
			continue;
		stranger->time_known = true;
		stranger->time = time;
		return;
	}
	bool followed = reading->data->experiments[waiter->image].file->settings.follow;
	add_stranger(reading, &(struct stranger){.experiment = waiter->image,
				      .waiter = reaped->waiter,
				      .pid = reaped->pid,
				      .why = followed ? UNSEEN : BY_WISH,
				      .time_known = true,
				      .time = time});
}

/* Of one process a tracer and its parent are told the same; else the number was used again. */
static bool is_same_end(uint64_t a, uint64_t b)
{
	return less(a, b) + less(b, a) < SAME_END;
}

static void settle_reaped(struct reading *reading)
{
	for (uint32_t r = 0; r < reading->reaped_count; r++) {
		struct reaped *reaped = &reading->reaped[r];
		uint32_t founder = reading->accounts->processes[reaped->waiter].founder;
		struct process_account *process = with_pid(reading, founder, reaped->pid, reaped->time);
		bool another = process && process->whole_known && !is_same_end(process->whole, reaped->cpu);
		if (!process || another)
			continue;
		process->whole = reaped->cpu;
		process->whole_known = true;
		reaped->pid = 0;
	}
	for (uint32_t r = 0; r < reading->reaped_count; r++) {
		const struct process_account *waiter = &reading->accounts->processes[reading->reaped[r].waiter];
		/* A tracer is told of the ends of others' children, too. */
		bool traces = waiter->self_known && waiter->waited > waiter->children + TRACED;
		if (reading->reaped[r].pid && !traces)
			end_stranger(reading, &reading->reaped[r]);
	}
}

/* By process: what its waits were told, and what recorded children used of which they were not. The caller frees it. */
static uint64_t *seen_of_children(const struct process_accounts *accounts)
{
	uint64_t *seen = memory_get(accounts->count, sizeof *seen);
	for (uint32_t p = 0; p < accounts->count; p++) {
		const struct process_account *process = &accounts->processes[p];
		seen[p] += process->waited;
		if (process->parent == NO_ID || process->whole_known)
			continue;
		seen[process->parent] +=
			process->self_known ? process->self + process->children : process->recorded + process->paused;
	}
	return seen;
}

/* The time belongs to the only child whose end was not seen; of several, or none, a nameless one has it. */
static void give_unseen(struct reading *reading, uint32_t waiter, uint64_t time)
{
	struct process_accounts *accounts = reading->accounts;
	uint32_t image = accounts->processes[waiter].image, open = 0;
	struct stranger *only = 0;
	for (uint32_t s = 0; s < accounts->stranger_count; s++)
		if (accounts->strangers[s].waiter == waiter && !accounts->strangers[s].time_known) {
			only = &accounts->strangers[s];
			open++;
		}
	if (open != 1) {
		bool followed = reading->data->experiments[image].file->settings.follow;
		add_stranger(reading,
			&(struct stranger){.experiment = image, .waiter = waiter, .why = followed ? UNSEEN : BY_WISH});
		only = &accounts->strangers[accounts->stranger_count - 1];
	}
	only->time_known = true;
	only->time = time;
}

/* What a process's children used beside what is known: it waited by system calls of its own. */
static void settle_unseen(struct reading *reading)
{
	struct process_accounts *accounts = reading->accounts;
	uint64_t *seen = seen_of_children(accounts);
	for (uint32_t p = 0; p < accounts->count; p++)
		if (accounts->processes[p].self_known && accounts->processes[p].children > seen[p])
			give_unseen(reading, p, accounts->processes[p].children - seen[p]);
	free(seen);
}

void process_accounts_read(struct process_accounts *accounts, const struct data *data)
{
	struct reading reading = {.accounts = accounts, .data = data};
	*accounts = (struct process_accounts){.of_experiment = memory_get(data->experiment_count, sizeof(uint32_t))};
	lineages_read(&reading.lineages, data);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		add_image(&reading, e);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		read_log(&reading, e);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		read_close(&reading, e);
	sort_by_pid(&reading);
	link_siblings(&reading);
	settle_reaped(&reading);
	settle_unseen(&reading);
	lineages_free(&reading.lineages);
	number_map_free(&reading.youngest);
	free(reading.older);
	free(reading.by_pid);
	free(reading.reaped);
}

void process_accounts_free(struct process_accounts *accounts)
{
	free(accounts->processes);
	free(accounts->of_experiment);
	free(accounts->strangers);
	*accounts = (struct process_accounts){0};
}
