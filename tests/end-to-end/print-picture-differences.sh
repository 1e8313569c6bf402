#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pictures of the difference of two groups: each way to draw it, by arithmetic, and random stacks by a second computation.
. "$TESTS/end-to-end/pictures.bash"

# Row 22, the example of the reference: widths are those after. flamegraph.pl's colours are of exclusive values.
printf 'a;b;c 10 40\na;d 30 10\na;e 20 20\n' >D.folded
none='exclusive: 0 before, 0.00%; 0 after, 0.00%; no change'
D=('0 10.0 1180.0 rgb(200,200,200) <Total> (60 before, 100.00%; 70 after, 100.00%; +10, +16.67%, within 2 standard errors'
	'1 10.0 1180.0 rgb(255,255,255) a (60 before, 100.00%; 70 after, 100.00%; +10, +16.67%, within 2 standard errors'
	'2 10.0 674.3 B b (10 before, 16.67%; 40 after, 57.14%; +30, +300.00%'
	'2 684.3 168.6 rgb(70,70,255) d (30 before, 50.00%; 10 after, 14.29%; -20, -66.67%'
	'2 852.9 337.1 rgb(255,255,255) e (20 before, 33.33%; 20 after, 28.57%; no change'
	'3 10.0 674.3 rgb(255,0,0) c (10 before, 16.67%; 40 after, 57.14%; +30, +300.00%')
draw d.svg -import D.folded -compare on
printf '%s)\n' "${D[@]}" | sed 's/ B / rgb(255,0,0) /' | diff - <(frames d.svg)
draw x.svg -import D.folded -compare delta -picture change=exclusive
for frame in "${D[@]}"; do
	case $frame in
	*' d '* | *' e '* | *' c '*) echo "$frame; exclusive: ${frame##*(})" ;;
	*) echo "$frame; $none)" ;;
	esac
done | sed 's/ B / rgb(255,255,255) /' | diff - <(frames x.svg)
grep -q '<text id="title"[^>]*>Differential Flame Graph: Folded stacks<' d.svg
[ "$(subtitle d.svg)" = "Folded Count 60 before, 70 after, +10, +16.67%, before: D.folded (before), after: D.folded (after), $version" ]
legend() { sed -n 's/.*<text id="legend"[^>]*>\([^<]*\)<.*/\1/p' "$1"; }
[ "$(legend x.svg)" = 'Width: after. Colour: exclusive change, red more, blue less, at most 30; white none, or within 2 standard errors' ]
# Colour is not alone in saying it.
for label in '+ c' '- d' e; do
	grep -q "<text x=[^>]*>$label</text>" d.svg
done
# Colours for all readers.
draw s.svg -import D.folded -compare on -picture colours=safe
[ "$(colour s.svg c) $(colour s.svg d) $(colour s.svg e)" = 'rgb(239,138,98) rgb(151,195,220) rgb(247,247,247)' ]

