/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that the target spawns are started by the launcher, not by us: like those on its command line they are started through
   collect, which makes them record into the founder of the ranks that spawn them. */
#include "collector.h"
#include "operations.h"

enum { COMMAND = 0, ARGUMENTS = 1, WORDS_BEFORE = 3 };

void spawn_before(struct mpi_call *call)
{
	const struct settings *settings = &collector.settings;
	char **given = (char **)call->arguments[ARGUMENTS];
	size_t count = 0;
	create_before(call);
	if (!settings->collect[0] || !settings->follow || collector.lineage[0] != 'M')
		return;
	while (given && given[count])
		count++;
	const char **arguments = mpi_call_memory(call, 0, (count + WORDS_BEFORE + 1) * sizeof *arguments);
	if (!arguments || !call->arguments[COMMAND])
		return;
	arguments[0] = "--rank-of";
	arguments[1] = settings->founder;
	arguments[2] = (const char *)call->arguments[COMMAND];
	/* With the null pointer that ends the target's own list. */
	for (size_t i = 0; i <= count; i++)
		arguments[WORDS_BEFORE + i] = given ? given[i] : 0;
	call->arguments[COMMAND] = (long)settings->collect;
	call->arguments[ARGUMENTS] = (long)arguments;
}
