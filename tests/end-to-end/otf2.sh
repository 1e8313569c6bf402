#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 120
# The trace that otf2 writes, as the OTF2 library's own otf2-print reads it: valid without a warning, and with the calls, times,
# messages, collectives and samples that er_print shows of the experiment.
. "$TESTS/end-to-end/mpi.bash"
need otf2-print mpicc.openmpi mpirun.openmpi
"$er_print" -otf2 none.otf2 none.er 2>&1 | grep -q 'without the OTF2 library' && { echo "built without OTF2"; exit 77; }
source=$TESTS/programs/mpi

# export EXPERIMENT...: the first one's trace and its listing, EXPERIMENT.otf2 and EXPERIMENT.events.
export_trace()
{
	"$er_print" -otf2 "$1.otf2" "$@" 2>errors || fail "$1: $(cat errors)"
	otf2-print --silent -Werror "$1.otf2/traces.otf2" >said 2>&1 || fail "$1: not valid: $(cat said)"
	otf2-print "$1.otf2/traces.otf2" >"$1.events" 2>&1
}
# count EXPERIMENT EVENT: of one kind.
count() { grep -c "^$2 " "$1.events"; }
# Both accounts of calls: "FUNCTION CALLS MILLISECONDS".
calls_by_trace()
{
	awk '$1 == "CALLING_CONTEXT_ENTER" { since[$2] = $3 }
		$1 == "CALLING_CONTEXT_LEAVE" { split($0, word, "\""); n[word[2]]++; t[word[2]] += $3 - since[$2] }
		END { for (f in n) printf "%s %d %.0f\n", f, n[f], t[f] / 1e6 }' "$1.events" | sort
}
calls_by_print()
{
	"$er_print" -printmode ';' -mpi_functions "$1" | "$TESTS/tools/rows" | awk -F'\t' '/\tMPI_/ { split($NF, f, " "); printf "%s %d %.0f\n", f[1], $1, $2 * 1000 }' | sort
}
# "SOURCE DESTINATION SENDS BYTES", where each rank has one location.
matrix_by_trace()
{
	awk '$1 ~ /^MPI_I?SEND$/ { match($0, /Receiver: [0-9]+/); to = substr($0, RSTART + 10, RLENGTH - 10); match($0, /Length: [0-9]+/)
		pair = $2 " " to; n[pair]++; bytes[pair] += substr($0, RSTART + 8, RLENGTH - 8) }
		END { for (p in n) print p, n[p], bytes[p] }' "$1.events" | sort
}

# A ring without clock: one thread a rank has events.
mpicc.openmpi -g -O1 -o ring "$source/ring.c" && "$collect" -p off -M OMPI -o ring.er mpirun.openmpi -np 4 -- ./ring 2>errors || fail "ring: $(cat errors)"
export_trace ring.er
same "ring: sends, receives, collectives" "4000 4000 4 4" "$(for e in MPI_SEND MPI_RECV MPI_COLLECTIVE_BEGIN MPI_COLLECTIVE_END; do count ring.er $e; done | xargs)"
same "ring: matrix" "$(printf '%s\n' '0 1 1000 1024000' '1 2 1000 1024000' '2 3 1000 1024000' '3 0 1000 1024000')" "$(matrix_by_trace ring.er)"
same "ring: calls" "$(calls_by_print ring.er | cut -d' ' -f1,2)" "$(calls_by_trace ring.er | cut -d' ' -f1,2)"
paste -d' ' <(calls_by_print ring.er) <(calls_by_trace ring.er) | awk '{ d = $3 - $6; if (d < -1 || d > 1) print }' >apart
[ ! -s apart ] || fail "ring: MPI Time in ms differs: $(cat apart)"
same "ring: samples" 0 "$(count ring.er CALLING_CONTEXT_SAMPLE)"
same "ring: the caller" 4000 "$(otf2-print --unwind-calling-context ring.er.otf2/traces.otf2 | grep -A1 '+"MPI_Send"' | grep -c '[*+]"main"')"
otf2-print -G ring.er.otf2/traces.otf2 >definitions
grep -q '^LOCATION_GROUP .*"MPI Rank 3"' definitions && grep -qE '^COMM .*"MPI_COMM_WORLD"' definitions &&
	grep -q '^REGION .*"MPI_Send".*Role: POINT2POINT, Paradigm: "MPI"' definitions && grep -q '^REGION .*"MPI_Barrier".*Role: BARRIER' definitions ||
	fail "ring: definitions: $(grep -E '^(LOCATION|COMM|REGION)' definitions)"
