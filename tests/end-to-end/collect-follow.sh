#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -F =regex: what matches by name or by lineage is recorded, the others are not, run as without us, hand the collector on,
# and are named in the founder's log; what an unmatched image used is not counted for the matching one that it execs.
set -eu
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
cat >family <<'END'
#!/bin/sh
sh -c 'echo one; gzip </bin/sh | cksum; exit 3'
echo $?
ls / >/dev/null
env -i gzip -9 </bin/sh | cksum
xz -0 </bin/sh | cksum
END
chmod +x family
./family >plain 2>&1

# By the file that was executed, which a forked child shares with its parent.
command_of()
{
	sed -n 's/.*<process [^>]*>\([^ <]*\).*/\1/p' "$1" | sed 's/.*\///'
}

# check REGEX NAMES: of the recorded descendants by their command, in any order.
check()
{
	rm -rf t.er
	"$collect" -F "=$1" -o t.er ./family >seen 2>err || fail "$1: status $?"
	diff plain seen || fail "$1: the program saw a difference"
	names=$(for log in t.er/_*.er/log.xml; do
		[ -e "$log" ] && command_of "$log"
	done | sort | tr '\n' ' ')
	[ "$names" = "$2" ] || fail "$1: recorded $names, expected $2"
}
"$collect" -o all.er ./family >/dev/null 2>&1
all=$(for log in all.er/_*.er/log.xml; do command_of "$log"; done | sort | tr '\n' ' ')
check '.*' "$all"
check 'gzip' 'gzip gzip '
check 'gzi' ''
check 'g[xz]ip|ls' 'gzip gzip ls '
lineage=$(cd all.er && grep -l '<process [^>]*>xz ' _*.er/log.xml | sed 's/\.er.*//')
check "$lineage" 'xz '
# Every descendant is in an experiment or in the founder's log.
unmatched=$(grep -c 'kind="comment".*matches what -F asks for' t.er/log.xml)
[ "$unmatched" = $(($(ls -d all.er/_*.er | wc -l) - 1)) ] || fail "$unmatched descendants in the log"
"$BUILD/bin/er_print" -functions t.er >/dev/null

# The shell counts to 300 000 and becomes gzip; the exit event has what the process used in all.
rm -rf t.er
"$collect" -p hi -F '=gzip' -o t.er sh -c 'sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done; exec gzip </bin/sh" >/dev/null; :' 2>err
PYTHONPATH=$TESTS/oracle /usr/bin/python3 - <<'END'
import experiment, glob, re
path, = glob.glob("t.er/_*.er")
recorded = sum(e["user"] + e["system"] for e in experiment.Experiment(path).events("clock"))
exit_line = [line for line in open(path + "/log.xml") if 'kind="exit"' in line][-1]
used = sum(int(re.search(name + '="(\\d+)', exit_line).group(1)) for name in ("user", "system"))
assert recorded < used / 2, (recorded, used)
END

for regex in '(a' '*' 'a{3' '[b'; do
	"$collect" -F "=$regex" true 2>err && fail "$regex was accepted"
	grep -q "wrong regular expression" err || fail "$regex: $(cat err)"
done
