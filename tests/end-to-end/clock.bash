# SPDX-License-Identifier: Apache-2.0
# For the clock-*.sh tests: what was recorded of a load of known shape, held against what the kernel charged it.
set -eu
collect=$BUILD/bin/collect

# as_nobody COMMAND...: runs it without privileges, if we have some to give up.
as_nobody()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# open_to_nobody: goes to a directory that as_nobody may use; the test's own is closed to others. Skips if nobody cannot
# reach what we built.
open_to_nobody()
{
	[ "$(id -u)" -eq 0 ] || return 0
	place=$(mktemp -d /tmp/er-tools-nobody.XXXXXX)
	trap 'rm -rf "$place"' EXIT
	chmod 777 "$place"
	cd "$place"
	as_nobody test -r "$BUILD/lib/libcollector.so" || { echo "user nobody cannot read $BUILD"; exit 77; }
}

# run NAME LAUNCHER... -- OPTION... -- LOAD...: `LAUNCHER... collect OPTION... -o NAME.er cpu_load LOAD...`; keeps the load's
# own account in NAME.true.
run()
{
	local name=$1 launcher=() options=()
	shift
	while [ "$1" != -- ]; do launcher+=("$1"); shift; done
	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	"${launcher[@]}" "$collect" "${options[@]}" -O "$name.said" -o "$name.er" "$PROGRAMS/cpu_load" "$@" >"$name.true" ||
		{ cat "$name.said"; echo "$name: collect failed"; return 1; }
}

# check NAME total|split...: recorded CPU time (with "split": also user and system time) within 2 % of the total charged (15 %
# in the gate, where other things run beside), of each run that is named.
check()
{
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - "$@" <<'PYTHON'
import os
import sys
from experiment import experiments

bound = 2 if os.environ.get("STRICT") else 15


def off_by(name):
    """The percentages of the total charged by which each mode and the total are off; prints them."""
    words = open(name + ".true").read().split()
    true = {"user": int(words[1]), "system": int(words[3])}
    got = {"user": 0, "system": 0}
    counters = {}
    for experiment in experiments(name + ".er"):
        for event in experiment.events("clock"):
            for mode in got:
                got[mode] += event[mode]
        for counter, value in experiment.counters().items():
            counters[counter] = counters.get(counter, 0) + value
    total = sum(true.values())
    off = {mode: 100 * (got[mode] - true[mode]) / total for mode in got}
    off["total"] = sum(off.values())
    print("%-28s %6.3f s, system %5.1f %%; off: total %+.2f %%, user %+.2f %%, system %+.2f %%; clocks perf %d timer %d none %d"
          % (name, total / 1e9, 100 * true["system"] / total, off["total"], off["user"], off["system"],
             counters["threads_perf_clock"], counters["threads_timer_clock"], counters["threads_no_clock"]))
    return off


bad = []
for name, what in zip(sys.argv[1::2], sys.argv[2::2]):
    off = off_by(name)
    modes = off if what == "split" else ["total"]
    for mode in modes:
        held = abs(off[mode]) <= bound
        print("bound: CPU time, %s of %s, off by | %+.2f %% | within %d %% | %s" % (mode, name, off[mode], bound, "ok" if held else "SHORT"))
    bad += ["%s (%s)" % (name, mode) for mode in modes if abs(off[mode]) > bound]
if bad:
    sys.exit("more than %d %% off: %s" % (bound, ", ".join(bad)))
PYTHON
}

# counter NAME COUNTER: its sum over the experiment and its descendants.
counter()
{
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B -c '
import sys
from experiment import experiments
print(sum(e.counters()[sys.argv[2]] for e in experiments(sys.argv[1] + ".er")))' "$@"
}

# perf_works: whether perf_event_open is allowed here at all.
perf_works()
{
	run probe -- -p hi -- burn 1 20
	[ "$(counter probe threads_perf_clock)" -gt 0 ]
}

# parts NAME RATE ARGUMENT LEAST MOST LAUNCHER...: each function has so much of what it used by the program's clock; of page faults,
# compute may have more.
parts()
{
	local name=$1 rate=$2 argument=$3 least=$4 most=$5
	shift 5
	"$@" "$collect" -p "$rate" -O said -o "$name.er" "$PROGRAMS/kernel_parts" $argument >"$name.own"
	"$BUILD/bin/er_print" -metrics i.totalcpu:name -functions "$name.er" 2>/dev/null |
		awk -v name="$name" -v least="$least" -v most="$most" '
			FNR == NR { own[$1] = $2; next }
			$2 in own {
				printf "%s: %s %.3f, by its own clock %.3f\n", name, $2, $1, own[$2]
				checked++
				exempt = name == "pages" && $2 == "compute"
				if (!exempt && ($1 < least * own[$2] || $1 > most * own[$2])) { wrong = 1; print "WRONG " $2 }
			}
			END { exit wrong || checked != 2 }' "$name.own" - || failures=1
}

# Root without the right to see the kernel: as everybody else.
blind=(setpriv --bounding-set -perfmon,-sys_admin --inh-caps -perfmon,-sys_admin)
