/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that run the commands of commands.def: each view and each group of commands defines some of them. */
#ifndef COMMAND_FUNCTIONS_H
#define COMMAND_FUNCTIONS_H

#include "session.h"
#include <stdbool.h>

/* Runs a command with arguments that fit its form. False if it failed and said why. */
typedef bool command_function(struct session *session, unsigned argc, char **argv);

#define COMMAND(function, name, alias, arguments, argument_text, where, help) command_function command_##function;
#include "commands.def"

#endif
