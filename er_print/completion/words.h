/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that a shell completes, one row each, for the preprocessor alone: make turns them into variables of the shell. */
#define COMMAND(function, name, alias, arguments, argument_text, where, help)                                          \
	command where arguments name alias argument_text
#include "commands.def"

#define METRIC(name, ...) metric #name
#define PASS(name, ...)   metric #name
#define RATIO(name, ...)  metric #name
#include "metrics.def"
