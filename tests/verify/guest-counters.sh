#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Counter overflow profiling on an emulated arm64 processor that counts instructions exactly, at two cycles each: programs whose
# instructions are known by construction, recorded and read there, and read here.
# limit: 600
. "$TESTS/end-to-end/guest.bash"
on_guest -s 1 -t 500 <<'SCRIPT' || exit
cp $PROGRAMS/known_counts app
run() # NAME COUNTERS ARGUMENTS...
{
	local name=$1 counters=$2
	shift 2
	collect -h $counters -o $name.er ./app "$@" >$name.known 2>$name.collect || { cat $name.collect; exit 1; }
	er_print -metrics e.cycles:e.insts:e.ipc:name -functions $name.er >$name.functions || exit
}
collect -h cycles ./app phases 20 >typed.known || exit
er_print -functions test.1.er >typed.functions || exit
er_print -disasm phase_two test.1.er >disasm || exit
run phases cycles,1000003,insts,1000003 phases 20
run often cycles,100003,insts,100003 phases 20
run alternate cycles,100003,insts,100003 alternate 40
run threads cycles,1000003,insts,1000003 threads 20
er_print -metrics e.insts:name -threads threads.er >threads.list || exit
# The writes of a shell, counted by the kernel's own tracepoint.
collect -h syscalls:sys_enter_write,1 -o writes.er bash -c 'for i in {1..25}; do echo x; done' >/dev/null || exit
er_print -metrics e.syscalls.sys_enter_write:name -functions writes.er >writes.functions || exit
# More overflows than the machine's setting lets through: held back, counted, shown.
rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate || exit
run held cycles,10000,insts,100003 phases 2
er_print -header 1 held.er >held.header || exit
echo $rate >/proc/sys/kernel/perf_event_max_sample_rate
# One who may not profile the kernel: by the machine's setting not at all, or only what is in the program.
mkdir -m 777 /tmp/nobody
as_nobody() # COUNTER
{
	su nobody -s /bin/sh -c "cd /tmp/nobody && PATH=$PATH collect -h $1 -o nobody.er /out/app phases 1 >/tmp/nobody/known"
}
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ] || exit
as_nobody cycles 2>>refused && exit 1
echo 2 >/proc/sys/kernel/perf_event_paranoid
as_nobody cycles,100003,insts,100003 || exit
er_print -metrics e.cycles:e.insts:e.ipc:name -functions /tmp/nobody/nobody.er >nobody.functions || exit
cp /tmp/nobody/known nobody.known
# Each context switch, under the function that waited; experts see the kernel's.
collect -S off -h context-switches,1 -o switches.er $PROGRAMS/scheduler_events 60 >switches.known || exit
er_print -metrics i+context-switches:name -functions switches.er >switches.functions || exit
er_print -viewmode expert -verify -metrics i+context-switches:name -functions switches.er >switches.expert || exit
# The aliases of other Arm CPUs, by libpfm4's tables. It has the Cortex-A72 as its twin, the A57.
for cpu in arm_ac57 arm_n1; do
	LIBPFM_FORCE_PMU=$cpu collect -h -v >$cpu.list || exit
done
# Counters that the CPU lacks: by its tables, and by what the kernel says.
for counter in l3m_stall llm nonsense; do
	collect -h $counter -o refused.er ./app phases 1 >>refused.out 2>>refused && exit 1
done
[ ! -e refused.er ]
SCRIPT
cd out || exit
failed=0
# known NAME UNITS-OF-ERROR: each function's instructions and cycles are NAME.known's, give or take UNITS-OF-ERROR.
known()
{
	awk -v name="$1" -v error="$2" '
		FILENAME ~ /known$/ { insts[$1] = $2; next }
		$NF in insts { found[$NF] = 1; check($NF, "cycles", $1, 2 * insts[$NF]); check($NF, "instructions", $2, insts[$NF]) }
		$NF == "<Total>" { ipc = $3 }
		function check(f, what, got, right) {
			print name, f, what, got, "of", right
			if (got - right > error || right - got > error) { print "  is off by more than " error; failed = 1 }
		}
		END {
			for (f in insts)
				if (!found[f]) { print name ": no " f; failed = 1 }
			if (ipc < 0.495 || ipc > 0.505) { print name ": IPC " ipc; failed = 1 }
			exit failed
		}' "$1.known" "$1.functions" || failed=1
}
known phases 1000003
known threads 1000003
# Ten times the overflows: what the handler executes is not counted, or it would be a multiple of that.
known often 1000003
# A function with the share p has np of n overflows, with a standard error of sqrt(np(1-p)); five of these.
awk 'FNR == NR { insts[$1] = $2; all += $2; next }
	$NF in insts {
		found++
		p = insts[$NF] / all
		check($NF, "instructions", $2, insts[$NF], all)
		check($NF, "cycles", $1, 2 * insts[$NF], 2 * all)
	}
	function check(f, what, got, right, all) {
		error = 5 * 100003 * sqrt(all / 100003 * p * (1 - p))
		print "alternate", f, what, got, "of", right, "+-", error
		if (got - right > error || right - got > error) { print "  is off by more"; failed = 1 }
	}
	END { exit failed || found != 2 }' alternate.known alternate.functions || failed=1
