#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Job control on a terminal: foreground, Ctrl-C, Ctrl-Z, fg, a stopped target, Ctrl-\ are under collect what they are without
# it, and the start line is on the terminal's stdout.
set -eu
# A plain program first: what the driver expects must be what a shell really sees.
"$PROGRAMS/collect_terminal" env
"$PROGRAMS/collect_terminal" "$BUILD/bin/collect"
[ -d test.1.er ] || { echo "no experiment"; exit 1; }
grep -q '<event kind="close".* signal="3"' test.1.er/log.xml || { echo "the log does not tell of SIGQUIT"; exit 1; }

# The start line goes to a terminal's stdout, and stays out of a pipe.
script -qec "$BUILD/bin/collect echo hello 2>errors" /dev/null >terminal </dev/null
tr -d '\r' <terminal | grep -qx 'Creating experiment directory test.2.er (Process ID: [0-9]*) ...'
[ ! -s errors ]
[ "$("$BUILD/bin/collect" echo hello 2>errors | cat)" = hello ]
grep -qx 'Creating experiment directory test.3.er (Process ID: [0-9]*) ...' errors
[ "$(wc -l <errors)" -eq 1 ]
