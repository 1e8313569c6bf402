#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Disks that fill up while the target runs, folders that become read-only, and no /proc at all: the program is what it is
# alone, and what could not be written is counted.
# measures CPU time of real runs
. "$TESTS/end-to-end/hostile.bash"
if [ -z "${IN_NAMESPACE:-}" ]; then
	[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || { echo "cannot mount: not root"; exit 77; }
	IN_NAMESPACE=1 exec unshare -m bash "$0"
fi
without_proc()
{
	unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}
runs proc without_proc -- fork 400
recorded proc

# Room for the beginning alone: a descendant makes its own, threads want blocks.
mkdir disk
mount -t tmpfs -o size=220k,mode=777 tmpfs disk || { echo "cannot mount a tmpfs"; exit 77; }
place=$PWD
cd disk
runs small -- fork 400
# The message about it needs room too.
cp -r small.er small.truth "$place"
cd "$place"
umount disk
recorded small 10 total
lost=$(counter small events_lost_disk)
grep -q 'not archived\|not recorded' small.er/log.xml || [ "$lost" -gt 0 ] || { echo "small: nothing is counted as lost"; exit 1; }

# The experiment's folder becomes read-only under the running target: a child finds no place, its parent goes on.
open_to_nobody
(
	until [ -s readonly.er/clock.events ]; do sleep 0.01; done
	chmod a-w readonly.er
) &
"$PROGRAMS/hostile" fork 40 plain.truth >plain || [ $? -eq 3 ]
status=0
as_nobody "$collect" -p hi -O said -o readonly.er "$PROGRAMS/hostile" fork 2000 readonly.truth >out || status=$?
wait
[ "$status" -eq 3 ] || { echo "read-only: status $status"; cat said; exit 1; }
diff plain out
recorded readonly 33 total
says readonly 'lineage="_f1" .*errno="13">not recorded' 'kind="close"'
