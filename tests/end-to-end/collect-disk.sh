#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Disks that are full or cannot be written: an experiment that cannot be begun is an error and leaves nothing; one whose disk
# fills up never changes what the target does.
set -u
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
if [ -z "${IN_NAMESPACE:-}" ]; then
	[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || { echo "cannot mount: not root"; exit 77; }
	IN_NAMESPACE=1 exec unshare -m bash "$0"
fi
mkdir disk
mount -t tmpfs -o size=16k,mode=777 tmpfs disk || { echo "cannot mount a tmpfs"; exit 77; }
dd if=/dev/zero of=disk/filler bs=4096 2>/dev/null
"$collect" -d disk touch ran >out 2>err
[ $? -eq 1 ] || fail "full disk: status"
grep -q '^collect: Cannot .*: No space left on device' err || fail "full disk: $(cat err)"
[ ! -e ran ] && [ ! -s out ] && [ "$(ls disk)" = filler ] || fail "full disk: $(ls disk)"
umount disk

# Room for the beginning, not for the copies.
mount -t tmpfs -o size=1m,mode=777 tmpfs disk
"$collect" -d disk -o a.er sh -c 'echo out; exit 6' >out 2>err
[ $? -eq 6 ] && [ "$(cat out)" = out ] && [ "$(wc -l <err)" -eq 1 ] || fail "small disk: $(cat out err)"
grep -q 'kind="cwarn".*not archived:.*No space left' disk/a.er/log.xml || fail "small disk: no warning"
grep -q 'kind="close".*status="6"' disk/a.er/log.xml || fail "small disk: no close event"
[ -z "$(find disk/a.er/archives -name '.copying*')" ] || fail "small disk: half a copy"
# It fills up while the target runs.
"$collect" -p hi -d disk -o b.er sh -c 'dd if=/dev/zero of=disk/filler bs=4096 2>/dev/null; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; exit 7' >out 2>err
[ $? -eq 7 ] && [ "$(cat out)" = "done" ] && [ "$(wc -l <err)" -eq 1 ] || fail "filled disk: $(cat out err)"
umount disk
# Each report says below itself that data was lost.
mount -t tmpfs -o size=1m,mode=777 tmpfs disk
"$collect" -p off -H on -A off -d disk -o c.er sh -c 'dd if=/dev/zero of=disk/filler bs=4096 2>/dev/null; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); set -- $i; done' >out 2>err
"$BUILD/bin/er_print" -functions disk/c.er >list 2>err
grep -qE '^Recorded [0-9.]+ of [0-9.]+ CPU seconds.*; events lost: [1-9][0-9]+ \(the disk was full or the size limit was reached\)$' list || fail "filled disk: $(cat list err)"
umount disk

mount -t tmpfs -o size=1m,ro tmpfs disk
"$collect" -d disk touch ran 2>err
[ $? -eq 1 ] && [ ! -e ran ] || fail "read-only: status"
grep -q 'Store directory disk is not writeable: Read-only file system' err || fail "read-only: $(cat err)"
umount disk

# A limit on file sizes is the target's business, and no signal of ours.
(
	ulimit -f 1
	"$collect" -O /dev/null -o limited.er sh -c 'echo out; exit 5' >out
)
status=$?
[ $status -eq 5 ] || [ $status -eq 1 ] || fail "file size limit: status $status"
exit 0
