#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pictures of call trees: their shapes, and each choice of the setting picture, by arithmetic on the seed's examples and by a second
# layout of random stacks.
. "$TESTS/end-to-end/pictures.bash"

# Rows 1, 2, 3, 5 and 7: widths are inclusive shares, children stand from their caller's left edge on, the root is below.
printf 'main 2000\nmain;foo1 1500\nmain;foo1;bar 2500\nmain;foo2 500\nmain;foo2;bar 2500\n' >E.folded
E=('0 10.0 1180.0 <Total> (9,000, 100.00%)' '1 10.0 1180.0 main (9,000, 100.00%)' '2 10.0 524.4 foo1 (4,000, 44.44%)'
	'3 10.0 327.8 bar (2,500, 27.78%)' '2 534.4 393.3 foo2 (3,000, 33.33%)' '3 534.4 327.8 bar (2,500, 27.78%)')
draw e.svg -import E.folded
shows e.svg "${E[@]}"
[ "$(y e.svg '&lt;Total&gt;') $(y e.svg main) $(y e.svg foo1) $(y e.svg bar)" = '100 84 68 52' ]
# Row 33: an icicle is the same with the root above. Leaf first, equal leaves are one frame.
command=icicle
draw i.svg -import E.folded
shows i.svg "${E[@]}"
[ "$(y i.svg '&lt;Total&gt;') $(y i.svg main) $(y i.svg foo1) $(y i.svg bar)" = '52 68 84 100' ]
[ "$(cat err)" = 'Icicle graph written to i.svg' ]
printf 'a;b;lock 60\na;c;lock 40\n' >lock.folded
draw l.svg -import lock.folded -tree bottom_up
shows l.svg '0 10.0 1180.0 <Total> (100, 100.00%)' '1 10.0 1180.0 lock (100, 100.00%)' '2 10.0 708.0 b (60, 60.00%)' '3 10.0 708.0 a (60, 60.00%)' \
	'2 718.0 472.0 c (40, 40.00%)' '3 718.0 472.0 a (40, 40.00%)'
command=flamegraph
# Row 34: around a function its callers stand above it, leaf first, and below it what it calls. Its own width is all, its share that of all.
# around FILE FUNCTION ARGUMENTS...: a picture around a function; rows are counted from the top.
around()
{
	local file=$1 function=$2
	shift 2
	"$er_print" "$@" -sandwich "$function" "$file" >out 2>err || { cat err; exit 1; }
	xmllint --noout "$file"
}
around s.svg bar -import E.folded
[ "$(cat err)" = 'Sandwich graph written to s.svg' ]
shows s.svg '0 10.0 590.0 main (2,500, 27.78%)' '0 600.0 590.0 main (2,500, 27.78%)' '1 10.0 590.0 foo1 (2,500, 27.78%)' '1 600.0 590.0 foo2 (2,500, 27.78%)' \
	'2 10.0 1180.0 bar (5,000, 55.56%)'
