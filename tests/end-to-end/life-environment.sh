#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The target's environment is what it is without collect: in main, in environ, in memory, in its children, with and without
# an LD_PRELOAD of its own, in its order; and the auxiliary vector is still behind it.
set -eu
program=$PROGRAMS/life_environment
unset _ SHLVL

# check: as the environment is now.
check()
{
	env "$program" "$program" "$program" | sort >plain
	env "$BUILD/bin/collect" -o t.er "$program" "$program" "$program" 2>err | grep -v '^Creating' | sort >collected
	diff plain collected
	# Order, as the target's own exec hands it on.
	env "$program" | grep -v '^same' >plain
	env "$BUILD/bin/collect" -o t2.er "$program" "$program" 2>err | grep -v -e '^Creating' -e '^same' |
		awk '/^auxv/ { n++ } { print > (n > 11 || (n == 11 && !/^auxv/) ? "second" : "first") }'
	diff first second
	[ "$(echo t.er/_*)" = 't.er/_x1.er t.er/_x1_x1.er' ]
	rm -rf t.er t2.er
}
check
LD_PRELOAD=libm.so.6 check
LD_PRELOAD='libm.so.6 libdl.so.2:libutil.so.1' check
env -i A=1 "$program" | sort >plain
env -i A=1 "$BUILD/bin/collect" -o i.er "$program" 2>err | grep -v '^Creating' | sort >collected
diff plain collected
# A program that clears its environment, or makes its own, is followed all the same, and sees nothing.
"$BUILD/bin/collect" -o c.er env -i B=2 "$program" env -i C=3 env 2>err | grep -v '^Creating' >out || true
[ -d c.er/_x1.er ]
[ "$(grep -c ER_TOOLS out || true)" = 0 ] && [ "$(grep -c LD_PRELOAD out || true)" = 0 ]
