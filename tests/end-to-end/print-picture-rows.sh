#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Requirements of reference/visual.md that no other test of pictures has, by their numbers, and that each of the 46 has a test.
. "$TESTS/end-to-end/pictures.bash"
collect=$BUILD/bin/collect

# Row 4: a picture's frames are the stacks again, with their exclusive values.
printf 'main 2000\nmain;foo1 1500\nmain;foo1;bar 2500\nmain;foo2 500\nmain;foo2;bar 2500\n' >E.folded
draw e.svg -import E.folded
/usr/bin/python3 - "$TESTS/tools" >folded <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
import picture_frames
path, own = [], {}
for frame in sorted(picture_frames.read("e.svg")[0], key=lambda frame: (frame.x, frame.depth)):
    value = int(frame.said.split(",  ")[0].split(", ")[0].replace(",", ""))
    del path[frame.depth:]
    if path:
        own[tuple(path)] -= value
    path.append(frame.name)
    own[tuple(path)] = value
for names, value in own.items():
    if len(names) > 1:
        print(";".join(names[1:]), value)
PY
diff <(sort folded) <(sort E.folded)
# Row 8: siblings stand in alphabetical order, equal neighbours are one frame, and the order of the lines is nothing.
printf 'main 5\nmain1;x 3\nmain;y 2\n' >siblings.folded
draw s.svg -import siblings.folded
shows s.svg '0 10.0 1180.0 <Total> (10, 100.00%)' '1 10.0 826.0 main (7, 70.00%)' '2 10.0 236.0 y (2, 20.00%)' '1 836.0 354.0 main1 (3, 30.00%)' '2 836.0 354.0 x (3, 30.00%)'
mkdir other
tac siblings.folded >other/siblings.folded
(cd other && "$er_print" -import siblings.folded -flamegraph ../t.svg 2>/dev/null)
cmp s.svg t.svg
# Rows 9 and 17: the wider, the more often on stacks; folded stacks may begin with the program.
printf 'java;start_thread;func_a;func_b;func_c 1\njava;start_thread;func_a;func_d 2\n' >thirds.folded
draw t.svg -import thirds.folded
shows t.svg '0 10.0 1180.0 <Total> (3, 100.00%)' '1 10.0 1180.0 java (3, 100.00%)' '2 10.0 1180.0 start_thread (3, 100.00%)' '3 10.0 1180.0 func_a (3, 100.00%)' \
	'4 10.0 393.3 func_b (1, 33.33%)' '5 10.0 393.3 func_c (1, 33.33%)' '4 403.3 786.7 func_d (2, 66.67%)'
"$er_print" -import thirds.folded -folded - 2>/dev/null | diff - thirds.folded
# Row 10: a name that fits is whole, a longer one ends with an ellipsis, and fewer than three characters are left out: of 11 pixels each
# has 6.62, and 6 are between it and the edges. 60 pixels have room for 8, 23 for 2.
printf 'aaaaaaaaaaaaaaaaaaaa 1097\nbbbbbbbbbbbb 60\ncccc 23\n' >fit.folded
draw f.svg -import fit.folded
[ "$(sed -n 's/^<text x="[0-9.]*" y="[0-9]*">\([abc].*\)<\/text>$/\1/p' f.svg | xargs)" = 'aaaaaaaaaaaaaaaaaaaa bbbbbbb…' ]
# Row 11: warm colours for no reason but the name, the same in each run.
for i in $(seq 40); do echo "main;name$i 1"; done >warm.folded
draw w.svg -import warm.folded
draw v.svg -import warm.folded
cmp w.svg v.svg
frames w.svg | grep -v '<Total>' | sed -n 's/.*rgb(\([0-9]*\),\([0-9]*\),\([0-9]*\)).*/\1 \2 \3/p' >colours
[ "$(wc -l <colours)" -eq 41 ] && [ "$(sort -u colours | wc -l)" -gt 30 ] || exit 1
awk '$1 < 200 || $2 > 235 || $3 > 60 { print "not warm:", $0; bad = 1 } END { exit bad }' colours
# Rows 29 and 30: the width is the time that a thread was blocked, on its own stack or on that of its waker.
printf 'app;work;sleep_short_[k] 300000\napp;work;sleep_long_[k] 700000\n' >off.folded
draw o.svg -import off.folded -picture 'palette=io:count=us'
frames o.svg | grep -qx '3 10.0 826.0 rgb([0-9,]*) sleep_long (700,000 us, 70.00%)'
frames o.svg | grep -qx '3 836.0 354.0 rgb([0-9,]*) sleep_short (300,000 us, 30.00%)'
printf 'waiter;holder;unlock_[w] 500000\n' >wakeup.folded
draw o.svg -import wakeup.folded -picture 'palette=wakeup:count=us:title=Wakeup'
frames o.svg | grep -qx '3 10.0 1180.0 rgb(50,165,165) unlock (500,000 us, 100.00%)' || frames o.svg | grep -q '^3 10.0 1180.0 rgb([0-9]*,[12][0-9]*,[12][0-9]*) unlock (500,000 us, 100.00%)$'
# Row 36: a stack that was cut, and a function without a name, have frames.
cat >deep.c <<'C'
#include <stdlib.h>
static void *volatile kept;
__attribute__((noinline)) static int deep(int n) { if (n) return deep(n - 1) + 1; kept = malloc(1000); return 0; }
int main(void) { return deep(100) != 100; }
C
gcc -O0 -g -fno-builtin -o deep deep.c
"$collect" -p off -H on -D 10 -O said -o deep.er ./deep
draw d.svg deep.er -sort i.heapallocbytes
frames d.svg | grep -qx '1 10.0 1180.0 rgb([0-9,]*) <Truncated-stack> (1,000 bytes, 100.00%)'
for object in app liby.so; do printf 'app 7/7 10.0: 60 cycles: \n\t1000 [unknown] (/bin/%s)\n\t2000 main+0x0 (/bin/app)\n\n' $object; done >unknown.txt
draw u.svg -import unknown.txt
frames u.svg | sed 's/rgb([0-9,]*) //' >unknown
grep -qx '2 10.0 590.0 \[unknown\] (<app>) (60 cycles, 50.00%)' unknown && grep -qx '2 600.0 590.0 \[unknown\] (<liby.so>) (60 cycles, 50.00%)' unknown || { cat unknown; exit 1; }

# Each number is in a comment of a test, "Row 4" or "rows 9 and 17", or begins what one of the browser checks: "37, 39: hide frames".
cat "$TESTS"/end-to-end/{print-picture,flamegraph,heap-views}*.sh "$TESTS"/tools/picture_*.py "$TESTS"/verify/pictures-*.sh |
	sed -nE 's/.*[Rr]ows? ([0-9][0-9, ]*((and|to) [0-9]+)?).*/\1/p; s/.*check\(f?"([0-9]+(, [0-9]+)*):.*/\1/p' |
	awk '{ gsub(/,|and/, " ") } / to / { for (i = $1; i <= $3; i++) print i; next } { for (i = 1; i <= NF; i++) print $i + 0 }' | sort -nu >numbers
diff <(seq 46) <(awk '$1 >= 1 && $1 <= 46' numbers) || { echo "numbers without a test are those that begin with <"; exit 1; }