[ "$(y s.svg main) $(y s.svg foo1) $(y s.svg bar)" = '52 68 84' ]
[ "$(subtitle s.svg)" = "Folded Count 5,000 around bar, 55.56% of 9,000, E.folded, $version" ]
around s.svg foo1 -import E.folded -picture total=100000
shows s.svg '0 10.0 1180.0 main (4,000, 44.44%)' '1 10.0 1180.0 foo1 (4,000, 44.44%)' '2 10.0 737.5 bar (2,500, 27.78%)'
around s.svg main -import E.folded -tree depth=1
shows s.svg '0 10.0 1180.0 main (9,000, 100.00%)' '1 10.0 524.4 foo1 (4,000, 44.44%)' '1 534.4 393.3 foo2 (3,000, 33.33%)'
# Callees are below the outermost frame; joined, they are so for each.
printf 'm;f;f;x 10\nn;f 30\n' >twice.folded
around s.svg f -import twice.folded
shows s.svg '0 10.0 295.0 m (10, 25.00%)' '0 305.0 885.0 n (30, 75.00%)' '1 10.0 1180.0 f (40, 100.00%)' '2 10.0 295.0 f (10, 25.00%)' '3 10.0 295.0 x (10, 25.00%)'
around s.svg f -import twice.folded -picture recursion=joined
shows s.svg '0 10.0 295.0 m (10, 25.00%)' '0 305.0 885.0 n (30, 75.00%)' '1 10.0 1180.0 f (40, 100.00%)' '2 10.0 295.0 x (10, 25.00%)'
# One of two compared; both at once are refused.
printf 'a;b 10 40\na;c 30 10\n' >change.folded
around s.svg b -import change.folded -compare on -picture difference=after
shows s.svg '0 10.0 1180.0 a (40, 80.00%)' '1 10.0 1180.0 b (40, 80.00%)'
ends 1 'Error: sandwich draws no difference: say picture difference=before or after' -import change.folded -compare on -sandwich b no.svg
ends 1 "Error: No function with given name \`nosuch' found." -import E.folded -sandwich nosuch no.svg
ends 2 'Error: Command -sandwich needs an argument: function file.svg|file.html|- [n]' -import E.folded -sandwich bar
# The number of one follows where several have the name.
event() { printf 'app 1 10.0: %d cycles: \n\t1000 same+0x0 (/bin/%s)\n\t2000 main+0x0 (/bin/app)\n\n' "$@"; }
{ event 60 app; event 40 lib; } >same.txt
! "$er_print" -import same.txt -sandwich same no.svg 2>err || exit 1
grep -q "names 2 functions: add the number of one of them" err
"$er_print" -import same.txt -sandwich same s.svg 2 2>err
frames s.svg | grep -q '^1 10.0 1180.0 .* same .*(40 cycles, 40.00%)$'
printf 'app 1 10.0: %d %s: \n\t1000 %s+0x0 (/bin/app)\n\n' 60 cycles hot 30 instructions cool >hot.txt
ends 1 'Error: no picture of cycles around cool: it has none' -import hot.txt -sort e.cycles -sandwich cool no.svg
[ ! -e no.svg ]
"$er_print" -import E.folded -sandwich bar - >piped.svg 2>err
"$er_print" -import E.folded -sandwich bar s.svg 2>/dev/null
cmp s.svg piped.svg && [ ! -s err ]
# Standard output has the picture alone, whatever else is asked for.
"$er_print" -import E.folded -picture palette=warm -flamegraph - >piped.svg 2>err
cmp e.svg piped.svg
"$er_print" -import E.folded -icicle - >piped.svg 2>err
cmp i.svg piped.svg && [ ! -s err ]
[ ! -e - ]
ends 1 'Error: Unable to open file: /nosuch/x.svg (No such file or directory)' -import E.folded -icicle /nosuch/x.svg
ends 1 "Error: /dev/full: the picture cannot be written whole: No space left on device" -import E.folded -flamegraph /dev/full

# The subtitle: the metric with its total, all experiments, the filter, the version. Longer than the picture is wide, it is cut: 180 px have room for 27 characters.
[ "$(subtitle e.svg)" = "Folded Count 9,000, E.folded, $version" ]
draw two.svg -import E.folded -import lock.folded -filters 1
[ "$(subtitle two.svg)" = "Folded Count 9,100, E.folded, lock.folded, filter: 1, $version" ]
draw narrow.svg -import E.folded -picture width=200
[ "$(subtitle narrow.svg)" = 'Folded Count 9,000, E.fold…' ]

# Each choice.
draw w.svg -import E.folded -picture width=800
grep -q '<svg [^>]*viewBox="0 0 800 166" width="800" height="166"' w.svg
frames w.svg | grep -qx '2 10.0 346.7 rgb([0-9,]*) foo1 (4,000, 44.44%)'
# event PERIOD FUNCTION SECONDS: a sample with its time.
event() { printf 'app 1 1%d.0: %d cycles: \n\t1000 %s+0x0 (/bin/app)\n\n' "$3" "$1" "$2"; }
draw o.svg -import lock.folded -picture order=heaviest
shows o.svg '0 10.0 1180.0 <Total> (100, 100.00%)' '1 10.0 1180.0 a (100, 100.00%)' '2 10.0 708.0 b (60, 60.00%)' '3 10.0 708.0 lock (60, 60.00%)' \
	'2 718.0 472.0 c (40, 40.00%)' '3 718.0 472.0 lock (40, 40.00%)'
