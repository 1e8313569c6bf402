#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names of experiments and groups, options that only show something, and errors: each says so in its words, ends with
# status 1, runs nothing and creates nothing.
set -u
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
# refused TEXT ARGUMENTS...: the first line of stderr is "collect: TEXT".
refused()
{
	local text=$1 before
	shift
	rm -f out err
	before=$(ls -A)
	"$collect" "$@" >out 2>err
	[ $? -eq 1 ] || fail "collect $*: not status 1"
	[ "$(head -n 1 err)" = "collect: $text" ] || fail "collect $*: $(cat err)"
	[ ! -s out ] || fail "collect $* wrote to stdout"
	rm out err
	[ "$(ls -A)" = "$before" ] || fail "collect $* created something"
}
usage='Run "collect --help" for a usage message.'
refused_usage()
{
	refused "$@"
	shift
	"$collect" "$@" 2>&1 | sed -n 2p | grep -qxF "$usage" || fail "collect $*: no hint"
}

# Names from the command line.
refused_usage "Unrecognized option \`-q'" -q touch ran
refused_usage "Only one -p argument may be used" -p on -p on touch ran
refused_usage "Unrecognized clock-profiling interval \`xx'" -p xx touch ran
refused_usage "Unrecognized clock-profiling interval \`0'" -p 0 touch ran
refused_usage "Unrecognized clock-profiling interval \`-1'" -p -1 touch ran
refused_usage "Name of target must be specified" -p on
refused "Option -M: MVAPICH2 is not supported; use OPENMPI or MPICH" -M MVAPICH2 touch ran
refused_usage "Option -M is none of \"OMPI\", \"OPENMPI\", \"MPICH\", \"off\": \`LAM'" -M LAM touch ran
refused 'Option -M: "--" must stand before the name of each program that touch is to start: touch ... -- program arguments' -M OPENMPI touch ran
[ "$("$collect" -P 1 touch ran 2>&1 | wc -l)" -eq 1 ] || fail "an option that is not supported is not refused in one line"
refused_usage "No more than 10 comments may be specified" -C 1 -C 2 -C 3 -C 4 -C 5 -C 6 -C 7 -C 8 -C 9 -C 10 -C 11 touch ran

# Where it goes.
: >file
: >group.erg
echo 'no group' >text.erg
mkdir used.er
refused "Experiment name \`foo' must end in \`.er'" -o foo touch ran
refused "name used.er is in use and cannot be updated" -o used.er touch ran
refused "Can't set directory \`nosuch': No such file or directory" -d nosuch touch ran
refused "Can't set directory \`file': Not a directory" -d file touch ran
refused "Store directory nosuch is not accessible: No such file or directory" -o nosuch/a.er touch ran
refused "Experiment group name \`foo' must end in \`.erg'" -g foo touch ran
refused "File text.erg is not an experiment group: its first line is not \`#analyzer experiment group'" -g text.erg touch ran
refused "Cannot create group file nosuch/a.erg: No such file or directory" -g nosuch/a.erg touch ran
refused "Unable to open the output file \`nosuch/log' of -O: No such file or directory" -O nosuch/log touch ran

# The target.
printf '#!/nosuch/interpreter\n' >script
head -c 512 /dev/zero >zeros
cp /bin/true object.jar
chmod +x script zeros
chmod -x object.jar
refused "Target \`./nosuch' not found" ./nosuch
refused "Target \`no-such-program' not found" no-such-program
refused "Target \`used.er' is a directory, not an executable" used.er
refused "Target \`./file' is not executable" ./file
refused "Target \`./zeros' is not a valid ELF executable" ./zeros
refused "Target \`object.jar': Java targets are not supported; run \`collect java ...' to record the JVM" object.jar
refused "Interpreter /nosuch/interpreter of target \`./script' cannot be run: No such file or directory" ./script
rm -r file group.erg text.erg used.er script zeros object.jar

