/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of er_print itself: what it has processed and used. */
#include "command_functions.h"

#include <inttypes.h>
#include <sys/resource.h>

bool command_procstats(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct rusage usage;
	const struct data *data = session->data;
	fprintf(session->out, "%50s: %" PRIu32 "\n", "Experiments", data->experiment_count);
	fprintf(session->out, "%50s: %" PRIu32 "\n", "Load objects", data->object_count);
	fprintf(session->out, "%50s: %" PRIu32 "\n", "Code addresses", data->address_count);
	fprintf(session->out, "%50s: %" PRIu32 "\n", "Call stacks, parts of others included", data->stack_count - 1);
	if (session->resolver) {
		fprintf(session->out, "%50s: %" PRIu32 "\n", "Functions met",
			resolver_function_count(session->resolver) - FUNCTION_FIRST_REAL);
		fprintf(session->out, "%50s: %" PRIu32 "\n", "Source lines met",
			resolver_line_count(session->resolver));
	}
	if (!getrusage(RUSAGE_SELF, &usage)) {
		fprintf(session->out, "%50s: %ld.%03ld\n", "User CPU of er_print (sec.)", (long)usage.ru_utime.tv_sec,
			(long)usage.ru_utime.tv_usec / 1000);
		fprintf(session->out, "%50s: %ld.%03ld\n", "System CPU of er_print (sec.)", (long)usage.ru_stime.tv_sec,
			(long)usage.ru_stime.tv_usec / 1000);
		fprintf(session->out, "%50s: %ld\n", "Largest memory of er_print (KB)", usage.ru_maxrss);
	}
	return true;
}
