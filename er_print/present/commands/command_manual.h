/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of er_print(1) about each command, as the build takes it from there: one source for the manual and the help. */
#ifndef COMMAND_MANUAL_H
#define COMMAND_MANUAL_H

/* Lines of at most 78 columns, the command with its arguments first; 0 if the manual has no item for it. */
const char *command_manual(const char *name);

#endif
