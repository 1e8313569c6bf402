# SPDX-License-Identifier: Apache-2.0
# The time of each wait state of tests/programs/mpi/waits.c, by its own clock around the calls: reads "STEP RANK BEGIN END", prints
# "STATE: SECONDS".
$1 == "first_sends" {
	$1 = $1 "#" ++repeated
}
$1 ~ /^(duplicate|split|window|free|open|close|allocate|free_allocated)$/ {
	creations[$1] = 1
}
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
# The last of the locks before one that it could not be at the same time as: rank 3's is the one that others may share.
function lock_before(rank, other, found)
{
	found = 0
	for (other = 1; other < 4; other++)
		if (end["lock", other] < end["lock", rank] && (!found || begin["unlock", other] > begin["unlock", found]))
			found = other
	return found
}
# As wait(), of a call that may have gone on before.
function held_up(state, step, rank, late, of)
{
	if (end[step, rank] > begin[late, of])
		wait(state, step, rank, late, of)
}
END {
	wait("Late Sender, Wrong Order", "wrong_receive", 2, "order_sends", 0)
	held_up("Late Post", "win_start", 0, "post", latest("post", 1, 2))
	held_up("Late Post", "complete", 0, "post", latest("post", 1, 2))
	wait("Early Wait", "win_wait", 1, "complete", 0)
	for (rank = 1; rank < 4; rank++)
		if (other = lock_before(rank)) {
			held_up("Lock Contention", "lock", rank, "unlock", other)
			held_up("Lock Contention", "flush", rank, "unlock", other)
			held_up("Lock Contention", "unlock", rank, "unlock", other)
		}
	wait("Late Sender", "receive", 1, "send", 0)
	wait("Late Sender", "wait", 1, "second_send", 0)
	wait("Late Sender", "waitall", 0, "all_send", latest("all_send", 1, 2))
	wait("Late Sender", "waitany", 0, "any_send", 1)
	wait("Late Sender", "second_waitany", 0, "any_send", 2)
	wait("Late Sender", "sendrecv", 0, "sendrecv", 1)
	wait("Late Sender", "probe", 1, "first_sends#1", 0)
	wait("Late Sender", "mprobe", 1, "first_sends#2", 0)
	wait("Late Sender, Wrong Order", "next_receive", 1, "next_send", 0)
	wait("Late Receiver", "ssend", 0, "late_receive", 1)
	wait("Late Receiver", "wait_sent", 0, "large_receive", 1)
	wait("Early Reduce", "reduce", 0, "reduce", latest("reduce", 1, 3))
	for (rank = 0; rank < 4; rank++) {
		for (step in creations)
			wait("Wait at Creation", step, rank, step, latest(step, 0, 3))
		wait("Wait at Fence", "fence", rank, "fence", latest("fence", 0, 3))
		wait("Wait at File Access", "set_size", rank, "set_size", latest("set_size", 0, 3))
		wait("Wait at File Access", "write_all", rank, "write_all", latest("write_all", 0, 3))
		wait("Wait at Init and Finalize", "init", rank, "init", latest("init", 0, 3))
		wait("Wait at Init and Finalize", "finalize", rank, "finalize", latest("finalize", 0, 3))
		wait("Wait at Barrier", "locks_end", rank, "locks_end", latest("locks_end", 0, 3))
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
