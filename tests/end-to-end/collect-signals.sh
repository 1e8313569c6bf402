#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# collect stands in for its target: exit status, death by a signal, signals that are sent to it, kill -9 of it, an alarm.
set -u
collect=$BUILD/bin/collect
program=$PROGRAMS/collect_signals
fail()
{
	echo "$*"
	exit 1
}

# Exit statuses, and deaths that the parent sees as the target's, without a core of collect.
for status in 0 1 77 126 127 128 255; do
	"$collect" -A off -o s.1.er sh -c "exit $status" 2>/dev/null
	[ $? -eq $status ] || fail "status $status was lost"
done
/usr/bin/python3 - "$collect" "$program" <<'END' || fail "deaths by a signal"
import os, resource, signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
for number in (1, 2, 3, 4, 6, 8, 9, 11, 13, 14, 15, 24, 31, 40):
    pid = os.spawnv(os.P_NOWAIT, sys.argv[1], ["collect", "-A", "off", "-o", "s.1.er", "-O", "/dev/null",
                                               sys.argv[2], "die", str(number)])
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, (number, status)
    assert not os.WCOREDUMP(status), number
END
grep -l 'kind="close".*signal="11"' s.*.er/log.xml >/dev/null || fail "no log tells of SIGSEGV"

# Each signal that is sent to collect alone comes to the target once, with its value.
/usr/bin/python3 - "$collect" "$program" <<'END' || fail "forwarded signals"
import ctypes, os, signal, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def start(*arguments):
    p = subprocess.Popen([sys.argv[1], "-O", "/dev/null", sys.argv[2], *arguments], stdout=subprocess.PIPE, text=True)
    assert p.stdout.readline().startswith("ready ")
    return p
p = start()
numbers = [1, 2, 3, 10, 12, 13, 14, 18, 20, 23, 26, 27, 28, 29, 30, 36, 41]
for number in numbers:
    os.kill(p.pid, number)
    time.sleep(0.05)
for value in range(1, 4):
    libc.sigqueue(p.pid, 40, ctypes.c_void_p(value))
os.kill(p.pid, signal.SIGTERM)
rest = p.stdout.read()
assert p.wait() == 5, p.returncode
seen = {int(n): (int(c), int(s)) for n, c, s in (word.split(":") for word in rest.split())}
for number in numbers:
    assert seen.pop(number, None) == (1, 0), (number, rest)
assert seen.pop(40, None) == (3, 6), rest
assert not seen, rest
END

# Signals that the target's own family sends to the group or to its parent do not come back to it.
expected="10:1:0 "
seen=$(setsid --wait "$collect" -O /dev/null "$program" group)
[ "$seen" = "$expected" ] || fail "a signal to the group came as: $seen, and not as $expected"

# A signal to the whole group, as `kill %1` sends it, comes once, and does not hide one to collect alone after it.
/usr/bin/python3 - "$collect" "$program" <<'END' || fail "signals to the group"
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "-O", "/dev/null", sys.argv[2]], stdout=subprocess.PIPE, text=True, process_group=0) \
    if sys.version_info >= (3, 11) else \
    subprocess.Popen([sys.argv[1], "-O", "/dev/null", sys.argv[2]], stdout=subprocess.PIPE, text=True, preexec_fn=os.setpgrp)
target = int(p.stdout.readline().split()[1])
def quiet(pid):
    status = dict(line.split(":\t", 1) for line in open("/proc/%d/status" % pid).read().splitlines() if ":\t" in line)
    return status["State"][0] != "R" and int(status["SigPnd"], 16) == int(status["ShdPnd"], 16) == 0
def settle():
    # Signals of one number that wait together are one: each has been dealt with before the next is sent.
    calm = 0
    while calm < 5:
        time.sleep(0.02)
        calm = calm + 1 if quiet(p.pid) and quiet(target) else 0
for number in (1, 2, 10, 12, 28, 40):
    os.killpg(p.pid, number)
    settle()
for number in (1, 2, 10, 40):
    os.kill(p.pid, number)
    settle()
for _ in range(20):
    os.killpg(p.pid, 36)
settle()
for _ in range(3):
    os.kill(p.pid, 36)
settle()
# The group is stopped and goes on, with the terminal's signal and without.
os.killpg(p.pid, signal.SIGSTOP)
time.sleep(0.2)
os.killpg(p.pid, signal.SIGCONT)
settle()
os.kill(p.pid, signal.SIGTERM)
rest = p.stdout.read()
assert p.wait() == 5, p.returncode
seen = {int(n): int(c) for n, c, s in (word.split(":") for word in rest.split())}
assert seen == {1: 2, 2: 2, 10: 2, 12: 1, 28: 1, 40: 2, 36: 23, 18: 1}, rest
END