# Numbers.
run()
{
	"$collect" -A off "$@" true 2>>said || fail "collect $*: $?"
}
run
run
mkdir test.7.er
run
run -o a.1.er
run -o a.1.er
run -o b12.er
mkdir sub
run -d sub
run -d sub -o c.er
run -d sub -o "$PWD/d.er"
run -g sub/runs.erg
run -d sub -g more.erg
grep -qx 'collect: name a.1.er is in use; changed to a.2.er' said || fail "no word of the changed name"
grep -qx 'collect: Warning: Experiment name is an absolute path; directory name sub ignored.' said || fail "no word of -d"
echo *.er sub/*.er >names
diff names - <<<'a.1.er a.2.er b12.er d.er runs.1.er test.1.er test.2.er test.7.er test.8.er sub/c.er sub/more.1.er sub/test.1.er' || fail names
diff sub/runs.erg - <<<'#analyzer experiment group
../runs.1.er' || fail runs.erg
diff sub/more.erg - <<<'#analyzer experiment group
more.1.er' || fail more.erg
for group in sub/runs.erg sub/more.erg "$PWD/sub/abs.erg"; do
	[ "$group" != "$PWD/sub/abs.erg" ] || run -d sub -o "$PWD/sub/a.er" -g "$group"
	"$BUILD/bin/er_print" -functions "$group" >shown 2>&1 || fail "$group: $(cat shown)"
	grep -q '^Functions sorted' shown && ! grep -qi -e warning -e error shown || fail "$group: $(cat shown)"
done
rm -r sub/a.er sub/abs.erg

# Twenty at once: twenty names, twenty lines in the group.
mkdir race
for _ in $(seq 20); do
	"$collect" -A off -O said -d race -g race.erg true &
done
wait
[ "$(find race -name 'race.*.er' | wc -l)" -eq 20 ] || fail "$(ls race)"
[ "$(sort -u race/race.erg | wc -l)" -eq 21 ] || fail "$(cat race/race.erg)"

# -O, -C, -n, -v, -V, usage.
"$collect" -O log -C 'first one' -C second -o e.er sh -c 'echo out; echo err >&2' >out 2>err || fail -O
[ "$(cat out err)" = "out
err" ] || fail "-O touched the target's output"
grep -q 'Creating experiment directory e.er' log || fail "-O: no start line"
diff e.er/notes - <<<'first one
second' || fail notes
"$collect" -O log -q true >out 2>err
[ ! -s err ] && grep -q "Unrecognized option" log || fail "-O: an error of another option did not go there"

# -O NAME.er overwrites that experiment, and nothing else.
run -O over.er
touch over.er/mark
run -O over.er
[ -e over.er/log.xml ] && [ ! -e over.er/mark ] || fail "-O: over.er is not new"
ln -s over.er link.er
mkdir empty.er
echo precious >plain.er
refused "Option -O: link.er is a symbolic link: it is not overwritten" -O link.er touch ran
refused "Option -O: empty.er is not an experiment: it is not overwritten" -O empty.er touch ran
refused "Option -O: plain.er is not a directory: it is not overwritten" -O plain.er touch ran
refused_usage "Only one of -o and -O may name the experiment: -o a.er, -O over.er" -o a.er -O over.er touch ran
refused "Target \`./nosuch' not found" -O over.er ./nosuch
mkfifo hold
"$collect" -A off -O over.er cat hold >/dev/null 2>>said &
until grep -q 'cat hold</process>' over.er/log.xml 2>/dev/null; do sleep 0.05; done
"$collect" -O over.er touch ran 2>err && fail "an experiment was overwritten while it was recorded"
grep -Eq '^collect: Option -O: over.er is still recorded, by process [0-9]+: it is not overwritten$' err || fail "$(cat err)"
: >hold
wait
if [ "$(id -u)" -eq 0 ]; then
	chown 65534 over.er
	refused "Option -O: over.er belongs to another user: it is not overwritten" -O over.er touch ran
fi
[ -e over.er/log.xml ] && [ "$(cat plain.er)" = precious ] || fail "-O removed what it refused to overwrite"
PMI_RANK=0 PMI_SIZE=2 PMI_JOBID=1 "$collect" -O new.er touch ran 2>err && fail "ranks overwrite each other"
grep -qF "the ranks of an mpirun would overwrite each other's experiment; use -o" err || fail "$(cat err)"
rm -r over.er link.er empty.er plain.er hold err

# The launcher of another MPI, told by its code.
cp /bin/true hydra && printf HYDRA_DEBUG >>hydra
cp /bin/true orte && printf libopen-rte.so.40 >>orte
refused "Option -M OPENMPI: ./hydra (./hydra) is the launcher of MPICH: use -M MPICH, or give the path of Open MPI's mpirun" -M OMPI ./hydra -- touch ran
refused "Option -M MPICH: ./orte (./orte) is the launcher of Open MPI: use -M OPENMPI, or give the path of MPICH's mpirun" -M MPICH ./orte -- touch ran
run -M MPICH -o h.er ./hydra --
run -M OMPI -o t.er true --
rm -r hydra orte h.er t.er

touch out err
before=$(ls)
"$collect" -n -h page-faults,7 -D 5 -t 0.5-1 -H on touch ran >out 2>err || fail "-n: $(cat err)"
for text in '	hardware counter profiling enabled:' '	  1. page-faults (perf::page-faults), interval 7' '	at most 5 frames of a stack' \
	'	data descriptor: "p:10007;h:page-faults,7;H:1;t:0.5:1;S:1;F:3;a:on;"'; do
	grep -qxF "$text" out || fail "-n lacks $text: $(cat out)"
done
"$collect" -n -p hi touch ran now >out 2>err || fail -n
[ "$(ls)" = "$before" ] || fail "-n created something"
grep -q 'clock profiling enabled, 0.997 millisec.' out || fail "-n: parameters"
grep -q '^Creating experiment directory test.9.er' out || fail "-n: name"
grep -qx 'Exec argv\[\] = touch ran now' out || fail "-n: argv"
"$collect" -v true >out 2>err
[ ! -s out ] && grep -qx 'Collection parameters:' err && grep -q '^collect: er-tools' err || fail "-v: $(cat err)"
"$collect" -V | grep -q '^collect: er-tools [0-9]' || fail -V
"$collect" >out || fail usage
for text in 'usage: collect' 'clock profiling enabled, 10.007 millisec.' 'perf cpu-clock' 'thread CPU timer' 1000.000; do
	grep -qF "$text" out || fail "usage lacks $text"
done
# The kernel's own tick is the finest that a thread CPU timer can give.
tick=$(/usr/bin/python3 -c 'import time; print("%.3f" % (time.clock_getres(6) * 1e3))')
grep -q "thread CPU timer .* $tick" out || fail "the timer's finest interval is not $tick"
"$collect" -p off true 2>&1 | grep -q 'Warning: No function level data requested' || fail "-p off"
# One kind of data is enough, and collect and the experiment name it by the same words.
while IFS='|' read -r options label more; do
	# shellcheck disable=SC2086
	"$collect" -p off -v -O kind.er $options >said 2>&1 || fail "$options: status $?"
	grep -q 'No function level data' said && fail "$options: it is said that nothing is recorded"
	grep -qx "	$label enabled$more" said || fail "$options, -v: $(cat said)"
	"$BUILD/bin/er_print" -header kind.er | grep -qix "  $label$more" || fail "$options: $("$BUILD/bin/er_print" -header kind.er)"
done <<'END'
-s on true|synchronization tracing|, threshold.*
-H on true|heap tracing|
-H light true|heap tracing|, without the stacks of releases
-i on true|I/O tracing|
-m on true|MPI tracing|
END
[ "$("$collect" -V | sed 's/collect: \(er-tools [0-9.]*\) .*/\1/')" = "$("$BUILD/bin/er_print" -V | sed 's/er_print: //')" ] ||
	fail "two versions: $("$collect" -V), $("$BUILD/bin/er_print" -V)"
"$collect" -p 0.1 true 2>&1 | grep -q 'minimum 0.500 millisec. used' || fail "-p 0.1"

# Refused by the file system: said, and nothing is left.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 755 closed
	cd closed || fail "cd closed"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$collect" true 2>../err && fail "a closed directory was written"
	cd ..
	grep -q 'Store directory . is not writeable: Permission denied' err || fail "$(cat err)"
fi
