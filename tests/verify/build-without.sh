#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A build without libpfm4 and OTF2 works and says what it lacks: make does, and the two commands that need them do.
# limit: 400
set -u
fail()
{
	echo "$*"
	exit 1
}
make -s -j2 -C "$TESTS/.." CI=1 O="$PWD/build" PFM= OTF2= all >said 2>&1 || { grep -E 'error|undefined' said; fail "it does not build"; }
grep -q 'collect is built without libpfm4' said && grep -q 'er_print is built without OTF2' said || fail "make does not say it: $(cat said)"
ldd build/bin/collect | grep -q libpfm && fail "collect is linked to libpfm all the same"
build/bin/collect -h page-faults,on -o faults.er awk 'BEGIN {for (i = 0; i < 300000; i++) a[i] = i}' >/dev/null || fail "a counter of the kernel is refused"
build/bin/er_print -metrics i+page-faults:name -functions faults.er >functions || fail "er_print: status $?"
awk '/<Total>/ {found = $1 > 1000} END {exit !found}' functions || fail "page faults: $(cat functions)"
build/bin/collect -h INST_RETIRED.ANY,on -o none.er true >said 2>&1 && fail "an event of a CPU was taken"
grep -q 'built without libpfm4' said || fail "collect says: $(cat said)"
build/bin/collect -h >said 2>&1 || fail "collect -h: status $?"
build/bin/er_print -otf2 out faults.er >said 2>&1 && fail "otf2 was taken"
grep -q 'built without the OTF2 library' said || fail "er_print says: $(cat said)"