[ "$(grep -c 'Process 1, Thread [12]$' threads.list)" -eq 2 ] || { echo "not two threads:"; cat threads.list; failed=1; }
awk '$NF == "<Total>" && $1 == 25 { found = 1 } END { exit !found }' writes.functions || { echo "not 25 writes:"; cat writes.functions; failed=1; }
known nobody 200006
known held 200006
awk '/cycles \(perf/ { cycles = 1 } cycles && /held it back [0-9]+ times/ { print "held:", $0; found = 1; exit } END { exit !found }' held.header ||
	{ echo "nothing was held back:"; cat held.header; failed=1; }
# Whoever goes deep sleeps often there.
awk 'FNR == NR { switches[$1] += $2; cut += $3; if ($1 == "deep") switches["sleep_often"] += $2; next }
	$2 in switches {
		found++
		print "switches", $2, $1, "of", switches[$2]
		if ($1 - switches[$2] > 4 || switches[$2] - $1 > 4) failed = 1
	}
	END { exit failed || cut || found != 6 }' switches.known switches.functions ||
	{ echo "context switches:"; cat switches.known switches.functions; failed=1; }
for name in __arm64_sys_clock_nanosleep:120 __arm64_sys_ppoll:60; do
	awk -v name="${name%:*}" -v wanted="${name#*:}" '$2 == name && $1 >= wanted - 4 && $1 <= wanted + 4 { found = 1; print "switches", name, $1 } END { exit !found }' switches.expert ||
		{ echo "not $name:"; cat switches.expert; failed=1; }
done
# Every alias that the table gives a CPU is an event of libpfm4's there, and no other is.
aliases() # FAMILY CPU
{
	grep -q "cpuver=$2)" $2.list || { echo "$2 was not forced:"; head -1 $2.list; failed=1; }
	sed -nE "s/^EVENT\($1, \"([^\"]+)\", \"([^\":]+).*/\1 \2/p" "$TESTS/../collect/counters/counter_aliases.def" | sort >$2.wanted
	sed -nE "s/^([a-z0-9_]+),[0-9]+ \('.*', alias for ([A-Z0-9_]+).*/\1 \2/p" $2.list | sort >$2.got
	diff $2.wanted $2.got && [ -s $2.got ] || { echo "aliases of $2"; failed=1; }
	echo "aliases of $2: $(wc -l <$2.got)"
}
aliases CORTEX_A72 arm_ac57
aliases NEOVERSE_N1 arm_n1
# As typed: an interval of 32 million cycles.
awk 'FNR == NR { insts[$1] = $2; next }
	$NF in insts { found++; if ($5 < 2 * insts[$NF] - 35000000 || $5 > 2 * insts[$NF] + 35000000) failed = 1 }
	END { exit failed || found < 2 }' typed.known typed.functions || { echo "collect -h cycles:"; cat typed.functions; failed=1; }
grep -qE '^## .*\b(nop|subs|b\.ne)\b' disasm || { echo "no hot instruction"; head -40 disasm; failed=1; }
cat refused
[ ! -s refused.out ] || { echo "on the standard output:"; cat refused.out; failed=1; }
for said in "HW counter .cycles': not permitted: kernel.perf_event_paranoid is 3 here" "HW counter .l3m_stall' .* is not available on this CPU" "HW counter .llm' .*: this CPU does not have it" "Invalid HW counter name: nonsense"; do
	grep -q "^collect: $said" refused || { echo "it does not say: $said"; failed=1; }
done
# Here, from the experiment alone.
"$BUILD/bin/er_print" -metrics e.cycles:e.insts:e.ipc:name -functions phases.er >here || failed=1
diff phases.functions here || failed=1
exit $failed