"$er_print" -filters 'MRANK==2' -otf2 rank2.otf2 ring.er 2>errors || fail "a filter: $(cat errors)"
same "ring: rank 2 alone" "2005 2005" \
	"$(for e in ENTER LEAVE; do otf2-print rank2.otf2/traces.otf2 | grep -c "^CALLING_CONTEXT_$e "; done | xargs)"

# Chrome's format has these calls and messages, too: every message is an arrow from within its send to within its receive.
"$er_print" -chrometrace ring.trace ring.er 2>errors || fail "chrometrace: $(cat errors)"
/usr/bin/python3 - >chrome <<'END'
import collections, json
events = json.load(open("ring.trace"))["traceEvents"]
calls = collections.Counter(e["name"] for e in events if e["ph"] == "X")
at = collections.defaultdict(list)
for e in events:
    if e["ph"] == "X":
        at[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"], e["name"]))
ends = {phase: {e["id"]: e for e in events if e["ph"] == phase} for phase in "sf"}
def call_of(e):
    return {name for begin, end, name in at[e["pid"], e["tid"]] if begin - 0.0005 <= e["ts"] <= end + 0.0005}
sample = sorted(ends["s"])[::40]
good = sum("MPI_Send" in call_of(ends["s"][i]) and "MPI_Recv" in call_of(ends["f"][i]) for i in sample)
pairs = collections.Counter((ends["s"][i]["pid"], ends["f"][i]["pid"]) for i in ends["s"])
names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
ranks = collections.Counter((names[a][-1], names[b][-1]) for (a, b), n in pairs.items() for _ in range(n))
print(calls["MPI_Send"], calls["MPI_Recv"], len(ends["s"]), len(ends["f"]), good == len(sample), len(sample),
      " ".join("%s>%s:%d" % (a, b, n) for (a, b), n in sorted(ranks.items())))
END
same "ring: Chrome's format" "4000 4000 4000 4000 True 100 0>1:1000 1>2:1000 2>3:1000 3>0:1000" "$(cat chrome)"

# Nonblocking calls, collectives of all kinds, samples.
mpicc.openmpi -g -O1 -o waits "$source/waits.c" && "$collect" -M OMPI -o waits.er mpirun.openmpi -np 3 -- ./waits >said 2>errors || fail "waits: $(cat errors)"
export_trace waits.er
sends=$("$er_print" -limit 1 -mpi_messages waits.er | sed -n 's/^MPI messages: \([0-9]*\),.*/\1/p')
same "waits: sends and receives" "$sends $sends" "$(($(count waits.er MPI_SEND) + $(count waits.er MPI_ISEND))) $(($(count waits.er MPI_RECV) + $(count waits.er MPI_IRECV)))"
same "waits: what was begun was ended" "$(count waits.er MPI_ISEND) $(count waits.er MPI_IRECV_REQUEST) $(count waits.er NON_BLOCKING_COLLECTIVE_REQUEST) $(count waits.er MPI_COLLECTIVE_BEGIN)" \
	"$(count waits.er MPI_ISEND_COMPLETE) $(count waits.er MPI_IRECV) $(count waits.er NON_BLOCKING_COLLECTIVE_COMPLETE) $(count waits.er MPI_COLLECTIVE_END)"
# Calls that ask in vain are one event for many.
same "waits: calls" "$(calls_by_print waits.er | cut -d' ' -f1,2 | grep -vE '^MPI_(Test|Iprobe|Win_test) ')" \
	"$(calls_by_trace waits.er | cut -d' ' -f1,2 | grep -vE '^MPI_(Test|Iprobe|Win_test) ')"
[ "$(count waits.er CALLING_CONTEXT_SAMPLE)" -gt 20 ] || fail "waits: samples: $(count waits.er CALLING_CONTEXT_SAMPLE)"
otf2-print -G waits.er.otf2/traces.otf2 | grep -q '^INTERRUPT_GENERATOR .*"CPU time".*Exponent: -9, Period: 10007000' || fail "waits: no generator"

# A rank alone: its partners are there as what they are. A program without MPI: samples. Nothing: a clear error.
export_trace ring.er/M_r1.er
otf2-print -G ring.er/M_r1.er.otf2/traces.otf2 | grep -q 'LOCATION_GROUP .*"MPI ranks that are not loaded"' || fail "one rank: who are the others?"
"$collect" -p hi -o plain.er perl -e 'for (1..3e6) { $x += $_ }' >/dev/null 2>&1
export_trace plain.er
[ "$(count plain.er CALLING_CONTEXT_SAMPLE)" -gt 20 ] || fail "no MPI: samples: $(count plain.er CALLING_CONTEXT_SAMPLE)"
# More threads than may be open at a time: each has its own two samples, and their order is that of their numbers.
{
	echo "object 400000 10000 0 400000 /bin/app"
	for t in $(seq 300 -1 1); do echo "event clock $t $t user=1 400100"; done
	for t in $(seq 1 300); do echo "event clock $t 1000 user=1 400200"; done
	echo end
} | "$BUILD/tests/written/written" threads.er
export_trace threads.er
same "300 threads: samples" "$(for t in $(seq 1 300); do echo "$((t - 1)) $t"; echo "$((t - 1)) 1000"; done)" \
	"$(awk '$1 == "CALLING_CONTEXT_SAMPLE" { print $2, $3 }' threads.er.events | sort -n -k1,1 -k2,2)"
# A receive that was posted and then cancelled, and one that got its message, in a thread that did not post it.
{
	echo "rank 0 0"
	mpi="event mpi"
	echo "$mpi 1 1000 function=1,duration=10,calls=1,role=3,peer=1,tag=7,communicator=1,order=0 -"
	echo "$mpi 1 1020 function=1,duration=10,calls=1,role=3,peer=1,tag=7,communicator=1,order=1 -"
	echo "$mpi 2 1040 function=1,duration=10,calls=1,role=2,peer=1,tag=7,communicator=1,received=64,order=1 -"
	echo "$mpi 1 1060 function=1,duration=10,calls=1,role=9,peer=1,tag=7,communicator=1,order=0 -"
	echo end
} | "$BUILD/tests/written/written" cancelled.er
export_trace cancelled.er
same "a cancelled receive" "$(printf '%s\n' 'MPI_IRECV_REQUEST 0 1 ' 'MPI_IRECV_REQUEST 0 2 ' 'MPI_IRECV 1 2 64' 'MPI_REQUEST_CANCELLED 0 1 ')" \
	"$(awk '/Request/ { match($0, /Request: [0-9]+/); request = substr($0, RSTART + 9, RLENGTH - 9); length_ = ""
		if (match($0, /Length: [0-9]+/)) length_ = substr($0, RSTART + 8, RLENGTH - 8); print $1, $2, request, length_ }' cancelled.er.events)"
says()
{
	local expected=$1
	shift
	"$er_print" "$@" >said 2>&1 && fail "$*: succeeded"
	grep -qF "$expected" said || fail "$*: $(cat said)"
}
says "otf2: plain.er exists already" -otf2 plain.er plain.er
says "Unable to make directory: none/there" -otf2 none/there plain.er
says "There are no MPI calls and no samples that otf2 could write" -filters 'sent>1000000000' -otf2 nothing plain.er
[ ! -e nothing ] || fail "a directory was left"
verdict
