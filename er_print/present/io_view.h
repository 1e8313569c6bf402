/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands about I/O tracing share. */
#ifndef IO_VIEW_H
#define IO_VIEW_H

#include "session.h"

/* Whether there are I/O events; false, with a message, if not. */
bool io_was_recorded(struct session *session);

#endif
