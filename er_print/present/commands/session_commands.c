/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about the session itself: script, verify, quit. */
#include "commands.h"
#include "equations.h"
#include "facts.h"
#include "script.h"

#include <inttypes.h>

bool command_quit(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	session->quit = true;
	return true;
}

bool command_script(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: script: the file is missing");
	return script_run_file(session, argv[0]);
}

bool command_verify(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct stack_view view = session_view(session);
	struct equations equations = equations_check(session->resolver, session->data, session_sums(session), &view);
	struct facts facts;
	facts_begin(&facts, "Equations between metrics");
	fprintf(facts.text, "%" PRIu64 " equations checked, %" PRIu64 " violated\n", equations.checked,
		equations.violated);
	fact_number(&facts, "Equations checked", equations.checked);
	fact_number(&facts, "Equations violated", equations.violated);
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return !equations.violated || session_error(session, "%s", equations.first);
}