printf 'm;c 50\nm;b 30\nm;a 20\n' >order.folded
draw o.svg -import order.folded -picture order=heaviest
[ "$(frames o.svg | awk '$1 == 2 { printf "%s", $5 }')" = cba ]
# By time: in the order in which they were first met, whatever comes later, from the root or from the leaves.
printf 'm;c 50\nm;a;y 5\nm;b 30\nm;a;x 20\nm;c;z 1\n' >met.folded
draw o.svg -import met.folded -picture order=time
[ "$(frames o.svg | awk '{ printf "%s", $5 }')" = '<Total>mcabzyx' ]
draw o.svg -import met.folded -picture order=time -tree bottom_up
[ "$(frames o.svg | awk '$1 == 1 { printf "%s", $5 }')" = cybxz ]
{ event 9 late 3; event 1 early 1; event 5 middle 2; event 5 early 4; } >times.txt
draw o.svg -import times.txt -picture order=time
[ "$(frames o.svg | awk '$1 == 1 { print $5 }' | tr '\n' ' ')" = 'early middle late ' ]
ends 1 'Error: picture order=time: a page has no such order' -import met.folded -picture order=time -flamegraph no.html
ends 1 'Error: picture order=time: sandwich has no such order' -import met.folded -picture order=time -sandwich c no.svg
printf 'a;b 10 40\n' >change.folded
ends 1 'Error: picture order=time: the picture of a difference has no such order' -import change.folded -compare on -picture order=time -flamegraph no.svg
draw o.svg -import order.folded
[ "$(frames o.svg | awk '$1 == 2 { printf "%s", $5 }')" = abc ]
# Recursion: direct, and through another function. What the inner calls have belongs to the one frame.
printf 'm;a;a;b;a;c 10\nm;a;d 5\nm;b 3\n' >recursion.folded
draw r.svg -import recursion.folded -picture recursion=joined
shows r.svg '0 10.0 1180.0 <Total> (18, 100.00%)' '1 10.0 1180.0 m (18, 100.00%)' '2 10.0 983.3 a (15, 83.33%)' '3 10.0 655.6 c (10, 55.56%)' \
	'3 665.6 327.8 d (5, 27.78%)' '2 993.3 196.7 b (3, 16.67%)'
# Row 20: frames that are too thin are left out and counted; of several, one with their number is drawn.
printf 'a 999999\nb 100\nc 1\n' >thin.folded
draw t.svg -import thin.folded
shows t.svg '0 10.0 1180.0 <Total> (1,000,100, 100.00%)' '1 10.0 1179.9 a (999,999, 99.99%)' '1 1189.9 0.1 b (100, 0.01%)'
grep -q '>1 frame, 0.0001 %, not drawn: thinner than 0.1 px<' t.svg
printf 'm;a 90\nm;b 4\nm;c 3\nm;d 3\n' >thin.folded
draw t.svg -import thin.folded -picture least=5%
shows t.svg '0 10.0 1180.0 <Total> (100, 100.00%)' '1 10.0 1180.0 m (100, 100.00%)' '2 10.0 1062.0 a (90, 90.00%)' '2 1072.0 118.0 (3 thin frames) (10, 10.00%)'
draw t.svg -import thin.folded -picture least=47px
shows t.svg '0 10.0 1180.0 <Total> (100, 100.00%)' '1 10.0 1180.0 m (100, 100.00%)' '2 10.0 1062.0 a (90, 90.00%)' '2 1072.0 47.2 b (4, 4.00%)' \
	'2 1119.2 70.8 (2 thin frames) (6, 6.00%)'
