/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the logs: who became what, who waited for whom, and what the kernel said that it had used. */
#include "id_table.h"
#include "process_reading.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

#define UNFOLLOWED  "not followed"
#define UNRECORDED  "not recorded"
#define NEVER_BEGAN "not recorded: the collector never began in it, as its environment or its privileges kept it away"

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
	/* exec keeps the process's number, fork gives a new one. */
	if (parent != NO_ID && accounts->processes[parent].pid == loaded->file->process.pid)
		return parent;
	accounts->processes = memory_room(accounts->processes, accounts->count, sizeof *accounts->processes);
	const struct process_info *facts = &loaded->file->process;
	accounts->processes[accounts->count] = (struct process_account){.founder = loaded->founder,
		.parent = parent,
		.pid = facts->pid,
		.outer_pid = facts->outer_pid ? facts->outer_pid : facts->pid,
		.start = loaded->start_offset,
		.clocked = true};
	return accounts->count++;
}

/* Whether the collector of that experiment counted such: older ones lack some tallies. */
static bool counts(const struct experiment *file, enum tally tally)
{
	for (size_t i = 0; i < file->tally_count; i++)
		if (!strcmp(file->tallies[i].name, tally_row(tally)->name))
			return true;
	return false;
}

static void add_image(struct reading *reading, uint32_t e)
{
	const struct experiment *file = reading->data->experiments[e].file;
	uint32_t index = process_of(reading, e);
	struct process_account *process = &reading->accounts->processes[index];
	reading->accounts->of_experiment[e] = index;
	/* Images come in the order of their starts, so the last one stays. */
	process->image = e;
	process->clocked = process->clocked && file->settings->clock_interval && counts(file, TALLY_time_recorded);
	process->recorded += experiment_tally(file, TALLY_time_recorded);
	process->paused += experiment_tally(file, TALLY_time_paused);
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

void process_accounts_add_stranger(struct process_accounts *accounts, const struct stranger *stranger)
{
	accounts->strangers = memory_room(accounts->strangers, accounts->stranger_count, sizeof *stranger);
	accounts->strangers[accounts->stranger_count++] = *stranger;
}

static bool begins(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Whether it is an image that one named before has exec'd; then that has the new name. */
static bool is_same_process(struct reading *reading, const struct stranger *stranger)
{
	struct process_accounts *accounts = reading->accounts;
	for (uint32_t s = accounts->stranger_count; s-- && stranger->pid && stranger->lineage;) {
		struct stranger *before = &accounts->strangers[s];
		if (before->pid == stranger->pid && before->experiment == stranger->experiment && before->lineage &&
			begins(stranger->lineage, before->lineage)) {
			before->name = stranger->name;
			before->why = stranger->why;
			return true;
		}
	}
	return false;
}

/* A process that a log names as not recorded: a child, or in the founder's log any process. */
static void note_stranger(struct reading *reading, uint32_t e, const struct log_event *event, const char *why)
{
	struct stranger stranger = {.experiment = e,
		.waiter = reading->accounts->of_experiment[e],
		.name = log_event_attribute(event, "name"),
		.lineage = log_event_attribute(event, "lineage"),
		.why = why};
	number_of(event, "pid", &stranger.pid);
	const char *lineage = stranger.lineage;
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
	if (!is_same_process(reading, &stranger))
		process_accounts_add_stranger(reading->accounts, &stranger);
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

void process_accounts_read(struct process_accounts *accounts, const struct data *data)
{
	struct reading reading = {.accounts = accounts, .data = data};
	*accounts = (struct process_accounts){.of_experiment = memory_new(data->experiment_count, sizeof(uint32_t))};
	lineages_read(&reading.lineages, data);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		add_image(&reading, e);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		read_log(&reading, e);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		read_close(&reading, e);
	process_ends_settle(&reading);
	lineages_free(&reading.lineages);
	free(reading.reaped);
}

void process_accounts_free(struct process_accounts *accounts)
{
	free(accounts->processes);
	free(accounts->of_experiment);
	free(accounts->strangers);
	*accounts = (struct process_accounts){0};
}
