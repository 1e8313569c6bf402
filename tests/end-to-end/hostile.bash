# SPDX-License-Identifier: Apache-2.0
# For the hostile-*.sh tests: a program that is hard on its collector prints, returns and computes what it does alone, and its
# experiment is readable and true, or says what is missing.
. "$TESTS/end-to-end/clock.bash"

# runs NAME LAUNCHER... -- WAY MILLISECONDS [NUMBER]: the program alone and under collect -p hi, both from LAUNCHER; output and
# status must be the same. Its own account is left in NAME.truth.
runs()
{
	local name=$1 launcher=() plain=0 collected=0 way
	shift
	while [ "$1" != -- ]; do launcher+=("$1"); shift; done
	way=$2 milliseconds=$3
	shift 3
	"${launcher[@]}" "$PROGRAMS/hostile" "$way" 40 "$name.truth" "$@" >"$name.plain" 2>&1 || plain=$?
	rm -f "$name.truth"
	"${launcher[@]}" "$collect" -p hi -O "$name.said" -o "$name.er" "$PROGRAMS/hostile" "$way" "$milliseconds" \
		"$name.truth" "$@" >"$name.out" 2>&1 || collected=$?
	[ "$plain" = "$collected" ] || { echo "$name: status $plain, collected $collected"; cat "$name.out" "$name.said"; exit 1; }
	diff "$name.plain" "$name.out" || { echo "$name: output differs"; exit 1; }
}

# recorded NAME [LEAST total]: what was recorded is the CPU time of before() and after() to 2 %, each with the functions' names
# beside it in er_print; with "total", it is LEAST percent of it or more, whatever its stacks.
recorded()
{
	"$BUILD/bin/er_print" -metrics i.totalcpu -functions "$1.er" >"$1.functions" 2>"$1.errors" || {
		echo "$1: not readable"; cat "$1.errors"; exit 1; }
	[ ! -s "$1.errors" ] || { echo "$1: er_print warns"; cat "$1.errors"; exit 1; }
	/usr/bin/python3 -B - "$1" "${2:-98}" "${3:-}" <<'PYTHON'
import struct, sys
name, least = sys.argv[1], float(sys.argv[2])
before, after = (ns / 1e9 for ns in struct.unpack("<2Q", open(name + ".truth", "rb").read()))
found = {"before": 0.0, "after": 0.0, "<Total>": 0.0}
for line in open(name + ".functions"):
    words = line.split()
    if words and words[-1] in found:
        found[words[-1]] = float(words[0])
total, true = found["<Total>"], before + after
print("%-16s before %.3f s of %.3f, after %.3f s of %.3f, total %.3f s" % (name, found["before"], before, found["after"], after, total))
if not true * least / 100 - 0.02 <= total <= true * 1.02 + 0.05:
    sys.exit("%s: %.3f s recorded of %.3f" % (name, total, true))
if len(sys.argv[3]) == 0 and found["after"] < after * 0.9 - 0.02:
    sys.exit("%s: it was not recorded any more" % name)
PYTHON
}

# says NAME TEXT...: the log of the experiment or of a descendant has a line with each text.
says()
{
	local name=$1 text
	shift
	for text; do
		grep -rqs --include=log.xml -e "^<event.*$text" "$name.er" || { echo "$name: the log does not say: $text"; exit 1; }
	done
}
