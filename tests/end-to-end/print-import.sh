#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Folded stacks as an experiment: whole reports and pictures of examples whose every number is arithmetic, what is no folded
# stack, and files beside experiments.
set -eu
er_print=$BUILD/bin/er_print

# is EXPECTED ARGUMENTS...: the whole output, but for blanks at the ends of lines.
is()
{
	local expected=$1
	shift
	"$er_print" "$@" 2>err | sed 's/ *$//' >out
	diff <(printf '%s\n' "$expected") out || { echo "er_print $*"; cat err; exit 1; }
}

# ends STATUS TEXT ARGUMENTS...: the exit status, and the one line of stderr.
ends()
{
	local status=$1 text=$2 got=0
	shift 2
	"$er_print" "$@" >out 2>err || got=$?
	[ $got -eq "$status" ] || { echo "er_print $*: status $got, expected $status"; cat err; exit 1; }
	[ "$(cat err)" = "$text" ] || { echo "er_print $*: expected: $text"; cat err; exit 1; }
}

# frame FILE NAME N: value, start and exclusive value of the N-th frame of that name, and its width.
frame()
{
	/usr/bin/python3 - "$@" <<'END'
import re
import sys
found = re.findall(r'data-s="(\d+)" data-v="(\d+)" data-x="(\d+)" data-d="\d+" data-n="%s">.*?width="([0-9.]+)"' % re.escape(sys.argv[2]),
                   open(sys.argv[1]).read())
print(" ".join(found[int(sys.argv[3]) - 1]))
END
}

# Of 90: bar 25 + 25, main 20 of its own, foo1 15 + 25 = 44.4 %, foo2 5 + 25 = 33.3 %.
printf '%s\n' 'main 20' 'main;foo1 15' 'main;foo1;bar 25' 'main;foo2 5' 'main;foo2;bar 25' >E.folded
@@REPORTS@@
