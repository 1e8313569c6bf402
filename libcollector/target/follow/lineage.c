/* SPDX-License-Identifier: Apache-2.0 */
/* Names of descendants, and entering the experiment of one's own. */
#include "lineage.h"
#include "collector.h"
#include "environment.h"
#include "lifetime.h"
#include "pattern.h"
#include "system_calls.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>

#define CLAIMS_MAX 10000u /* names tried under one that is taken */

static uint64_t forks, execs; /* atomic: last number used */

void lineage_append(struct text *lineage, char letter, uint64_t number)
{
	char start[2] = {'_', letter};
	text_append(lineage, start, sizeof start);
	text_number(lineage, number, 10, 1);
}

uint64_t lineage_next_fork(void)
{
	return __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED);
}

uint64_t lineage_next_exec(void)
{
	return __atomic_add_fetch(&execs, 1, __ATOMIC_RELAXED);
}

void lineage_exec_failed(uint64_t number)
{
	__atomic_compare_exchange_n(&execs, &number, number - 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void lineage_reset(void)
{
	forks = execs = 0;
}

/* "M_r12": an MPI rank's own first image. */
static bool is_rank(const char *lineage)
{
	return lineage[0] == 'M' && !strchr(lineage + 2, '_');
}

/* Whether -F wants the image, by the name that it was exec'd by or by its lineage. */
static bool is_wanted(const char *lineage)
{
	const char *pattern = collector.settings.follow_pattern;
	const char *name = (const char *)getauxval(AT_EXECFN), *slash = name ? strrchr(name, '/') : 0;
	if (!lineage[0] || is_rank(lineage) || !pattern[0] || pattern_matches(pattern, lineage))
		return true;
	return name && pattern_matches(pattern, slash ? slash + 1 : name);
}

/* Makes the process one that only hands the collector on. */
static void carry(const char lineage[sizeof collector.lineage])
{
	collector.carried = true;
	collector.process = (int)system_call(SYS_getpid);
	memcpy(collector.lineage, lineage, sizeof collector.lineage);
	collector_tell_founder(
		"comment", 0, "not recorded: neither the name nor the lineage matches what -F asks for", 0);
}

static uint64_t hexadecimal(const char *digits)
{
	uint64_t number = 0;
	for (; *digits; digits++)
		number = number << 4 | (uint64_t)(*digits <= '9' ? *digits - '0' : *digits - 'a' + 10);
	return number;
}

/* Takes the number of a rank's spawning from the end of its lineage. */
static void split(const char *given, char lineage[sizeof collector.lineage])
{
	const char *spawned = strstr(given, LINEAGE_SPAWNED);
	size_t size = spawned ? (size_t)(spawned - given) : strlen(given);
	if (size >= sizeof collector.lineage)
		size = sizeof collector.lineage - 1;
	memset(lineage, 0, sizeof collector.lineage);
	memcpy(lineage, given, size);
	collector.spawned = spawned ? hexadecimal(spawned + sizeof LINEAGE_SPAWNED - 1) : 0;
}

bool lineage_start(const char *given)
{
	char name[sizeof collector.lineage], lineage[sizeof collector.lineage];
	split(given, lineage);
	lineage_reset();
	collector.carried = false;
	if (!is_wanted(lineage)) {
		carry(lineage);
		return false;
	}
	int code = collector_claim(lineage);
	for (unsigned n = 1; code == EEXIST && n <= CLAIMS_MAX; n++) {
		struct text text = {.bytes = name, .capacity = sizeof name - 1};
		text_string(&text, lineage);
		if (is_rank(lineage)) { /* of a job that another rank has spawned: its ranks count from 0 again */
			lineage_append(&text, 's', n + 1);
		} else {
			lineage_append(&text, 'f', n);
			lineage_append(&text, 'x', 1);
		}
		name[text.size] = 0;
		code = text.cut ? ENAMETOOLONG : collector_claim(name);
	}
	if (code)
		return collector_refuse("not recorded: the experiment's directory cannot be made", code);
	return collector_start();
}
