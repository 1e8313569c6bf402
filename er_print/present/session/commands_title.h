/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A title for what is written to files: the commands that were recorded. */
#ifndef COMMANDS_TITLE_H
#define COMMANDS_TITLE_H

#include "session.h"

/* The commands of the runs, each once: two of them, and how many more there are. `imported` stands for imported files whose
   programs are not known; "": what kind of file it was. A text of the table, or a longer-lived one. */
const char *commands_title(const struct session *session, struct table *texts, const char *imported);

#endif
