#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The functions that a run-time announces in /tmp/perf-PID.map are in the experiment of its process, also when the process is killed; a
# map that lies there from an earlier process is not.
set -eu
cat >jit.py <<'END'
import os, signal, sys
path = "/tmp/perf-%d.map" % os.getpid()
with open(path, "w") as stream:
    stream.write("7f0000001000 40 generated_%s\n" % sys.argv[1])
print(path, flush=True)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
END
for how in ended killed; do
	"$BUILD/bin/collect" -o "$how.er" /usr/bin/python3 jit.py "$how" >out 2>err || true
	map=$(grep '^/tmp/perf' out)
	diff "$map" "$how.er/perf.map"
	rm "$map"
	grep -q "generated_$how" "$how.er/perf.map"
done
sh -c 'touch -d yesterday /tmp/perf-$$.map; echo $$ >pid; ER_TOOLS_LAUNCH=exec exec "$BUILD/bin/collect" -o none.er true' \
	>/dev/null 2>&1
[ "$(sed -n 's/.*<process pid="\([0-9]*\)".*/\1/p' none.er/log.xml)" = "$(cat pid)" ]
rm "/tmp/perf-$(cat pid).map"
[ ! -e none.er/perf.map ]
