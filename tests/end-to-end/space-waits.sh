#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A wait in libc is at the call of libc, so that those for one lock are one space, and a deficit whatever part of the time it is.
# measures where the program waits, and for how long
set -eu
source=$(cd "$(dirname "$0")/../programs" && pwd)/advised.c
"$BUILD/bin/collect" -p hi -O said -o test.er "$BUILD/tests/programs/advised" lock 100 >out
"$BUILD/bin/er_print" -printmode '|' -spaces test.er 2>err | sed 's/"//g' >spaces
"$BUILD/bin/er_print" -advice test.er >advice 2>err
cat spaces advice
line=$(grep -n 'pthread_mutex_lock(' "$source" | cut -d: -f1)
if grep -E "__lll|futex|\|pthread_mutex" spaces; then exit 1; fi
# 100 items of four threads take 0.5 ms each with the lock, one after another: three threads wait meanwhile, 0.6 s less what they overlap.
awk -F'|' '/\|put_item at .*<User Lock>/ { locks++; waited += $(NF - 4) } END { print locks, "space,", waited, "s"; exit !(locks == 1 && waited > .3) }' spaces
grep -A2 -E "^[0-9]+\. Off-CPU in space [0-9]+, put_item at 0x[0-9a-f]+, <User Lock>, advised.c:$line\$" advice |
	grep -F 'Try: who holds it (metric chains), smaller critical sections, and several locks in place of one'
