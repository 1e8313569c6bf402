/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding out which process waited for which: see process_reading.h. */
#include "id_table.h"
#include "number_map.h"
#include "process_reading.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

#define SAME_END 1000000u  /* ns */
#define TRACED   20000000u /* ns: more than this beyond its children's time is what a debugger was told of others */

struct settling {
	const struct reading *reading;
	uint32_t *by_pid;           /* processes by founder, pid and start */
	struct number_map youngest; /* (founder, parent's pid): the last process that has it */
	uint32_t *older;            /* by process: the one before with the same parent; UINT32_MAX: none */
};

static int by_pid(const void *a, const void *b, void *context)
{
	const struct process_account *all = context, *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
	return COMPARE(x->founder, y->founder) ?: COMPARE(x->outer_pid, y->outer_pid) ?: COMPARE(x->start, y->start);
}

static void sort_by_pid(struct settling *settling)
{
	const struct process_accounts *accounts = settling->reading->accounts;
	settling->by_pid = memory_new(accounts->count, sizeof *settling->by_pid);
	for (uint32_t i = 0; i < accounts->count; i++)
		settling->by_pid[i] = i;
	qsort_r(settling->by_pid, accounts->count, sizeof *settling->by_pid, by_pid, accounts->processes);
}

/* In the order of founders, pids and starts: behind all that can be the one that ended. */
static bool begun_after(const struct process_account *process, uint32_t founder, const struct reaped *reaped)
{
	int order = COMPARE(process->founder, founder) ?: COMPARE(process->outer_pid, reaped->pid);
	return (order ?: COMPARE(process->start, reaped->time)) > 0;
}

/* The last one with that pid that had begun by then; numbers are used again, and in other namespaces. So a child of the waiter
   comes before others. 0: none. */