draw t.svg -import thin.folded -tree threshold=5:depth=1
shows t.svg '0 10.0 1180.0 <Total> (100, 100.00%)' '1 10.0 1180.0 m (100, 100.00%)'
grep -q '>4 frames, 100.0000 %, not drawn: thinner than 59 px, or too deep<' t.svg
# No more than 20 000 frames: of 30 000 of growing sizes the thickest are drawn, and each of the others is counted.
awk 'BEGIN { for (i = 1; i <= 30000; i++) print "m;f" i, 1000 + i }' >many.folded
draw many.svg -import many.folded -picture least=0.0001px
[ "$(frames many.svg | wc -l)" -le 20000 ] && [ "$(frames many.svg | wc -l)" -gt 10000 ] || exit 1
hidden=$(sed -n 's/.*>\([0-9]*\) frames, [0-9.]* %, not drawn: thinner than .*/\1/p' many.svg)
frames many.svg | awk -v hidden="$hidden" '$5 ~ /^\(/ { sub(/^\(/, "", $5); thin += $5 } $5 ~ /^f/ { frames++ } END { exit hidden + thin + frames != 30000 }'
# A larger total, by which pictures can be compared; a smaller one changes nothing.
printf 'a 60\n' >sixty.folded
draw t.svg -import sixty.folded -picture total=200
shows t.svg '0 10.0 354.0 <Total> (60, 30.00%)' '1 10.0 354.0 a (60, 30.00%)'
draw t.svg -import sixty.folded -picture total=50
shows t.svg '0 10.0 1180.0 <Total> (60, 100.00%)' '1 10.0 1180.0 a (60, 100.00%)'
# Values in another unit. Percentages are of what was counted, not of what is shown.
draw t.svg -import sixty.folded -picture factor=0.1:count=kB
shows t.svg '0 10.0 1180.0 <Total> (6 kB, 100.00%)' '1 10.0 1180.0 a (6 kB, 100.00%)'
[ "$(subtitle t.svg)" = "Folded Count 6 kB, sixty.folded, $version" ]
draw t.svg -import E.folded -picture factor=1.5:count=ms
frames t.svg | grep -q ' bar (3,750 ms, 27.78%)$'
draw t.svg -import E.folded -picture factor=0.0015
frames t.svg | grep -q ' foo2 (4.5, 33.33%)$'
frames t.svg | grep -q ' bar (3.75, 27.78%)$'
# Larger names have higher rows, and fewer characters in them: 22 pixels are twice 11, rows of 31. 524.4 pixels have room for 39.
printf 'm;%060d 40\nm;b 50\n' 7 >long.folded
draw t.svg -import long.folded -picture text=22
grep -q '<svg [^>]*height="195"' t.svg
[ "$(y t.svg '&lt;Total&gt;') $(y t.svg m) $(y t.svg b)" = '114 83 52' ]
grep -q '<text x="13" y="22">0\{38\}…</text>' t.svg
grep -qx '#frames text { font-size: 22px; }' t.svg
is 'Picture: width=window:least=0.1px:text=22:total=200:factor=0.1:count=kB:order=name:recursion=apart:palette=warm:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on' \
	-import E.folded -picture text=22:total=200:factor=0.1:count=kB
# Row 18: without a script; with another title, in which anything may stand; without a setting, the command that was run.
draw s.svg -import E.folded -picture script=off
! grep -q '<script' s.svg || exit 1
shows s.svg "${E[@]}"
# title FILE
title() { sed -n 's/.*<text id="title"[^>]*>\([^<]*\)<.*/\1/p' "$1"; }
[ "$(title s.svg)" = 'Flame Graph: Folded stacks' ]
draw s.svg -import hot.txt -sort e.cycles
[ "$(title s.svg)" = 'cycles Flame Graph: app' ]
draw s.svg -import E.folded -picture 'script=off:title=a:width=3 <b> & c'
grep -q '<text id="title"[^>]*>a:width=3 &lt;b&gt; &amp; c<' s.svg

