/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common parts of the commands about I/O tracing. */
#ifndef IO_VIEW_H
#define IO_VIEW_H

#include "session.h"

/* Whether there are I/O events; false, with a message, if not. */
bool io_was_recorded(struct session *session);

#endif
