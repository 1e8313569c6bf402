/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warnings at the end of a run about experiments that are damaged, and imported files that were read in part. */
#ifndef DAMAGE_WARNING_H
#define DAMAGE_WARNING_H

#include "session.h"

/* One line on standard error for each loaded experiment in which a file is cut or has wrong bytes, as far as the run has
   read it: reports leave out what could not be read. Returns whether there is one. What an imported file had that could not be read
   is no damage. */
bool damage_warning(const struct session *session);

#endif