# Row 24: what is gone stands to the right, hatched.
printf 'x 60\ngone 40\n' >A.folded
printf 'x 60\n' >B.folded
draw g.svg -import A.folded -import B.folded -compare on
diff - <(frames g.svg) <<'FRAMES'
0 10.0 708.0 rgb(200,200,200) <Total> (100 before, 100.00%; 60 after, 100.00%; -40, -40.00%)
0 718.0 472.0 url(#missing) missing (40 before, 40.00%; missing after)
1 10.0 708.0 rgb(255,255,255) x (60 before, 60.00%; 60 after, 100.00%; no change)
1 718.0 472.0 url(#missing) gone (40 before, 40.00%; missing after)
FRAMES
grep -q '<pattern id="missing"' g.svg
[ "$(subtitle g.svg)" = "Folded Count 100 before, 60 after, -40, -40.00%, before: A.folded, after: B.folded, $version" ]
# Callers of what is gone, that go on to be there themselves; exclusive values that are gone while callees are not.
printf 'm;p;q 30\nm;p;r 20\nm 50\n' >callers.folded
printf 'm;p;r 20\n' >stay.folded
draw g.svg -import callers.folded -import stay.folded -compare on
frames g.svg | sed -E 's/ (rgb|url)\([^ ]*//' | diff - <(cat <<'FRAMES'
0 10.0 472.0 <Total> (100 before, 100.00%; 20 after, 100.00%; -80, -80.00%)
0 482.0 708.0 missing (30 before, 30.00%; missing after)
1 10.0 472.0 m (100 before, 100.00%; 20 after, 100.00%; -80, -80.00%)
1 482.0 708.0 m (30 before, 30.00%; missing after)
2 10.0 472.0 p (50 before, 50.00%; 20 after, 100.00%; -30, -60.00%)
2 482.0 708.0 p (30 before, 30.00%; missing after)
3 10.0 472.0 r (20 before, 20.00%; 20 after, 100.00%; no change)
3 482.0 708.0 q (30 before, 30.00%; missing after)
FRAMES
)
# Nothing is left: all is missing. Nothing was there: all is new.
printf 'y 40 0\n' >gone.folded
draw g.svg -import gone.folded -compare on
diff - <(frames g.svg) <<'FRAMES'
0 10.0 1180.0 url(#missing) missing (40 before, 100.00%; missing after)
1 10.0 1180.0 url(#missing) y (40 before, 100.00%; missing after)
FRAMES
printf 'n 9 0\nx 0 9\n' >new.folded
draw g.svg -import new.folded -compare on
frames g.svg | grep -qxF '1 10.0 590.0 rgb(255,0,0) x (0 before, 0.00%; 9 after, 100.00%; +9, new)'

# Row 45: the mean of both, and the change alone.
printf 'foo 3 6\nbar 6 6\n' >mean.folded
draw m.svg -import mean.folded -compare on -picture difference=mean
frames m.svg | grep -qx '1 684.3 505.7 rgb(255,255,255) foo (3 before, 33.33%; 6 after, 50.00%; +3, +100.00%, within 2 standard errors)'
draw n.svg -import D.folded -compare on -picture difference=mean:width=320
[ "$(legend n.svg)" = 'Width: mean of before and after. Colour: inc…' ]
[ "$(legend m.svg)" = 'Width: mean of before and after. Colour: inclusive change, red more, blue less, at most 3; white none, or within 2 standard errors' ]
draw c.svg -import D.folded -compare on -picture difference=change
shows c.svg '0 10.0 1180.0 <Total> (60 before, 100.00%; 70 after, 100.00%; +10, +16.67%, within 2 standard errors)' \
	'1 10.0 1180.0 a (60 before, 100.00%; 70 after, 100.00%; +10, +16.67%, within 2 standard errors)' \
	'2 10.0 708.0 b (10 before, 16.67%; 40 after, 57.14%; +30, +300.00%)' '3 10.0 708.0 c (10 before, 16.67%; 40 after, 57.14%; +30, +300.00%)' \
	'2 718.0 472.0 d (30 before, 50.00%; 10 after, 14.29%; -20, -66.67%)'
# Row 23: all three side by side, each as wide as a third of the picture less the gaps: (1180 - 2 * 12) / 3 = 385.3 pixels.
draw three.svg -import D.folded -compare on -picture difference=beside
third() { frames three.svg | sed -n "s/^\([0-9] [0-9.]* [0-9.]*\) [^ ]* $1 .*/\1/p" | tr '\n' ','; }
[ "$(third c)" = '3 10.0 64.2,3 407.3 220.2,3 804.7 231.2,' ]
[ "$(third d)" = '2 74.2 192.7,2 627.5 55.0,2 1035.9 154.1,' ]
[ "$(third e)" = '2 266.9 128.4,2 682.6 110.1,' ]
[ "$(grep -o '<text class="panel"[^>]*>[^<]*' three.svg | sed 's/.*>//' | tr '\n' ',')" = 'before 60,after 70,change +10,' ]
[ "$(legend three.svg)" = 'Width: share of each total. Colour: inclusive change, red more, blue less, at most 30; white none, or within 2 standard errors' ]
# Each group alone, in any palette, also as a page.
draw b.svg -import D.folded -compare on -picture difference=before:palette=red
shows b.svg '0 10.0 1180.0 <Total> (60, 100.00%)' '1 10.0 1180.0 a (60, 100.00%)' '2 10.0 196.7 b (10, 16.67%)' '3 10.0 196.7 c (10, 16.67%)' \
	'2 206.7 590.0 d (30, 50.00%)' '2 796.7 393.3 e (20, 33.33%)'
[ "$(subtitle b.svg)" = "Folded Count 60, before: D.folded (before), $version" ]
draw a.svg -import D.folded -compare on -picture difference=after
frames a.svg | grep -q '^3 10.0 674.3 rgb([0-9,]*) c (40, 57.14%)$'
"$er_print" -import D.folded -compare on -picture difference=after -icicle a.html 2>err
/usr/bin/python3 -c '
import base64, re, zlib
data = zlib.decompress(base64.b64decode(re.search(r"id=\"data\"[^>]*>([^<]*)<", open("a.html").read()).group(1)))
found = re.search(rb"\"metrics\":(\[[^]]*\])", data).group(1)
assert found == b"[{\"name\":\"folded\",\"title\":\"Folded Count\",\"kind\":\"\",\"word\":\"\",\"unit\":\"\"}]", found'

# Made equal: 70 after are multiplied by 6 / 7. Equal shares are no change, whatever rounding does.
draw n.svg -import D.folded -compare delta:by=folded
frames n.svg | grep -qxF '1 10.0 1180.0 rgb(255,255,255) a (60 before, 100.00%; 60 after, 100.00%; no change)'
frames n.svg | grep -qxF '2 10.0 674.3 rgb(255,0,0) b (10 before, 16.67%; 34 after, 57.14%; +24, +242.86%)'
[ "$(subtitle n.svg)" = "Folded Count 60 before, 60 after, before: D.folded (before), after: D.folded (after), after multiplied by 0.8571, $version" ]
awk 'BEGIN { for (i = 1; i <= 40; i++) print "m;f" i, i * 3, i * 7 }' >same.folded
draw n.svg -import same.folded -compare on:by=folded
[ "$(frames n.svg | grep -c 'no change)$')" = 42 ]

# Sums that are not scaled are exact: one of 40 billion is a change.
printf 'big 40000000000 40000000001\n' >big.folded
draw big.svg -import big.folded -compare on
frames big.svg | grep -q ' big (40,000,000,000 before, 100.00%; 40,000,000,001 after, 100.00%; +1, +0.00%, within 2 standard errors)$'

# Errors: nothing has changed, three groups.
printf 'a 1 1\nb 2 2\n' >alike.folded
ends 1 'Error: no picture of the change of Folded Count: nothing has changed' -import alike.folded -compare on -picture difference=change -flamegraph no.svg
draw alike.svg -import alike.folded -compare on -picture difference=beside
[ "$(frames alike.svg | grep -c 'no change)$')" = 6 ]
ends 1 'Error: icicle draws the difference of two experiments or groups, and 3 are compared: load two, or say compare off before it' \
	-import A.folded -import D.folded -compare on -icicle no.svg
[ ! -e no.svg ]

/usr/bin/python3 "$TESTS/tools/picture_random_differences.py" "$er_print" 1 40
