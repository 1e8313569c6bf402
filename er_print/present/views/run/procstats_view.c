/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of er_print itself: what it has processed and used. */
#include "command_functions.h"
#include "facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>

static void add_count(struct facts *facts, const char *name, uint64_t count)
{
	fprintf(facts->text, "%50s: %" PRIu64 "\n", name, count);
	fact_number(facts, name, count);
}

static void add_time(struct facts *facts, const char *name, const struct timeval *time)
{
	uint64_t microseconds = (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
	fprintf(facts->text, "%50s: %" PRIu64 ".%03" PRIu64 "\n", name, microseconds / 1000000,
		microseconds / 1000 % 1000);
	fact_seconds(facts, name, microseconds * 1000);
}

struct met {
	bool *functions, *lines; /* by their numbers; 0: they are not counted yet */
};

/* Resolves the frames of all stacks, and marks what they are. */
static void meet(const struct data *data, struct resolver *resolver, const struct met *met)
{
	struct frame frames[FRAMES_MAX];
	for (uint32_t s = 1; s < data->stack_count; s++) {
		unsigned count = data->stacks[s].flags & STACK_ROOT ? 0 : resolver_frames(resolver, s, frames);
		for (unsigned f = 0; f < count && met; f++) {
			met->functions[frames[f].function] = true;
			met->lines[frames[f].line] = true;
		}
	}
}

static uint64_t count_real(const bool *met, uint32_t count)
{
	uint64_t real = 0;
	for (uint32_t i = FUNCTION_FIRST_REAL; i < count; i++)
		real += met[i];
	return real;
}

/* Functions and lines of the call stacks, inlined ones included. A report before this one may have met others as well. */
static void add_resolved(struct facts *facts, const struct data *data, struct resolver *resolver)
{
	meet(data, resolver, 0);
	uint32_t functions = resolver_function_count(resolver), lines = resolver_line_count(resolver);
	struct met met = {memory_new(functions, sizeof *met.functions), memory_new(lines, sizeof *met.lines)};
	meet(data, resolver, &met);
	add_count(facts, "Functions on call stacks", count_real(met.functions, functions));
	add_count(facts, "Source lines on call stacks", count_real(met.lines, lines));
	free(met.functions);
	free(met.lines);
}

bool command_procstats(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct rusage usage;
	struct facts facts;
	const struct data *data = session->data;
	facts_begin(&facts, "Work of er_print");
	add_count(&facts, "Experiments", data->experiment_count);
	add_count(&facts, "Load objects", data->object_count);
	add_count(&facts, "Code addresses", data->address_count);
	add_count(&facts, "Call stacks, parts of others included", data->stack_count - 1);
	if (session->resolver)
		add_resolved(&facts, data, session->resolver);
	if (!getrusage(RUSAGE_SELF, &usage)) {
		add_time(&facts, "User CPU of er_print (sec.)", &usage.ru_utime);
		add_time(&facts, "System CPU of er_print (sec.)", &usage.ru_stime);
		add_count(&facts, "Largest memory of er_print (KB)", (uint64_t)usage.ru_maxrss);
	}
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
