/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that no table of ours has: numbers, the kernel's tracepoints, libpfm4's names; and what to say of the others. */
#include "counter_aliases.h"
#include "counter_event.h"
#include "counter_tables.h"
#include "event_library.h"
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A number, decimal or hexadecimal, or perf's rUUEE; where the unit mask lies in it is the architecture's. */
bool raw_event_find(const struct counter_request *request, const char *name, struct counter_found *found)
{
	char *end;
	bool perf = name[0] == 'r' && isxdigit((unsigned char)name[1]);
	if (!perf && !isdigit((unsigned char)name[0]))
		return false;
	errno = 0;
	uint64_t config = strtoull(name + perf, &end, perf || (name[0] == '0' && tolower(name[1]) == 'x') ? 16 : 10);
	if (*end || errno)
		return false;
	struct overflow_counter *counter = &found->counter;
	config |= counter_request_attribute(request, "umask", 0) << 8;
	counter->type = PERF_TYPE_RAW;
	counter->config = config;
	snprintf(counter->name, sizeof counter->name, "0x%llx", (unsigned long long)config);
	snprintf(counter->title, sizeof counter->title, "Event 0x%llx", (unsigned long long)config);
	snprintf(counter->event, sizeof counter->event, "r%llx", (unsigned long long)config);
	found->interval = RAW_INTERVAL;
	return true;
}

static const char *const tracefs[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

/* The number of a tracepoint, or -errno. */
static long tracepoint_number(const char *system, size_t length, const char *event)
{
	long number = -ENOENT;
	for (size_t i = 0; i < sizeof tracefs / sizeof *tracefs; i++) {
		char path[512];
		snprintf(path, sizeof path, "%s/events/%.*s/%s/id", tracefs[i], (int)length, system, event);
		FILE *file = fopen(path, "re");
		if (!file) {
			number = errno == EACCES ? -EACCES : number;
			continue;
		}
		if (fscanf(file, "%ld", &number) != 1)
			number = -EIO;
		fclose(file);
		break;
	}
	return number;
}

static bool tracefs_mounted(void)
{
	for (size_t i = 0; i < sizeof tracefs / sizeof *tracefs; i++) {
		char path[128];
		snprintf(path, sizeof path, "%s/events", tracefs[i]);
		FILE *directory = fopen(path, "re");
		int code = errno;
		if (directory)
			fclose(directory);
		if (directory || code == EACCES)
			return true;
	}
	return false;
}

/* SYSTEM:EVENT, lower case; no event of a CPU is written so. */
static bool looks_like_tracepoint(const char *name, const char **event)
{
	const char *colon = strchr(name, ':');
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
	if (!colon || colon == name || strspn(name, letters) != (size_t)(colon - name) || !colon[1] ||
		strspn(colon + 1, letters) != strlen(colon + 1) || strspn(colon + 1, "ukhp") == strlen(colon + 1))
		return false;
	*event = colon + 1;
	return true;
}

bool tracepoint_find(const struct counter_request *request, const char *name, struct counter_found *found)
{
	const char *event;
	(void)request;
	if (!looks_like_tracepoint(name, &event))
		return false;
	long number = tracepoint_number(name, (size_t)(event - 1 - name), event);
	if (number < 0 && event_library_knows(name))
		return false;
	if (number < 0 && !tracefs_mounted())
		return error_set(&found->error,
			"HW counter `%s': tracepoints cannot be looked up: tracefs is not mounted; as root, run: mount "
			"-t tracefs tracefs %s",
			name, tracefs[0]);
	if (number == -EACCES)
		return error_set(&found->error,
			"HW counter `%s': tracepoints cannot be looked up: %s/events may be read by root alone", name,
			tracefs[0]);
	if (number < 0)
		return error_set(
			&found->error, "HW counter `%s': there is no such tracepoint in %s/events", name, tracefs[0]);
	struct overflow_counter *counter = &found->counter;
	snprintf(counter->name, sizeof counter->name, "%s", name);
	snprintf(counter->title, sizeof counter->title, "%s", name);
	snprintf(counter->event, sizeof counter->event, "tracepoint::%s", name);
	counter->type = PERF_TYPE_TRACEPOINT;
	counter->config = (uint64_t)number;
	counter->modes = MODE_USER | MODE_KERNEL; /* where the kernel passes them */
	found->interval = 1;
	return true;
}

bool library_event_find(const struct counter_request *request, const char *name, struct counter_found *found)
{
	char event[sizeof request->name];
	struct error wrong;
	strcpy(event, name);
	/* As the lists show it, EVENT.MASK, or as libpfm4 does, EVENT:MASK. */
	for (char *dot = event; !event_library_encode(event, request, &found->counter, &wrong);) {
		dot = strchr(dot, '.');
		if (!dot) {
			if (event_library_knows(name))
				found->error = wrong;
			return false;
		}
		*dot++ = ':';
	}
	struct overflow_counter *counter = &found->counter;
	const char *own = strstr(event, "::");
	snprintf(counter->name, sizeof counter->name, "%.63s", own ? own + 2 : event);
	for (char *letter = counter->name; *letter; letter++)
		*letter = (char)tolower(*letter);
	snprintf(counter->title, sizeof counter->title, "%s", counter->name);
	found->interval = RAW_INTERVAL;
	return true;
}

enum { NAME_MAX_COMPARED = 63, NEAREST = 3 };

/* Edit distance, Levenshtein's, case not mattering. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[NAME_MAX_COMPARED + 1];
	size_t m = strnlen(a, NAME_MAX_COMPARED), n = strnlen(b, NAME_MAX_COMPARED);
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned diagonal = row[0];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			unsigned other = tolower(a[i - 1]) != tolower(b[j - 1]), best = diagonal + other;
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}

struct nearest {
	const char *wanted;
	char name[NEAREST][64];
	unsigned distance[NEAREST];
	unsigned count;
};

static void consider(void *context, const char *name, const char *description)
{
	struct nearest *nearest = context;
	(void)description;
	unsigned far = distance(nearest->wanted, name), place = nearest->count;
	while (place > 0 && nearest->distance[place - 1] > far)
		place--;
	if (place >= NEAREST)
		return;
	for (unsigned i = nearest->count < NEAREST ? nearest->count : NEAREST - 1; i > place; i--) {
		nearest->distance[i] = nearest->distance[i - 1];
		memcpy(nearest->name[i], nearest->name[i - 1], sizeof *nearest->name);
	}
	snprintf(nearest->name[place], sizeof *nearest->name, "%.63s", name);
	nearest->distance[place] = far;
	nearest->count += nearest->count < NEAREST;
}

bool counter_name_unknown(const char *name, struct error *error)
{
	struct nearest nearest = {.wanted = name};
	if (event_library_missing()[0])
		return error_set(error, "Invalid HW counter name: %s; %s", name, event_library_missing());
	for (unsigned i = 0; software_event_name(i); i++)
		consider(&nearest, software_event_name(i), 0);
	for (unsigned i = 0; counter_alias(i); i++)
		consider(&nearest, counter_alias(i)->name, 0);
	event_library_visit(consider, &nearest);
	return error_set(error,
		"Invalid HW counter name: %s; the nearest names: %s, %s, %s\n"
		"Run \"collect -h\" with no other arguments for more information on HW counters on this system.",
		name, nearest.name[0], nearest.name[1], nearest.name[2]);
}
