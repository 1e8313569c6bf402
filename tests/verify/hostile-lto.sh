#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# The collector built with link-time optimization, which orders code and constructors as it likes, gives the same totals.
set -eu
make -s -C "$TESTS/.." O="$PWD/lto" CFLAGS='-O2 -g -flto' collector >make.out 2>&1 || { tail -20 make.out; exit 1; }
readelf -SW lto/lib/libcollector.so | grep -q debug_info
exports()
{
	nm -D --defined-only "$1/lib/libcollector.so" | awk '{ print $NF }' | sort
}
diff <(exports "$BUILD") <(exports lto)
ln -s "$BUILD/bin/er_print" lto/bin/er_print
for name in clock-total clock-short life-ends follow-total objects-dlopen hostile-root hostile-confined; do
	mkdir "$name"
	status=0
	script=$TESTS/end-to-end/$name.sh
	[ -e "$script" ] || script=$TESTS/verify/$name.sh
	(cd "$name" && BUILD=$OLDPWD/lto bash "$script") >"$name.out" 2>&1 || status=$?
	tail -3 "$name.out"
	[ $status -eq 0 ] || [ $status -eq 77 ] || { cat "$name.out"; echo "$name: status $status"; exit 1; }
done
