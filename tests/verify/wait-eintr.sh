#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 100 000 short waits of each kind under -p hi: no EINTR that our signal caused. First the control: with signals of their own
# the same waits are interrupted.
# limit: 300
set -eu
collect=$BUILD/bin/collect
"$PROGRAMS/waits" 1000 interrupt >control || { cat control; exit 1; }
"$collect" -p hi -O said -o waits.er "$PROGRAMS/waits" 100000
PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - <<'PYTHON'
import sys
from experiment import Experiment
ticks = Experiment("waits.er").counters()["clock_ticks"]
print(ticks, "ticks")
if ticks < 1000:
    sys.exit("too few ticks to prove anything")
PYTHON
