/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the reading of process accounts, before it is settled which process waited for which: of process_accounts.c and
   process_ends.c. */
#ifndef PROCESS_READING_H
#define PROCESS_READING_H

#include "lineages.h"
#include "process_accounts.h"

/* Why a child that no log names was not recorded. */
#define NOT_BY_WISH "not followed, as -F off asks"
#define NOT_SEEN    "not recorded: the collector does not see how they were started or waited for"

/* The end of a child, as the process that waited for it was told. */
struct reaped {
	uint32_t waiter;
	uint64_t pid, time, cpu;
};

struct reading {
	struct process_accounts *accounts;
	const struct data *data;
	struct lineages lineages;
	struct reaped *reaped;
	uint32_t reaped_count;
};

void process_accounts_add_stranger(struct process_accounts *accounts, const struct stranger *stranger);

/* Finds for each end whose it is, and what children used of whose ends nobody was told. */
void process_ends_settle(const struct reading *reading);

#endif
