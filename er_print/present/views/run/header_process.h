/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about the process of an experiment and its machine. */
#ifndef HEADER_PROCESS_H
#define HEADER_PROCESS_H

#include "data.h"
#include "facts.h"

/* The command and the process, or the launcher of an MPI run, then the host. */
void header_process_add(struct facts *facts, const struct experiment *experiment);

#endif
