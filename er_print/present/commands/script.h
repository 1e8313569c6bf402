/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands from files, standard input and the terminal: one a line; a line that ends in "\" goes on in the next; "#"
   begins a comment line; a word in double quotes may hold blanks and go on over lines. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "session.h"

/* Runs the commands of a file. False if it cannot be opened (said). A bad command is said, and the next one runs. */
bool script_run_file(struct session *session, const char *name);
/* Takes the settings of an .er.rc. Bad ones are said, and left out. */
void script_run_rc(struct session *session, FILE *file, const char *name);
/* Runs the commands of standard input; with a prompt, and with line editing if it is a terminal. */
void script_run_input(struct session *session, bool prompt);

#endif
