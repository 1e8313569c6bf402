#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A descendant's signals, inherited through fork, exec, posix_spawn, system, popen and vfork, is what the program believes
# to hand on: its mask and what it ignores, the number that the collector uses included. With -F off as the kernel says it,
# with -F on as the descendant itself sees it.
set -eu
cat >hand_on.py <<'END'
import os, signal, subprocess, sys

how, shown = sys.argv[1], sys.argv[2:]
if "block" in how:
    signal.pthread_sigmask(signal.SIG_SETMASK, set(range(1, 65)) - {32, 33})
if "ignore" in how:
    signal.signal(61, signal.SIG_IGN)
    signal.signal(29, signal.SIG_IGN)
sys.stdout.flush()
os.system(" ".join(shown))
print(os.popen(" ".join(shown)).read(), flush=True)
subprocess.run(shown)
os.waitpid(os.posix_spawn(shown[0], shown, os.environ), 0)


def show():
    print(sorted(int(s) for s in signal.pthread_sigmask(signal.SIG_BLOCK, [])), signal.getsignal(61), flush=True)


child = os.fork()
if child == 0:
    show()
    child = os.fork()
    if child == 0:
        show()
        os.execv(shown[0], shown)
    os.waitpid(child, 0)
    os._exit(0)
os.waitpid(child, 0)
os.execv(shown[0], shown)
END
cat >see.py <<'END'
import signal
print(sorted(int(s) for s in signal.pthread_sigmask(signal.SIG_BLOCK, [])), signal.getsignal(61), signal.getsignal(29))
END
own="/usr/bin/python3 see.py"
for how in nothing block ignore block+ignore; do
	for follow in on off; do
		shown=$own
		[ $follow = off ] && shown="/usr/bin/grep -e SigBlk -e SigIgn -e SigCgt /proc/self/status"
		/usr/bin/python3 hand_on.py $how $shown >plain
		"$BUILD/bin/collect" -p 1 -F $follow -o t.er /usr/bin/python3 hand_on.py $how $shown 2>err |
			grep -v '^Creating' >collected
		rm -rf t.er
		diff plain collected || { echo "$how, -F $follow: signals differ"; exit 1; }
		[ "$(wc -l <plain)" -gt 6 ]
	done
done
