#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bytes of collective and one-sided operations and of files, by function and rank, as the program counts them from what goes from each
# rank to each: with one count for all and with counts in arrays, in place, with derived types, grids, graphs and intercommunicators.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
declare -A names=([openmpi]=OMPI [mpich]=MPICH)
metrics=(mpicollbytessent mpicollbytesrecv mpiputbytes mpigetbytes mpireadbytes mpiwritebytes)
asked=$(printf 'i.%s:' "${metrics[@]}")name

# found EXPERIMENT...: "FUNCTION BYTES...", a line each of those that have any.
found()
{
	"$er_print" -printmode ';' -metrics "$asked" -functions "$@" | "$TESTS/tools/rows" |
		awk -F'\t' '{ print $7, $1 + 0, $2 + 0, $3 + 0, $4 + 0, $5 + 0, $6 + 0 }' | sort
}
volume()
{
	local mpi=$1 experiment=volume.$1.er rank
	"mpicc.$mpi" -w -O1 -o "volume.$mpi" "$TESTS/programs/mpi/volume.c" || exit 1
	"$collect" -M "${names[$mpi]}" -p off -o "$experiment" "mpirun.$mpi" -np 3 -- "./volume.$mpi" >out 2>said ||
		fail "$mpi: status $?: $(cat said)"
	for rank in 0 1 2; do
		sed -n "s/^$rank //p" said >own
		[ "$(wc -l <own)" -gt 50 ] || fail "$mpi: rank $rank says: $(cat said)"
		grep -v ' 0 0 0 0 0 0$' own | sort >wanted
		found "$experiment/M_r$rank.er" | awk 'NR == FNR { own[$1]; next } $1 in own' wanted - >has
		diff wanted has >apart || fail "$mpi, rank $rank, < the program, > er_print: $(cat apart)"
	done
	# All ranks together give what they get, and as much as they said.
	same "$mpi: in all" "<Total> $(awk '/^[0-9]/ { for (i = 3; i < 9; i++) sum[i] += $i } END { printf "%d %d %d %d %d %d\n", sum[3], sum[4], sum[5], sum[6], sum[7], sum[8] }' said)" \
		"$(found "$experiment" | grep '^<Total>')"
	awk '/^[0-9]/ { given += $3; got += $4 } END { exit !(given == got && given > 2000) }' said || fail "$mpi: more given than got"
}
volume openmpi
"$TESTS/tools/picture_kinds.py" "$er_print" volume.openmpi.er './volume.openmpi' "${metrics[@]}" || fail "the pictures"

# OTF2 has them with each operation that it knows: none with neighbours.
if command -v otf2-print >/dev/null; then
	"$er_print" -otf2 volume.otf2 volume.openmpi.er >/dev/null || fail "no trace"
	otf2-print volume.otf2/traces.otf2 >printed 2>/dev/null
	# sum PATTERN: of the numbers of an extended regular expression.
	sum() { sed -nE "s/.*$1.*/\\$2/p" printed | awk '{ sum += $1 } END { print sum + 0 }'; }
	same "OTF2: collective" "$(awk '/^[0-9]/ && !/ (line|ring|star)_/ { given += $3; got += $4 } END { print given, got }' said)" \
		"$(sum 'COLLECTIVE_(END|COMPLETE) .*Sent: ([0-9]+),' 2) $(sum 'COLLECTIVE_(END|COMPLETE) .*Received: ([0-9]+)' 2)"
	same "OTF2: one-sided" "$(awk '/^[0-9]/ { put += $5; taken += $6 } END { print put, taken }' said)" \
		"$(($(sum 'RMA_PUT .*Bytes: ([0-9]+)' 1) + $(sum 'RMA_ATOMIC .*Sent: ([0-9]+)' 1))) $(($(sum 'RMA_GET .*Bytes: ([0-9]+)' 1) + $(sum 'RMA_ATOMIC .*Received: ([0-9]+)' 1)))"
	same "OTF2: files" "$(awk '/^[0-9]/ { read += $7; written += $8 } END { print read, written }' said)" \
		"$(sum 'IO_OPERATION_BEGIN .*Mode: READ,.*Request: ([0-9]+)' 1) $(sum 'IO_OPERATION_BEGIN .*Mode: WRITE,.*Request: ([0-9]+)' 1)"
	same "OTF2: complete" "$(grep -cE '^RMA_(PUT|GET|ATOMIC) ' printed) 15 3" \
		"$(grep -c '^RMA_OP_COMPLETE_REMOTE ' printed) $(grep -c '^IO_OPERATION_COMPLETE ' printed) $(grep -c '^IO_OPERATION_ISSUED ' printed)"
fi
need mpicc.mpich mpirun.mpich
volume mpich
verdict
