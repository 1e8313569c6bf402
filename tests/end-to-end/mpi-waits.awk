# SPDX-License-Identifier: Apache-2.0
# The time of each wait state of tests/programs/mpi/waits.c, by its own clock around the calls: reads "STEP RANK BEGIN END", prints
# "STATE: SECONDS".
{
	begin[$1, $2] = $3
	end[$1, $2] = $4
}
# `step` of `rank` waited until `late` began at `of`.
function wait(state, step, rank, late, of, until)
{
	until = begin[late, of] < end[step, rank] ? begin[late, of] : end[step, rank]
	if (until > begin[step, rank])
		seconds[state] += until - begin[step, rank]
}
# The rank that began last, of those from `first` to `last`.
function latest(step, first, last, rank, found)
{
	found = first
	for (rank = first; rank <= last; rank++)
		if (begin[step, rank] > begin[step, found])
			found = rank
	return found
}
END {
	wait("Late Sender", "receive", 1, "send", 0)
	wait("Late Sender", "wait", 1, "second_send", 0)
	wait("Late Sender", "waitall", 0, "all_send", latest("all_send", 1, 2))
	wait("Late Sender", "waitany", 0, "any_send", 1)
	wait("Late Sender", "second_waitany", 0, "any_send", 2)
	wait("Late Sender", "sendrecv", 0, "sendrecv", 1)
	wait("Late Receiver", "ssend", 0, "late_receive", 1)
	wait("Late Receiver", "wait_sent", 0, "large_receive", 1)
	wait("Early Reduce", "reduce", 0, "reduce", latest("reduce", 1, 3))
	for (rank = 0; rank < 4; rank++) {
		wait("Wait at Barrier", "barrier", rank, "barrier", latest("barrier", 0, 3))
		wait("Wait at Barrier", "wait_barrier", rank, "ibarrier", latest("ibarrier", 0, 3))
		wait("Wait at N x N", "allreduce", rank, "allreduce", latest("allreduce", 0, 3))
		wait("Late Broadcast", "broadcast", rank, "broadcast", 2)
		wait("Late Broadcast", "start", rank, "start", 0)
		if (rank)
			wait("Early Scan", "scan", rank, "scan", latest("scan", 0, rank - 1))
	}
	for (state in seconds)
		printf "%s: %.3f\n", state, seconds[state]
}