# Row 21: palettes. flamegraph.pl's colours are those that it prints for these names.
echo 'foo 1' >foo.folded
while read -r palette rgb; do
	draw p.svg -import foo.folded -picture "palette=$palette"
	[ "$(colour p.svg foo)" = "rgb($rgb)" ] || { echo "$palette: $(colour p.svg foo), not rgb($rgb)"; exit 1; }
done <<'TABLE'
hot 220,71,17
mem 0,205,65
io 98,98,207
red 217,74,74
green 68,217,68
blue 98,98,220
yellow 192,192,56
purple 210,98,210
aqua 68,182,182
orange 210,110,0
java 217,74,74
js 217,74,74
perl 217,74,74
chain 98,98,220
wakeup 68,182,182
TABLE
# hue FILE NAME: which of flamegraph.pl's hues a frame has, by the channels that are large.
hue()
{
	colour "$1" "$2" | tr -c '0-9\n' ' ' | awk '{ r = $1; g = $2; b = $3 }
		{ hue = (r == g && g == b) ? "grey" : (r >= 175 && g >= 175 && b < 80) ? "yellow" : (r >= 190 && b == 0) ? "orange" : r >= 200 ? "red" : (b >= 205 && g < 150) ? "blue" : (g >= 200 && b < 150) ? "green" : (g >= 165 && b >= 165) ? "aqua" : "?"; print hue }'
}
printf '%s 1\n' 'java/lang/String' 'Lorg/x' 'A:::b' 'std__v' 'std::vector' 'read_[k]' 'fast_[i]' 'Fib_[j]' 'wake_[w]' '/app/x.js' 'Builtin:Add' 'Perl_run' \
	'w;cond_wait;--;unlock;holder' 'x;-;y' >classes.folded
java=('java\/lang\/String green' 'Lorg\/x green' 'A:::b green' 'std__v red' 'std::vector yellow' 'read orange' 'fast aqua' 'Fib green' 'wake aqua')
js=('std::vector yellow' 'read orange' '\/app\/x.js green' 'Builtin:Add aqua' 'Fib aqua' 'std__v red')
perl=('Perl_run green' 'std::vector yellow' 'read orange' 'std__v red')
chain=('wake aqua' 'cond_wait blue' 'unlock aqua' 'holder aqua' '-- grey' '- grey' 'y blue')
hot=('wake aqua' 'unlock aqua' '-- grey')
for palette in java js perl chain hot; do
	draw p.svg -import classes.folded -picture "palette=$palette"
	declare -n rows=$palette
	for row in "${rows[@]}"; do
		[ "$(hue p.svg "${row% *}")" = "${row##* }" ] || { echo "$palette: ${row% *}: $(hue p.svg "${row% *}")"; exit 1; }
	done
done
# Row 31: the separator is grey, in its place among the rows. Annotations are not shown.
[ "$(colour p.svg --)" = 'rgb(160,160,160)' ] && [ "$(colour p.svg -)" = 'rgb(200,200,200)' ] || exit 1
[ "$(frames p.svg | awk '$5 ~ /^(w|cond_wait|--|unlock|holder)$/ { printf "%s %s,", $1, $5 }')" = '1 w,2 cond_wait,3 --,4 unlock,5 holder,' ]
! grep -q '_\[' p.svg || exit 1

# A name's shade is of its code points: that of U+00E9 in red, by the generator of drand48.
echo 'é 1' >accent.folded
draw p.svg -import accent.folded -picture palette=red
[ "$(colour p.svg é)" = "$(/usr/bin/python3 -c 'v = (((233 << 16 | 0x330E) * 0x5DEECE66D + 11) % 2**48) / 2**48; print("rgb(%d,%d,%d)" % (200 + int(55 * v), 50 + int(80 * v), 50 + int(80 * v)))')" ]