static struct process_account *whose_end(const struct settling *settling, const struct reaped *reaped)
{
	struct process_account *processes = settling->reading->accounts->processes, *found = 0;
	uint32_t founder = processes[reaped->waiter].founder;
	uint64_t after = FIRST_WHERE(
		i, settling->reading->accounts->count, begun_after(&processes[settling->by_pid[i]], founder, reaped));
	while (after--) {
		struct process_account *process = &processes[settling->by_pid[after]];
		if (process->founder != founder || process->outer_pid != reaped->pid)
			break;
		if (process->parent == reaped->waiter)
			return process;
		found = found ? found : process;
	}
	return found;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The CPU time of recorded processes that a stranger started and waited for. */
static uint64_t recorded_below(const struct settling *settling, uint32_t founder, uint64_t pid)
{
	const struct process_accounts *accounts = settling->reading->accounts;
	uint64_t sum = 0;
	uint32_t p = number_map_find(&settling->youngest, number_pair(founder, (uint32_t)pid));
	for (; p != UINT32_MAX; p = settling->older[p])
		if (!accounts->processes[p].whole_known && accounts->processes[p].self_known)
			sum += accounts->processes[p].self + accounts->processes[p].children;
	return sum;
}

/* Links the processes that have the same parent, which need not be recorded. */
static void link_siblings(struct settling *settling)
{
	const struct process_accounts *accounts = settling->reading->accounts;
	settling->older = memory_new(accounts->count, sizeof *settling->older);
	for (uint32_t p = 0; p < accounts->count; p++) {
		const struct process_account *process = &accounts->processes[p];
		uint64_t parent = settling->reading->data->experiments[process->image].file->process.ppid;
		uint32_t *place =
			number_map_place(&settling->youngest, number_pair(process->founder, (uint32_t)parent));
		settling->older[p] = *place;
		*place = p;
	}
}

static void end_stranger(struct settling *settling, const struct reaped *reaped)
{
	struct process_accounts *accounts = settling->reading->accounts;
	const struct process_account *waiter = &accounts->processes[reaped->waiter];
	/* The kernel's account of a process includes the children that it waited for, and recorded ones are counted already. */
	uint64_t time = less(reaped->cpu, recorded_below(settling, waiter->founder, reaped->pid));
	for (uint32_t s = 0; s < accounts->stranger_count; s++) {
		struct stranger *stranger = &accounts->strangers[s];
		if (stranger->time_known || stranger->pid != reaped->pid ||
			settling->reading->data->experiments[stranger->experiment].founder != waiter->founder)
			continue;
		stranger->time_known = true;
		stranger->time = time;
		return;
	}
	bool followed = settling->reading->data->experiments[waiter->image].file->settings->follow;
	process_accounts_add_stranger(accounts, &(struct stranger){.experiment = waiter->image,
							.waiter = reaped->waiter,
							.pid = reaped->pid,
							.why = followed ? NOT_SEEN : NOT_BY_WISH,
							.time_known = true,
							.time = time});
}

/* A tracer and the parent are told the same about one process; else the number was used again. */
static bool is_same_end(uint64_t a, uint64_t b)
{
	return less(a, b) + less(b, a) < SAME_END;
}

static void settle_reaped(struct settling *settling)
{
	for (uint32_t r = 0; r < settling->reading->reaped_count; r++) {
		struct reaped *reaped = &settling->reading->reaped[r];
		struct process_account *process = whose_end(settling, reaped);
		bool another = process && process->whole_known && !is_same_end(process->whole, reaped->cpu);
		if (!process || another)
			continue;
		process->whole = reaped->cpu;
		process->whole_known = true;
		reaped->pid = 0;
	}
	for (uint32_t r = 0; r < settling->reading->reaped_count; r++) {
		const struct process_account *waiter =
			&settling->reading->accounts->processes[settling->reading->reaped[r].waiter];
		/* A tracer is told of the ends of others' children, too. */
		bool traces = waiter->self_known && waiter->waited > waiter->children + TRACED;
		if (settling->reading->reaped[r].pid && !traces)
			end_stranger(settling, &settling->reading->reaped[r]);
	}
}

/* By process: what its waits were told, and what recorded children used of which they were not. The caller frees it. */
static uint64_t *seen_of_children(const struct process_accounts *accounts)
{
	uint64_t *seen = memory_new(accounts->count, sizeof *seen);
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
static void give_unseen(struct settling *settling, uint32_t waiter, uint64_t time)
{
	struct process_accounts *accounts = settling->reading->accounts;
	uint32_t image = accounts->processes[waiter].image, open = 0;
	struct stranger *only = 0;
	for (uint32_t s = 0; s < accounts->stranger_count; s++)
		if (accounts->strangers[s].waiter == waiter && !accounts->strangers[s].time_known) {
			only = &accounts->strangers[s];
			open++;
		}
	if (open != 1) {
		bool followed = settling->reading->data->experiments[image].file->settings->follow;
		process_accounts_add_stranger(accounts,
			&(struct stranger){
				.experiment = image, .waiter = waiter, .why = followed ? NOT_SEEN : NOT_BY_WISH});
		only = &accounts->strangers[accounts->stranger_count - 1];
	}
	only->time_known = true;
	only->time = time;
}

/* The CPU time of a process's children beside what is known: it waited by system calls of its own. */
static void settle_unseen(struct settling *settling)
{
	struct process_accounts *accounts = settling->reading->accounts;
	uint64_t *seen = seen_of_children(accounts);
	for (uint32_t p = 0; p < accounts->count; p++)
		if (accounts->processes[p].self_known && accounts->processes[p].children > seen[p])
			give_unseen(settling, p, accounts->processes[p].children - seen[p]);
	free(seen);
}

void process_ends_settle(const struct reading *reading)
{
	struct settling settling = {.reading = reading};
	sort_by_pid(&settling);
	link_siblings(&settling);
	settle_reaped(&settling);
	settle_unseen(&settling);
	number_map_free(&settling.youngest);
	free(settling.older);
	free(settling.by_pid);
}
