#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Return addresses that a library has left on stacks are not looked at while a thread unloads that library: the program ends as alone.
set -eu
echo 'int turns(int count, volatile int *sum) { for (int i = 0; i < count; i++) *sum += *sum * i; return *sum; }' |
	gcc -O1 -shared -fPIC -x c - -o 0.so
for i in {1..150}; do
	cp 0.so "$i.so"
done
"$BUILD/bin/collect" -p hi -O said -o test.er "$BUILD/tests/programs/stale_returns" 1 turns ./*.so >out 2>err || { cat said err; exit 1; }
diff out - <<'END'
loaded it often
END
# Its ticks are charged to the code that it was in.
"$BUILD/bin/er_print" -functions test.er | grep -E ' spin$'