# Row 6: by exclusive values bar is the reddest (2500), then main, foo1, foo2: the less green, the more. By inclusive ones main is.
greens() { for name in bar main foo1 foo2; do echo "$(colour "$1" $name | cut -d, -f2) $name"; done | sort -n | awk '{ printf "%s ", $2 }'; }
draw p.svg -import E.folded -picture palette=exclusive
[ "$(greens p.svg)" = 'bar main foo1 foo2 ' ]
grep -q '<title>foo1 (4,000, 44.44%; exclusive Folded Count 1,500)<' p.svg
grep -q '>Colour: exclusive Folded Count, up to 2,500 in red<' p.svg
draw p.svg -import E.folded -picture palette=inclusive
[ "$(greens p.svg)" = 'main foo1 foo2 bar ' ]
# A name has one colour in every picture, and another name mostly another one.
for palette in warm name; do
	draw p.svg -import E.folded -picture "palette=$palette"
	bar=$(colour p.svg bar)
	draw p.svg -import order.folded -import E.folded -picture "palette=$palette"
	[ "$(colour p.svg bar)" = "$bar" ] && [ "$(frames p.svg | awk '{ print $4 }' | sort -u | wc -l)" -ge 7 ] || exit 1
done

# Rows 25 and 26: the width is cycles, the colour cycles per instruction: 60/30 = 2 red, 40/80 = 0.5 blue, 100/110 = 0.909 in all.
event() { printf 'app 1 10.0: %d %s: \n\t1000 %s+0x0 (/bin/%s)\n\t2000 main+0x0 (/bin/app)\n\n' "$@"; }
{ event 60 cycles hot app; event 40 cycles cool lib; event 30 instructions hot app; event 80 instructions cool lib; } >cpi.txt
draw c.svg -import cpi.txt -sort e.cycles -picture palette=exclusive:by=cpi
grep -q '<title>hot (60 cycles, 60.00%; exclusive Cycles Per Instruction 2.000)<' c.svg
grep -q '<title>cool (40 cycles, 40.00%; exclusive Cycles Per Instruction 0.500)<' c.svg
grep -q '>Colour: exclusive Cycles Per Instruction; grey is that of all, 0.909; red four times as much or more, blue a quarter or less<' c.svg
# reds NAME: red less blue.
reds() { colour c.svg "$1" | tr -c '0-9\n' ' ' | awk '{ print $1 - $3 }'; }
[ "$(reds hot)" -gt 50 ] && [ "$(reds cool)" -lt -30 ] && [ "$(reds main)" -eq 0 ] || exit 1
draw c.svg -import cpi.txt -sort e.instructions -picture palette=exclusive:by=cpi:colours=safe
frames c.svg | grep -q '^2 10.0 858.2 .* cool '
draw c.svg -import cpi.txt -sort e.cycles -picture palette=object
[ "$(colour c.svg hot)" != "$(colour c.svg cool)" ]
ends 1 'Error: cpi is a ratio and has no sum to draw: choose another metric with sort' -import cpi.txt -metrics e.cpi -sort e.cpi -icicle no.svg
[ ! -e no.svg ]

