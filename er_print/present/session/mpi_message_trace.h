/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The point-to-point messages of the loaded experiments. */
#ifndef MPI_MESSAGE_TRACE_H
#define MPI_MESSAGE_TRACE_H

#include "mpi_trace.h"
#include "session.h"

/* The messages that the filter lets through, with their two sides matched. 0, with a message, if no rank recorded any. The caller
   frees it. */
struct mpi_trace *mpi_message_trace(struct session *session);

#endif
