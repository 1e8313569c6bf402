#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Collect saves copies when the target has ended: load objects of all processes, sources by -A src and -A usedsrc, the perf map
# of a killed process; what is gone or replaced is a warning in the log; the log tells how the target ended and what it used.
set -u
collect="$BUILD/bin/collect -O messages"
fail()
{
	echo "$*"
	exit 1
}
copies_of() # EXPERIMENT BASENAME
{
	find "$1/archives" -name "$2_*"
}

cat >used.h <<'END'
static inline __attribute__((always_inline)) unsigned work(unsigned n)
{
	volatile unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += i;
	return sum;
}
END
cat >used.c <<'END'
#include "used.h"
int main(void)
{
	return work(400000000) == 1;
}
END
cat >unused.c <<'END'
void unused(void);
void unused(void)
{
}
END
gcc -g -O1 -o program used.c unused.c || exit 1
cp /bin/true second

# Load objects of the founder and of what it starts, whole and once.
$collect -A on -o on.er sh -c './second; ./second; ./program' || fail "-A on: $?"
for file in program second; do
	cmp $file "$(copies_of on.er $file)" || fail "$file is not archived"
done
[ "$(copies_of on.er program)" = "on.er/archives/program_$(readelf -n program | sed -n 's/.*Build ID: //p')" ] ||
	fail "named $(copies_of on.er program)"
[ "$(copies_of on.er libc.so.6 | wc -l)" -eq 1 ] || fail "libc: $(ls on.er/archives)"
[ -z "$(copies_of on.er libcollector.so)" ] || fail "the collector is archived"
[ -z "$(find on.er -name archives -mindepth 2)" ] || fail "a descendant has archives of its own"
[ -z "$(find on.er/archives -name '.copying*')" ] || fail "a copy was left unfinished"
[ -z "$(copies_of on.er used.c)" ] || fail "-A on copied sources"

$collect -A off -o off.er ./program
[ -z "$(copies_of off.er program)" ] || fail "-A off copied"

$collect -A src -o src.er ./program
for file in used.c used.h unused.c program; do
	cmp $file "$(copies_of src.er $file)" || fail "-A src: $file"
done
$collect -p hi -A usedsrc -o usedsrc.er ./program
for file in used.c used.h program; do
	cmp $file "$(copies_of usedsrc.er $file)" || fail "-A usedsrc: $file"
done
[ -z "$(copies_of usedsrc.er unused.c)" ] || fail "-A usedsrc copied what the data does not refer to"

# The copies serve when the originals are gone.
mkdir elsewhere && mv used.c used.h program elsewhere
"$BUILD/bin/er_print" -source main usedsrc.er >source || fail "er_print"
grep -q 'return work(400000000) == 1' source || fail "the archived source is not found: $(cat source)"
"$BUILD/bin/er_print" -disasm main usedsrc.er | grep -q 'work, instructions from source file' || fail "the archived program is not found"
mv elsewhere/* .

# Experiments share their copies by way of the user's cache; a file that was replaced has another one.
export XDG_CACHE_HOME=$PWD/cache
unset ER_TOOLS_CACHE
inode_of() # EXPERIMENT BASENAME
{
	stat -c %i "$(copies_of "$1" "$2")"
}
for name in one two; do
	$collect -o $name.er ./second
	cmp second "$(copies_of $name.er second)" || fail "$name: not archived"
done
[ "$(inode_of one.er second) $(inode_of one.er libc.so.6)" = "$(inode_of two.er second) $(inode_of two.er libc.so.6)" ] ||
	fail "two copies: $(ls -li one.er/archives two.er/archives cache/er-tools/objects)"
[ "$(inode_of one.er second)" != "$(stat -c %i second)" ] || fail "a link to the program itself"
[ "$(stat -c %a cache cache/er-tools cache/er-tools/objects | xargs)" = "700 700 700" ] || fail "others can write to the cache"
echo >>second # of the same build id
$collect -o grown.er ./second
cmp second "$(copies_of grown.er second)" || fail "a file that has grown is archived as it was"
[ "$(inode_of one.er libc.so.6)" = "$(inode_of grown.er libc.so.6)" ] || fail "libc was copied again"
ER_TOOLS_CACHE=0 $collect -o none.er ./second
[ "$(stat -c %h "$(copies_of none.er libc.so.6)")" = 1 ] || fail "a cache although there is to be none"
chmod 770 cache/er-tools
$collect -o open.er ./second
[ "$(stat -c %h "$(copies_of open.er libc.so.6)")" = 1 ] || fail "a cache that others can write to"
chmod 700 cache/er-tools
# libc alone is larger than the limit: it goes as soon as something is added.
cp program another
ER_TOOLS_CACHE=1 $collect -o limit.er ./another
[ "$(find cache/er-tools/objects -type f -printf '%s\n' | awk '{ sum += $1 } END { print (sum <= 1048576) }')" = 1 ] ||
	fail "too much is kept: $(ls -l cache/er-tools/objects)"
cmp another "$(copies_of limit.er another)" || fail "the copy went with the cache's"

# Gone, and replaced by another file.
cp program gone
$collect -o gone.er sh -c './gone; rm gone'
grep 'kind="cwarn".*not archived:.*/gone: ' gone.er/log.xml | grep -q 'No such file' || fail "no word of the deleted file"
cp program replaced
$collect -o replaced.er sh -c './replaced; rm replaced; cp /bin/ls replaced'
grep -q 'kind="cwarn".*not archived:.*/replaced was replaced' replaced.er/log.xml || fail "no word of the replaced file"
[ -z "$(copies_of replaced.er replaced)" ] || fail "another program was archived"

# A killed process cannot save its own map of generated code.
$collect -o killed.er sh -c 'echo "7f0000001000 100 generated" >/tmp/perf-$$.map; echo $$ >pid; kill -9 $$'
[ $? -eq 137 ] || fail "kill -9"
rm -f "/tmp/perf-$(cat pid).map"
[ "$(cat killed.er/perf.map)" = "7f0000001000 100 generated" ] || fail "the perf map is lost"

# The close event, with the kernel's account of the run.
grep -q '<event kind="close" [^>]*signal="9"' killed.er/log.xml || fail "signal"
$collect -A off -o status.er sh -c './program; exit 3'
[ $? -eq 3 ] || fail "status"
grep -q '<event kind="close" [^>]*status="3"' status.er/log.xml || fail "status in the log"
/usr/bin/python3 - "$BUILD/bin/collect" <<'END' || fail "rusage in the log"
import os, re, resource, subprocess, sys
before = resource.getrusage(resource.RUSAGE_CHILDREN)
subprocess.run([sys.argv[1], "-A", "off", "-O", "messages", "-o", "rusage.er", "./program"], check=True)
after = resource.getrusage(resource.RUSAGE_CHILDREN)
ours = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
line = [l for l in open("rusage.er/log.xml") if 'kind="close"' in l][0]
logged = (int(re.search('user="(\\d+)"', line)[1]) + int(re.search('system="(\\d+)"', line)[1])) / 1e9
# The rest is collect's own time.
assert ours - 0.1 < logged <= ours + 0.001, (ours, logged)
assert int(re.search('maxrss="(\\d+)"', line)[1]) >= 1 << 20, line
END
