# SPDX-License-Identifier: Apache-2.0
# For the real-*.sh tests: profiling unmodified programs and holding what is shown against what can be known otherwise.
set -eu
collect=$BUILD/bin/collect
er_print=$BUILD/bin/er_print
oracle()
{
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B "$@"
}

# at_least SHARE VALUE OF WHAT: fails unless VALUE / OF * 100 >= SHARE.
at_least()
{
	awk -v share="$1" -v value="$2" -v of="$3" -v what="$4" 'BEGIN {
		got = of > 0 ? 100 * value / of : 0
		held = of > 0 && got >= share
		printf "bound: %s | %.2f %% (%d of %d) | at least %s %% | %s\n", what, got, value, of, share, held ? "ok" : "SHORT"
		exit !held }'
}

# complete_stacks EXPERIMENT SHARE WHAT [flagged]: share of the clock samples whose stack reaches a known start without a
# guessed frame (with "flagged": with or without), as the second reader counts them. At least 300 samples.
complete_stacks()
{
	local counts good total
	counts=$(oracle - "$1" "${4:-}" <<'PYTHON'
import sys
from experiment import completeness
counts = completeness(sys.argv[1])
print(counts["complete"] + (counts["flagged"] if sys.argv[2] else 0), sum(counts.values()))
print(counts, file=sys.stderr)
PYTHON
	)
	read -r good total <<<"$counts"
	[ "$total" -ge 300 ] || { echo "$3: only $total samples"; return 1; }
	at_least "$2" "$good" "$total" "$3"
}

# total_is_charged EXPERIMENT PERCENT: the total that is shown is within so much of what getrusage said when the target ended.
total_is_charged()
{
	local shown true
	true=$(sed -n 's/.*kind="exit".* user="\([0-9]*\)" system="\([0-9]*\)".*/\1 \2/p' "$1/log.xml" | awk '{print $1 + $2}')
	shown=$("$er_print" -printmode ';' -metrics e.totalcpu:name -functions "$1" | "$TESTS/tools/rows" -n '<Total>' -f 1)
	awk -v shown="$shown" -v true="$true" -v name="$(basename "$1")" -v percent="$2" 'BEGIN {
		off = true > 0 ? 100 * (shown * 1e9 - true) / true : 100
		held = off <= percent && -off <= percent
		printf "bound: total of %s | %.3f of %.3f s | within %s %% | %s\n", name, shown, true / 1e9, percent, held ? "ok" : "SHORT"
		exit !held }'
}

# no_collector EXPERIMENT: no report shows a function or an object of the collector.
no_collector()
{
	local found
	found=$("$er_print" -functions -calltree -objects -pcs "$1" | grep -E 'libcollector|collector_|capture_signal' | head -n 5)
	[ -z "$found" ] || { printf 'the collector is in a report:\n%s\n' "$found"; return 1; }
}

# like_plain EXPERIMENT COMMAND...: runs COMMAND without and with `collect -p hi`: output and exit status must be the same.
like_plain()
{
	local experiment=$1 plain=0 recorded=0
	shift
	"$@" >plain.out 2>plain.err </dev/null || plain=$?
	"$collect" -p hi -O collect.said -o "$experiment" "$@" >recorded.out 2>recorded.err </dev/null || recorded=$?
	[ $recorded -eq $plain ] || { echo "exit status $plain without collect, $recorded with:"; cat recorded.err collect.said; return 1; }
	cmp plain.out recorded.out
	cmp plain.err recorded.err
}

# stripped PROGRAM: fails unless it has no symbol table, as Debian ships it.
stripped()
{
	readelf -SW "$1" | grep -q ' \.dynsym ' || { echo "$1: no ELF file with dynamic symbols"; return 1; }
	! readelf -SW "$1" | grep -q ' \.symtab ' || { echo "$1: is not stripped"; return 1; }
}

# starts_at_main EXPERIMENT SHARE: this much of the CPU time is inside libc's call of main.
starts_at_main()
{
	"$er_print" -metrics i.totalcpu:name -functions "$1" >functions.out
	local total main
	total=$(awk '$2 == "<Total>" {print int($1 * 1000)}' functions.out)
	main=$(awk '$2 ~ /^__libc_start_main/ {print int($1 * 1000)}' functions.out | sort -n | tail -n 1)
	at_least "$2" "${main:-0}" "${total:-0}" "time inside __libc_start_main"
}

# Ticks where the interrupt found the thread, and no estimates: what the second reader adds up, too.
as_recorded="-skid raw -short_threads apart"

# lists_agree EXPERIMENT LIST...: er_print's functions, lines, pcs, objects, calltree, callers-callees against eu-addr2line
# and plain sums over what the second reader reads.
lists_agree()
{
	local experiment=$1 list command
	shift
	for list in "$@"; do
		oracle "$TESTS/oracle/report.py" $list "$experiment" >expected
		case $list in
		tree | callers)
			command=calltree
			[ $list = tree ] || command=callers-callees
			"$er_print" $as_recorded -name mangled -metrics i.totalcpu:name -$command "$experiment" >printed
			oracle "$TESTS/oracle/compare_graph.py" $list expected printed
			;;
		*)
			"$er_print" $as_recorded -name mangled -metrics e.totalcpu:i.totalcpu:name -$list "$experiment" >printed
			oracle "$TESTS/oracle/compare.py" expected printed 2
			;;
		esac || { echo "$list of $experiment differs"; return 1; }
	done
}

# disassembly_agrees EXPERIMENT OBJECT FUNCTION: instructions and lines against objdump -dl, sums against the second reader.
disassembly_agrees()
{
	local start size
	read -r start size < <({ nm -S "$2" 2>/dev/null; nm -DS "$2"; } |
		awk -v name="$3" '{sub(/@.*/, "", $4)} $4 == name {print "0x" $1, "0x" $2; exit}')
	[ -n "${size:-}" ] || { echo "$2 has no function $3"; return 1; }
	oracle "$TESTS/oracle/report.py" pcs "$1" >expected
	"$er_print" $as_recorded -name mangled -metrics e.totalcpu:i.totalcpu -disasm "$3" "$1" >printed
	oracle "$TESTS/oracle/compare_code.py" disasm expected printed "$2" "$3" $start $(printf '%#x' $((start + size))) ||
		{ echo "disassembly of $3 differs"; return 1; }
}

# source_agrees EXPERIMENT FUNCTION FILE: the text against the file, the sums against eu-addr2line.
source_agrees()
{
	oracle "$TESTS/oracle/report.py" lines "$1" >expected
	"$er_print" $as_recorded -name mangled -metrics e.totalcpu:i.totalcpu -source "$2" "$1" >printed
	oracle "$TESTS/oracle/compare_code.py" source expected printed "$3" || { echo "source of $2 differs"; return 1; }
}