# kill -9 of collect: the target lives on, and its experiment can be read.
"$collect" -O /dev/null -o killed.er "$program" alone "$PWD/alone" >started &
pid=$!
for _ in $(seq 100); do
	grep -q ready started && break
	sleep 0.05
done
kill -9 $pid
wait $pid 2>/dev/null
for _ in $(seq 100); do
	[ -s alone ] && break
	sleep 0.05
done
[ -s alone ] || fail "the target did not survive collect"
[ -s killed.er/log.xml ] || fail "no log"
# It has ended before the test does.
target=$(sed -n 's/ready //p' started)
for _ in $(seq 100); do
	kill -0 "$target" 2>/dev/null || break
	sleep 0.05
done

# Killed at any moment of its start: the target runs whole or not at all, and nothing of collect is left.
/usr/bin/python3 - "$collect" <<'END' || fail "killed while it starts"
import os, random, signal, subprocess, sys, time
ran = 0
for i in range(40):
    p = subprocess.Popen([sys.argv[1], "-O", "/dev/null", "-A", "off", "-o", "start%d.er" % i, "sh", "-c",
                          "echo 1 >begun%d; echo 1 >ended%d" % (i, i)], preexec_fn=os.setpgrp)
    time.sleep(random.random() * 0.03)
    p.kill()
    p.wait()
    for _ in range(200):
        # A process that only waits to be reaped is gone.
        lines = subprocess.run(["ps", "-eo", "pgid=,stat="], stdout=subprocess.PIPE, text=True).stdout.splitlines()
        if not [line for line in lines if line.split()[0] == str(p.pid) and line.split()[1][0] != "Z"]:
            break
        time.sleep(0.02)
    else:
        sys.exit("processes are left")
    assert os.path.exists("begun%d" % i) == os.path.exists("ended%d" % i)
    ran += os.path.exists("ended%d" % i)
print(ran, "of 40 targets ran")
END

# Without job control a stop of the target alone stops nobody else: who continues it continues all.
for launcher in env "setsid --wait"; do
	$launcher "$collect" -O /dev/null "$program" >started &
	pid=$!
	for _ in $(seq 100); do
		grep -q ready started && break
		sleep 0.05
	done
	target=$(sed -n 's/ready //p' started)
	kill -STOP "$target"
	sleep 0.3
	kill -CONT "$target"
	kill -TERM "$target"
	wait $pid
	[ $? -eq 5 ] || fail "$launcher: a stopped target was not waited for"
done

# An alarm that was set before the exec of collect is the target's.
/usr/bin/python3 -c '
import os, signal, sys
signal.alarm(1)
os.execv(sys.argv[1], ["collect", "-O", "/dev/null", "sleep", "20"])' "$collect"
[ $? -eq $((128 + 14)) ] || fail "the alarm was lost"

# Interrupted before the target runs, here while another holds the group: nothing is left, nothing has run.
for signal in INT:0 TERM:143; do
	printf '#analyzer experiment group\n' >group.erg
	/usr/bin/python3 - "$collect" "${signal%:*}" <<'END' 2>interrupted
import fcntl, os, signal, subprocess, sys, time
lock = open("group.erg", "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
p = subprocess.Popen([sys.argv[1], "-g", "group.erg", "-o", "never.er", "touch", "ran"])
while not os.path.exists("never.er"):
    time.sleep(0.01)
time.sleep(0.2)
p.send_signal(getattr(signal, "SIG" + sys.argv[2]))
status = p.wait(20)
sys.exit(status if status >= 0 else 128 - status)
END
	[ $? -eq "${signal#*:}" ] || fail "status of an interrupted start by ${signal%:*}"
	grep -qx 'collect: User interrupt' interrupted || fail "$(cat interrupted)"
	[ ! -e never.er ] && [ ! -e ran ] || fail "something is left of an interrupted start"
	[ "$(cat group.erg)" = '#analyzer experiment group' ] || fail "the group has a member that does not exist"
done

# An ignored SIGCHLD does not lose the status.
(
	trap '' CHLD
	"$collect" -O /dev/null sh -c 'exit 6'
)
[ $? -eq 6 ] || fail "status lost with SIGCHLD ignored"

# Exec mode: the target is the process that was started, nobody closes the experiment, and it is whole.
sh -c 'echo $$ >started; ER_TOOLS_LAUNCH=exec exec "$0" -o exec.er -O /dev/null sh -c "echo \$\$; env | grep -c ER_TOOLS_LAUNCH; exit 8"' "$collect" >output
[ $? -eq 8 ] || fail "exec mode: status"
[ "$(cat output)" = "$(cat started)
0" ] || fail "exec mode: another process, or the variable is left: $(cat output)"
grep -q '^parent=0$' exec.er/settings || fail "exec mode: a parent is named"
