/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of a run, each with the images that it was one after the other: what the kernel counted for them, and how much
   of that was recorded. CPU time in nanoseconds. */
#ifndef PROCESS_ACCOUNTS_H
#define PROCESS_ACCOUNTS_H

#include "data.h"
#include <stdbool.h>
#include <stdint.h>

struct process_account {
	uint32_t founder; /* index of its founder in data->experiments */
	uint32_t image;   /* index of the last of its images that were recorded */
	uint32_t parent;  /* index of the process whose lineage it continues; NO_ID: none was recorded */
	uint64_t pid;
	uint64_t outer_pid; /* as its parent sees it, which may be in another namespace */
	uint64_t start;     /* ns since the founder's start */
	bool clocked;       /* how much of its time was recorded is known */
	uint64_t recorded, paused;
	bool self_known;         /* when it ended or became an image that was not recorded, it had used ... */
	uint64_t self, children; /* itself, and the children that it had waited for */
	bool whole_known;        /* who waited for it was told ... */
	uint64_t whole;          /* both, until its end */
	uint64_t waited;         /* what it was told of its children */
	const char *replaced_by; /* the image that it became without being recorded as such; 0: none */
	const char *why;         /* that was so */
};

/* A process that was not recorded in any of its images. */
struct stranger {
	uint32_t experiment; /* index of the one whose log names it */
	uint32_t waiter;     /* index of the process that made it or waited for it; NO_ID */
	uint64_t pid;        /* 0: not known */
	const char *name;    /* 0: not known */
	const char *lineage; /* likewise */
	const char *why;
	bool time_known;
	uint64_t time; /* with the time of its children that were not recorded either */
};

struct process_accounts {
	struct process_account *processes;
	uint32_t count;
	uint32_t *of_experiment; /* by index in data->experiments */
	struct stranger *strangers;
	uint32_t stranger_count;
};

void process_accounts_read(struct process_accounts *accounts, const struct data *data);
/* Whether it is a line that says why a process was not recorded. */
bool process_accounts_has(const struct log_event *event);
void process_accounts_free(struct process_accounts *accounts);

#endif