# The setting in scripts and in .er.rc; a wrong word changes nothing.
mkdir home
printf 'picture palette=java:width=1600\n' >home/.er.rc
printf 'picture\npicture order=heaviest:title=T\npicture\npicture width=3\npicture colours=bright\npicture order=name:foo=1\npicture\npicture default\npicture\n' >script
HOME=$PWD/home ends 0 "Error: Invalid argument to command: picture width=3: it must be window or pixels, from 200 to 100000 (script, line 4)
Error: Invalid argument to command: picture colours=bright: it must be usual or safe (script, line 5)
Error: Invalid argument to command: picture foo=1: it must be default, or CHOICE=VALUE with one of the choices width, least, text, total, factor, count, order, recursion, each, experiments, weight, palette, by, colours, difference, change, script, title (script, line 6)" -import E.folded -script script
diff out - <<'SAID'
Picture: width=1600:least=0.1px:order=name:recursion=apart:palette=java:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on
Picture: width=1600:least=0.1px:order=heaviest:recursion=apart:palette=java:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on:title=T
Picture: width=1600:least=0.1px:order=heaviest:recursion=apart:palette=java:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on:title=T
Picture: width=1600:least=0.1px:order=heaviest:recursion=apart:palette=java:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on:title=T
Picture: width=window:least=0.1px:order=name:recursion=apart:palette=warm:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on
Picture: width=window:least=0.1px:order=name:recursion=apart:palette=warm:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on
SAID
# One picture for each thread or process (row 12): their totals add up to the whole, their names tell them apart.
sample() { printf 'app %d/%d 10.0: %d cycles: \n\t1000 %s+0x0 (/bin/app)\n\n' "$@"; }
{ sample 7 7 30 f; sample 7 8 20 g; sample 9 9 50 h; sample 7 7 5 g; } >threads.txt
mkdir each.d
ends 0 'Flame graph written to each.d/t-7-7.svg
Flame graph written to each.d/t-7-8.svg
Flame graph written to each.d/t-9-9.svg' -import threads.txt -picture each=thread -flamegraph each.d/t.svg
shows each.d/t-7-7.svg '0 10.0 1180.0 <Total> (35 cycles, 100.00%)' '1 10.0 1011.4 f (30 cycles, 85.71%)' '1 1021.4 168.6 g (5 cycles, 14.29%)'
[ "$(subtitle each.d/t-7-8.svg)" = "cycles 20, threads.txt, process 7, thread 8, $version" ]
ends 0 'Icicle graph written to each.d/p-7
Icicle graph written to each.d/p-9' -import threads.txt -filters 'THRID != 8' -picture each=process -icicle each.d/p
shows each.d/p-7 '0 10.0 1180.0 <Total> (35 cycles, 100.00%)' '1 10.0 1011.4 f (30 cycles, 85.71%)' '1 1021.4 168.6 g (5 cycles, 14.29%)'
[ "$(subtitle each.d/p-9)" = "cycles 50, threads.txt, process 9, filter: THRID != 8, $version" ]
# The filter is as before afterwards; a part without the function is said, and the others are drawn.
printf 'filters THRID != 8\npicture each=process\nsandwich h each.d/s.svg\nfilters\n' >each.script
ends 0 'Error: no picture of cycles around h: it has none (each.script, line 3)
Sandwich graph written to each.d/s-9.svg' -import threads.txt -script each.script
grep -q '^current filter setting: "THRID != 8"$' out
ends 1 'Picture: width=window:least=0.1px:each=rank:order=name:recursion=apart:palette=warm:by=drawn:colours=usual:difference=coloured:change=inclusive:script=on
Error: picture each=: several pictures cannot be written to one output' -import threads.txt -picture each=rank -flamegraph -
ends 1 'Error: no picture of cycles: its total is 0 in what was loaded' -import threads.txt -picture each=thread -filters 0 -flamegraph no.svg
# Two experiments of one process number are told apart by their own.
ends 0 'Flame graph written to each.d/f-e1.svg
Flame graph written to each.d/f-e2.svg' -import E.folded -import lock.folded -picture each=process -flamegraph each.d/f.svg
[ "$(subtitle each.d/f-e2.svg)" = "Folded Count 100, E.folded, lock.folded, experiment 2, lock.folded, $version" ]
# Row 43: the heaviest processes alone, half of two, with a filter and in parts; the filter is as before afterwards.
draw w.svg -import threads.txt -picture weight=50%
shows w.svg '0 10.0 1180.0 <Total> (55 cycles, 100.00%)' '1 10.0 643.6 f (30 cycles, 54.55%)' '1 653.6 536.4 g (25 cycles, 45.45%)'
[ "$(subtitle w.svg)" = "cycles 55, threads.txt, heaviest 1 of 2 processes, $version" ]
printf 'filters THRID != 8\npicture weight=1%%\nflamegraph w.svg\npicture each=thread\nflamegraph each.d/w.svg\nfilters\n' >weight.script
ends 0 'Flame graph written to w.svg
Flame graph written to each.d/w-9-9.svg' -import threads.txt -script weight.script
[ "$(subtitle w.svg)" = "cycles 50, threads.txt, heaviest 1 of 2 processes, filter: THRID != 8, $version" ]
[ "$(subtitle each.d/w-9-9.svg)" = "cycles 50, threads.txt, heaviest 1 of 2 processes, process 9, thread 9, filter: THRID != 8, $version" ]
grep -q '^current filter setting: "THRID != 8"$' out
ends 1 'Error: no picture of cycles: its total is 0 in what was loaded' -import threads.txt -picture weight=5% -filters 0 -flamegraph no.svg
# Row 44: the mean and the sum of several experiments; 9000 and 3000 are 6000 and 12000. A page lets the reader choose (flamegraph-page).
printf 'main;foo1;bar 3000\n' >three.folded
draw m.svg -import E.folded -import three.folded -picture experiments=mean
shows m.svg '0 10.0 1180.0 <Total> (6,000, 100.00%)' '1 10.0 1180.0 main (6,000, 100.00%)' '2 10.0 688.3 foo1 (3,500, 58.33%)' \
	'3 10.0 540.8 bar (2,750, 45.83%)' '2 698.3 295.0 foo2 (1,500, 25.00%)' '3 698.3 245.8 bar (1,250, 20.83%)'
