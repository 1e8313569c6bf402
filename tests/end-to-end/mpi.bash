# SPDX-License-Identifier: Apache-2.0
# Common parts of the tests of MPI. Each calls `need` first.
set -u
. "$TESTS/verify/bounds.bash"
collect=$BUILD/bin/collect
er_print=$BUILD/bin/er_print
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
. "$TESTS/end-to-end/checks.bash"

# need COMMAND...: the test is skipped without them.
need()
{
	local command
	for command in "$@"; do
		command -v "$command" >/dev/null || { echo "$command is not installed"; exit 77; }
	done
}
# totals EXPERIMENT...: sends, bytes, receives, bytes, other, by the events.
totals()
{
	"$er_print" -metrics e.mpisend:e.mpibytessent:e.mpireceive:e.mpibytesrecv:e.mpiother:name -sort e.mpisend \
		-functions "$@" 2>&1 | awk '/<Total>$/ { print $1, $2, $3, $4, $5 }'
}
# kept EXPERIMENT: the same by the totals that each rank kept, one line a rank, with the rank in front.
kept()
{
	"$er_print" -mpi_ranks "$1" | awk '/M_r[0-9]/ { print $8 ":", $3, $4, $5, $6, $7 }'
}
# matrix EXPERIMENT...: "sends;bytes;receives;bytes;source;destination", a line each, without the total, by $filters.
matrix()
{
	"$er_print" -printmode ';' -filters "${filters-}" -mpi_matrix "$@" 2>&1 | "$TESTS/tools/rows" | grep -v '<Total>' | cut -f1-4,8,9 | tr '\t' ';'
}
# messages EXPERIMENT...: how many, and those without a receive, without a send, backwards in time, of another size.
messages()
{
	"$er_print" -limit 1 -mpi_messages "$@" 2>&1 | sed -n 's/^MPI messages: //p' | grep -oE '[0-9]+' | xargs
}
# waits EXPERIMENT SAID: "STATE:SECONDS BY THE PROGRAM:SECONDS FOUND", a line each, of tests/programs/mpi/waits.c. Calls that ask in
# vain have a line of their own: all of their MPI Time is waiting, which is less than the time that they ask.
waits()
{
	"$er_print" -printmode ';' -metrics e.mpitime:e.mpilatesender:e.mpiearlywait:name -functions "$1" 2>/dev/null | "$TESTS/tools/rows" |
		awk -F'\t' '$4 ~ /^MPI_(Test|Iprobe|Win_test)$/ { time[$3 > 0] += $1; late[$3 > 0] += $2 + $3 } END {
			printf "Calls that ask in vain, Late Sender:%.3f:%.3f\n", time[0], late[0]
			printf "Calls that ask in vain, Early Wait:%.3f:%.3f\n", time[1], late[1] }' | tee asked
	"$er_print" -printmode ';' -mpi_waits "$1" | "$TESTS/tools/rows" | awk -F'\t' -v asked="$(cut -d: -f3 asked | xargs)" '
		BEGIN { split(asked, of, " ") }
		NF == 6 { if ($6 == "Late Sender") $1 -= of[1]; if ($6 == "Early Wait") $1 -= of[2]; print $6 ":" $1 }' | sort >found
	awk -f "$TESTS/end-to-end/mpi-waits.awk" "$2" | sort | tr -d ' ' | sed 's/:/;/' >expected
	tr -d ' ' <found | sed 's/:/;/' | join -t';' expected - | tr ';' ':'
}
# work_and_wait EXPERIMENT RANK FUNCTION: MPI Work, MPI Wait and Total CPU Time under a function, in seconds; FUNCTION may be
# <Total>.
work_and_wait()
{
	"$er_print" -filters "MRANK==$2" -printmode ';' -metrics i.mpiwork:i.mpiwait:i.totalcpu:name -functions "$1" 2>/dev/null |
		"$TESTS/tools/rows" -n "$3" -f 1,2,3 | tr '\t' ' '
}
# in_mpi EXPERIMENT: MPI Work, MPI Wait and MPI Time of all MPI functions but MPI_Init and MPI_Finalize, in seconds.
in_mpi()
{
	"$er_print" -printmode ';' -metrics i.mpiwork:i.mpiwait:i.mpitime:name -functions "$1" 2>/dev/null | "$TESTS/tools/rows" |
		awk -F'\t' '$4 ~ /^MPI_/ && $4 !~ /^MPI_(Init|Finalize)/ { for (i = 1; i <= 3; i++) sum[i] += $i }
			END { printf "%.3f %.3f %.3f\n", sum[1], sum[2], sum[3] }'
}
# share PART WHOLE: in percent.
share()
{
	awk -v a="$1" -v b="$2" 'BEGIN {printf "%.1f", b ? a / b * 100 : 0}'
}
