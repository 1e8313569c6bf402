#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that give up their privileges, their root directory, their folder or their namespaces are recorded as before; a
# process that they start and that cannot make an experiment any more is in the log.
# measures CPU time of real runs
. "$TESTS/end-to-end/hostile.bash"
mkdir jail
runs fork -- fork 400
recorded fork
runs chdir -- chdir 400
recorded chdir
if [ "$(id -u)" -ne 0 ]; then
	echo "the rest needs root"
	exit 77
fi
runs setuid -- setuid 400
recorded setuid 50 total
says setuid 'lineage="_f1" .*errno="13">not recorded: the experiment'
PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - <<'PYTHON'
import sys
from experiment import Experiment
# The parent's part, also that of the threads that it made without its privileges: 600 ms of the 1000.
got = sum(e["user"] + e["system"] for e in Experiment("setuid.er").events("clock")) / 1e9
print("setuid: %.3f s" % got)
if not 0.588 <= got <= 0.65:
    sys.exit("setuid: %.3f s recorded of 0.600" % got)
PYTHON
runs exec -- exec 400
recorded exec 98 total
says exec 'not followed: with its privileges and root directory'
runs chroot -- chroot 400
recorded chroot
if unshare -m true 2>/dev/null; then
	runs unshare unshare -m -- unshare 400
	recorded unshare
fi
open_to_nobody
runs nobody as_nobody -- fork 400
recorded nobody
