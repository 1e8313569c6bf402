/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A title for what is written to files: the commands that were recorded. */
#ifndef COMMANDS_TITLE_H
#define COMMANDS_TITLE_H

#include "session.h"

/* The commands of the runs, each once: two of them, and how many more there are. An imported file whose program is not known is
   called what kind of file it is. A text of the table, or a longer-lived one. */
const char *commands_title(const struct session *session, struct table *texts);

#endif
