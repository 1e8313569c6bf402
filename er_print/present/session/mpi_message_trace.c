/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages that a session's filter lets through: see mpi_message_trace.h. */
#include "mpi_message_trace.h"
#include "mpi_messages.h"

struct mpi_trace *mpi_message_trace(struct session *session)
{
	struct mpi_trace *trace = mpi_trace_read(session->data, session_filter(session), 0);
	mpi_messages_match(trace);
	if (trace->send_count || trace->receive_count)
		return trace;
	mpi_trace_free(trace);
	session_error(session, "No MPI messages were recorded");
	return 0;
}
