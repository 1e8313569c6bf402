/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports that add up what they show, while groups of experiments are compared. */
#ifndef GROUP_REPORTS_H
#define GROUP_REPORTS_H

#include "command_functions.h"

/* Runs a command for each group by itself, and prints its tables side by side. False if it failed for one of them. */
bool group_reports_run(struct session *session, command_function *command, unsigned argc, char **argv);

#endif
