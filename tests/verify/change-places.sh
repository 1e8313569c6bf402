#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# "Where would I change it?" of the README is true: in copies of the tree a metric, a command, an option, a function that allocates
# and a processor are added in the places that its table names and in no other, and what comes out is held against the target's
# own account.
# limit: 600
set -eu
root=$(cd "$TESTS/.." && pwd)
sources()
{
	(cd "$root" && tests/house/sources .)
}
fail()
{
	echo "$*"
	exit 1
}
mkdir copy
(cd "$root" && tar -cf - $(sources)) | tar -xf - -C copy
# The objects are taken along: make builds the changes alone. The copy's folder is the sources' in no object.
mkdir copy/build && cp -a "$BUILD"/{bin,lib,obj,pic,compiler,objects} copy/build

# before FILE REGEX: puts what comes on standard input before the first line that matches.
before()
{
	cat >rows
	awk -v before="$2" '!done && $0 ~ before {while ((getline row <"rows") > 0) print row; done = 1} {print}' "copy/$1" >changed
	cmp -s "copy/$1" changed && fail "$1: no line matches $2"
	mv changed "copy/$1"
}
build()
{
	make -C copy O=build ${CI:+CI=$CI} -j2 >built 2>&1 || { grep -E 'error|undefined' built; fail "$1 does not build"; }
}
# The table's row for a change names each place that was changed, its file or its folder; at most three.
row_names() # WHAT MOST
{
	local row file place count=0
	row=$(grep -F "| $1 |" "$root/README.md") || fail "the README has no row for $1"
	sources >known
	while read -r file; do
		place=$file
		while [[ $place == */* && $row != *"\`$place\`"* && $row != *"\`$place/\`"* ]]; do place=${place%/*}; done
		[[ $row == *"\`$place\`"* || $row == *"\`$place/\`"* ]] || fail "$1: $file was changed, and the README's row does not say so"
		count=$((count + 1))
	done < <(cd copy && find . -name build -prune -o -type f -print | sed 's,^\./,,' | while read -r file; do
		cmp -s "$file" "$root/$file" || echo "$file"
	done)
	[ $count -gt 0 ] && [ $count -le "$2" ] || fail "$1: $count places"
	echo "$1: $count places"
}
restore()
{
	while read -r file; do
		cmp -s "$root/$file" "copy/$file" || cp "$root/$file" "copy/$file"
	done < <(sources)
	rm -f copy/er_print/present/views/run/hosts_view.c
}

cat >target.c <<'C'
#include <fcntl.h>
#include <unistd.h>
void *grab(unsigned long size);
static char bytes[8192];
__attribute__((noinline)) static int put(int fd, int times, int size) { int n = 0; while (times--) n += write(fd, bytes, size) == size; return n; }
__attribute__((noinline)) static int take(int times) { int n = 0; while (times--) n += grab(100) != 0; return n; }
int main(void) { int fd = open("/dev/null", O_WRONLY); return put(fd, 7, 8192) + put(fd, 5, 10) + take(11) != 23; }
C
echo 'static char room[65536]; static unsigned long used; void *grab(unsigned long size) { used += size; return room + used - size; }' >grab.c
gcc -shared -fPIC -o libgrab.so grab.c
gcc -O1 -g -o target target.c -L. -lgrab -Wl,-rpath,"$PWD"

before er_print/aggregate/metrics.def '^#undef METRIC' <<'ROW'
METRIC(largeiocnt, IO, VALUE(IO, bytes) >= 4096, COUNT, "Large I/O Calls", "")
ROW
build "a metric"
copy/build/bin/collect -p off -i on -O said -o io.er ./target
[ "$(copy/build/bin/er_print -metrics i+largeiocnt:name -printmode ';' -functions io.er | "$TESTS/tools/rows" -n put | tr '\t' ' ')" = "7 put" ] ||
	fail "a metric: $(copy/build/bin/er_print -metrics i+largeiocnt:name -functions io.er)"
row_names "a metric" 1
restore

before er_print/present/commands.def '^COMMAND\(add_exp' <<'ROW'
COMMAND(hosts, "hosts", 0, NONE, "", ANYWHERE, "list the hosts that were recorded")
ROW
cat >copy/er_print/present/views/run/hosts_view.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host of each experiment. */
#include "command_functions.h"
#include "plain_text.h"

bool command_hosts(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		print_between(session->out, "", session->data->experiments[e].file->system.host, "\n");
	return true;
}
C
build "a command"
[ "$(copy/build/bin/er_print -hosts io.er)" = "$(uname -n)" ] || fail "a command: $(copy/build/bin/er_print -hosts io.er)"
copy/build/bin/er_print -help | grep -q '^  hosts  *list the hosts' || fail "a command: help"
row_names "a command of \`er_print\`" 2
restore

before experiment-format/settings.def '^TEXT\(founder' <<'ROW'
NUMBER(end_sample, 1, "1: a sample is taken at the end")
CHOICE(end_sample, 0, off, "")
CHOICE(end_sample, 1, on, "")
ROW
before collect/options/options.def '^#undef CHOOSES' <<'ROW'
CHOOSES('e', "off|on", end_sample, "take a sample at the end; default on")
ROW
sed -i 's/^\tsample_take("end");$/\tif (collector.settings.end_sample)\n\t&/' copy/libcollector/target/control/lifetime.c
build "an option"
for value in on off; do
	copy/build/bin/collect -p off -e $value -O said -o $value.er ./target
done
samples=$(grep -c 'kind="sample".*label="end"' on.er/log.xml)/$(grep -c 'kind="sample".*label="end"' off.er/log.xml || true)
[ "$samples" = 1/0 ] || fail "an option: $samples samples at the end; $(grep 'kind="sample"' on.er/log.xml)"
copy/build/bin/collect -e maybe ./target 2>&1 | grep -q 'off' || fail "an option: a bad value"
row_names "an option of \`collect\`" 3
restore

before libcollector/kinds/heap/extended.c '^INTERPOSE void \*mallocx' <<'C'
void *grab(size_t size);
INTERPOSE void *grab(size_t size)
{
	__typeof__(&grab) real = HEAP_REAL(grab);
	heap_begin(0);
	return recorded(HEAP(malloc), FRAME, real ? real(size) : plain(size, 0), size);
}

C
build "a function that allocates"
copy/build/bin/collect -p off -H on -O said -o heap.er ./target
[ "$(copy/build/bin/er_print -metrics i+heapalloccnt:i+heapallocbytes:name -printmode ';' -functions heap.er | "$TESTS/tools/rows" -n take | tr '\t' ' ')" = "11 1100 take" ] ||
	fail "a function that allocates: $(copy/build/bin/er_print -metrics i+heapalloccnt:i+heapallocbytes:name -functions heap.er)"
row_names "a function that allocates" 1
restore

# A processor: what the table names is all that arm64 has of its own, but for what the row calls optional; without it make says so in
# one line, with it the collector builds.
command -v aarch64-linux-gnu-gcc >/dev/null || { echo "no aarch64-linux-gnu-gcc: no processor was tried"; exit 77; }
row=$(grep -F '| a processor |' "$root/README.md")
named=$(cd "$root" && grep -lE '(__|EM_|machine_|architecture_|")(aarch64|AARCH64)' $(sources | grep -vE '^(tests/|Makefile)') | sed 's/aarch64/NAME/' | sort -u)
for file in $named; do
	[[ $row == *"\`$file\`"* ]] || fail "a processor: $file knows arm64, and the README's row does not say so"
done
mkdir away
mv copy/experiment-format/base/machine_aarch64.h away
make -C copy CROSS=aarch64-linux-gnu- O=arm SYSROOT=/nonexistent collector >said 2>&1 && fail "a processor: without its header it builds"
[ "$(grep -c . said)" -le 3 ] && grep -q 'does not know the processor aarch64' said || fail "a processor: $(cat said)"
mv away/machine_aarch64.h copy/experiment-format/base
make -C copy CROSS=aarch64-linux-gnu- O=arm SYSROOT=/nonexistent CI=1 -j2 collector >said 2>&1 || fail "a processor: $(grep error said)"
echo "a processor: 3 places"
