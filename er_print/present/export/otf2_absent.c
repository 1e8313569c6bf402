/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command otf2 where the OTF2 library was not there when er_print was built. */
#include "command_functions.h"

bool command_otf2(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	return session_error(session,
		"er_print was built without the OTF2 library, which otf2 needs: install its development "
		"files (Debian: libotf2-trace-dev, libopen-trace-format2-dev) and build it again");
}