[ "$(subtitle m.svg)" = "Folded Count 6,000, mean of 2 experiments, E.folded, three.folded, $version" ]
draw m.svg -import E.folded -import three.folded
[ "$(subtitle m.svg)" = "Folded Count 12,000, E.folded, three.folded, $version" ]
# Halves are shown; a total and colours are means, too; a group that is compared has a mean of its own, and its one experiment none.
printf 'main;foo1;bar 1\n' >one.folded
draw m.svg -import E.folded -import one.folded -picture experiments=mean:total=9001:palette=exclusive
shows m.svg '0 10.0 590.0 <Total> (4,500.5, 50.00%; exclusive Folded Count 0)' '1 10.0 590.0 main (4,500.5, 50.00%; exclusive Folded Count 1,000)' \
	'2 10.0 262.3 foo1 (2,000.5, 22.23%; exclusive Folded Count 750)' '3 10.0 163.9 bar (1,250.5, 13.89%; exclusive Folded Count 1,250.5)' \
	'2 272.3 196.6 foo2 (1,500, 16.66%; exclusive Folded Count 250)' '3 272.3 163.9 bar (1,250, 13.89%; exclusive Folded Count 1,250)'
draw m.svg -import E.folded -import three.folded -compare on -picture experiments=mean:difference=after
[ "$(subtitle m.svg)" = "Folded Count 3,000, after: three.folded, $version" ]
ends 1 'Error: picture experiments=mean: the picture of a difference has no mean' -import E.folded -import three.folded -compare on -picture experiments=mean -flamegraph no.svg
ends 1 'Error: picture experiments=mean: a flame chart has no mean' -import E.folded -import three.folded -picture experiments=mean -flamechart no.svg
ends 1 'Error: Invalid argument to command: picture experiments=both: it must be sum or mean' -import E.folded -picture experiments=both -functions
ends 0 'Flame graph written to each.d/r-no-rank.svg' -import E.folded -picture each=rank -flamegraph each.d/r.svg
ends 1 'Error: picture by=nosuch: there is no such metric; metric_list lists the metrics' -import E.folded -picture by=nosuch -flamegraph no.svg
ends 1 'Error: picture by=user: no data recorded for this metric; metric_list lists the metrics' -import E.folded -picture by=user -flamegraph no.svg
for word in text=5 text=65 text=x total=-1 total=0 total=1x factor=0 factor=inf count=1234567890123456789012345 least=0 least=x least=1em 'least=101%' order=random recursion=x script= palette= each=x weight=5 weight=0% weight=101% by= =x x default:x; do
	! "$er_print" -import E.folded -picture "$word" -functions >out 2>err && grep -q "^Error: Invalid argument to command: picture " err || { echo "$word"; exit 1; }
done

# Every shape and order of random stacks, by a second layout.
/usr/bin/python3 "$TESTS/tools/picture_random.py" "$er_print" 1 100
