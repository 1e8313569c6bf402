#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# .er.rc files: their order, what adds up and what overrides, what may stand in them; experiments that are loaded, dropped and
# opened in a session.
set -eu
mkdir home here own own/bin own/lib
cp "$BUILD/bin/er_print" own/bin/
er_print=$(pwd -P)/own/bin/er_print
export HOME=$PWD/home
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er sh -c "$PROGRAMS/figure_2_1 3e7; exit 0" >truth
cd here
exp=../test.1.er
first_line()
{
	"$er_print" "$@" -metrics default $exp 2>err | sed -n '1s/^Current metrics: //p'
}
expect()
{
	local shown
	shown=$(first_line)
	[ "$shown" = "$1" ] || { echo "expected $1, found $shown"; cat err; exit 1; }
}
expect 'e.%totalcpu:i.%totalcpu:name'
# Lines add up, and stand before the built-in ones; a metric's first place holds; "!" hides.
echo 'dmetrics i.user' >../own/lib/er.rc
expect 'i.user:e.%totalcpu:i.%totalcpu:name'
printf 'dmetrics e%%system\ndmetrics e+user\n' >../home/.er.rc
expect 'e%system:e.user:i.user:e.%totalcpu:i.%totalcpu:name'
printf '# mine\ndmetrics i!totalcpu:e.nosuch:name:e.user\n' >.er.rc
[ "$(first_line | tr ':' '\n' | grep -v '!' | paste -sd:)" = 'name:e.user:e%system:i.user:e.%totalcpu' ]
"$er_print" -functions $exp 2>err >out
[ ! -s err ]
grep -qE '^ *Name +Excl' out
grep -q 'Incl. Total' out && { echo "a hidden metric is shown"; exit 1; }
# Sorting: the first that is shown, or has "!".
echo 'dsort e.nosuch:i.system:i.user' >../home/.er.rc
printf 'dmetrics e.user:i.user\n' >.er.rc
"$er_print" -functions $exp | grep -qx 'Functions sorted by metric: Inclusive User CPU Time'
printf 'dmetrics e.user:i.user\ndsort i!system\n' >.er.rc
"$er_print" -functions $exp | grep -qx 'Functions sorted by metric: Inclusive System CPU Time'
# Later files override; nothing is repeated; the command line overrides all.
printf 'limit 2\nviewmode expert\nname mangled\nsthresh 20\nscc all\ntabs functions\ntldata cl\n' >../home/.er.rc
printf 'limit 3\n' >.er.rc
"$er_print" -functions $exp >out 2>err
[ ! -s err ] && [ "$(sed -n '/<Total>/,$p' out | wc -l)" -eq 3 ] || exit 1
printf 'viewmode\nname\nlimit\nsthresh\n' >script
"$er_print" -script script $exp >out
printf 'Viewmode: expert\nName format: mangled:nosoname\nPrint limit: 3\nsthresh: 20%%\n' | diff - out
"$er_print" -limit 4 -functions $exp 2>/dev/null | sed -n '/<Total>/,$p' | wc -l | grep -qx 4
# Load objects, index objects, paths.
printf 'object_hide libc.so.6,nosuch.so\nindxobj_define MINE THRID*2\naddpath /x:/y\npathmap /a /b\n' >.er.rc
rm ../home/.er.rc
printf 'object_list\nindxobj_list\nsetpath\npathmap\nobject_show all\nobject_list\nobjects_default\nobject_list\n' >script
"$er_print" -script script $exp >out 2>err
[ ! -s err ]
[ "$(grep -c '^hide     <libc' out)" -eq 2 ] && [ "$(grep -c '^show     <libc' out)" -eq 1 ] || exit 1
grep -qx '  MINE             THRID\*2' out
grep -qx '	/y' out
"$er_print" -MINE $exp 2>err | grep -qE '^[0-9. ]* 2$' && [ ! -s err ] || exit 1
grep -qx '	/a -> /b' out
# Descendants: by lineage, by the program's name, none.
processes()
{
	echo "en_desc $1" >.er.rc
	"$er_print" -experiment_list $exp | grep -c '\.er'
}
[ "$(processes on)" -ge 2 ]
[ "$(processes off)" -eq 1 ]
[ "$(processes '=figure_2_1')" -eq 2 ]
[ "$(processes '=figure')" -eq 1 ]
[ "$(processes '=_f1.*')" -ge 2 ]
[ "$(processes '=f1')" -eq 1 ]
# Bad lines are said with their place, and the others hold.
printf 'functions\nnosuch\nlimit x\nen_desc maybe\nlimit 2\nquit\n' >.er.rc
"$er_print" -functions $exp >out 2>err
cat >expected <<'END'
Error: this command does not stand in .er.rc (.er.rc, line 1)
Error: Invalid command: nosuch (.er.rc, line 2)
Error: Invalid argument to command: limit x: it must be a number, 0 for all rows (.er.rc, line 3)
Error: en_desc maybe: it must be on, off or =regex (.er.rc, line 4)
Error: this command does not stand in .er.rc (.er.rc, line 6)
END
diff expected err
[ "$(sed -n '/<Total>/,$p' out | wc -l)" -eq 2 ]
rm .er.rc ../own/lib/er.rc
# A file that somebody else could have written is left out, which one line says; a link to a good file is good.
left_out()
{
	timeout 10 "$er_print" -functions $exp >out 2>err
	[ "$(cat err)" = "Warning: .er.rc is left out: $1" ] || { cat err; exit 1; }
	[ "$(sed -n '/<Total>/,$p' out | wc -l)" -gt 2 ]
}
mkfifo .er.rc
left_out 'it is not a regular file'
rm .er.rc
mkdir .er.rc
left_out 'it is not a regular file'
rmdir .er.rc
echo 'limit 2' >.er.rc
for mode in 664 646; do
	chmod $mode .er.rc
	left_out 'others may write it (chmod go-w makes it good)'
done
chmod 600 .er.rc
if [ "$(id -u)" -eq 0 ]; then
	chown 12345 .er.rc
	left_out 'it belongs to another user'
	chown 0 .er.rc
fi
mv .er.rc good.rc
ln -s good.rc .er.rc
"$er_print" -functions $exp >out 2>err
[ ! -s err ] && [ "$(sed -n '/<Total>/,$p' out | wc -l)" -eq 2 ] || exit 1
rm .er.rc
# One file that is home's and the working directory's is read once; the experiment's own is not read.
printf 'dmetrics e.user:i.user\n' >../home/.er.rc
echo 'limit 1' >$exp/.er.rc
(cd ../home && "$er_print" -metrics default ../test.1.er >../once)
sed -n 1p ../once | grep -qxF 'Current metrics: e.user:i.user:e.%totalcpu:i.%totalcpu:name'
"$er_print" -functions $exp | sed -n '/<Total>/,$p' | wc -l | grep -qvx 1
rm ../home/.er.rc
# rc words, and those of the session alone, are refused on the command line.
for word in dmetrics add_exp open_exp drop_exp; do
	status=0
	"$er_print" -$word x $exp >out 2>err || status=$?
	[ $status -eq 2 ] && grep -qx "Error: command -$word can not appear on the command line" err || exit 1
done
printf 'dmetrics e.user\n' >script
"$er_print" -script script $exp 2>&1 | grep -qx 'Error: The command dmetrics stands in .er.rc only (script, line 1)'

# Two experiments, one at a time and together.
"$BUILD/bin/collect" -p hi -O collect.said -o test.2.er "$PROGRAMS/figure_2_1" 5e7 >truth
"$er_print" -functions $exp >one
"$er_print" -functions test.2.er >two
"$er_print" -functions $exp test.2.er >both
list()
{
	sed -n '/^Functions sorted/,$p' "$1"
}
printf 'add_exp test.2.er\nfunctions\n' >script
"$er_print" -script script $exp | diff both -
printf 'filters THRID>0\nthread_select 1:1\nadd_exp test.2.er\ndrop_exp %s\nfilters ""\nfunctions\n' "$exp/" >script
"$er_print" -script script $exp | sed -n '/^Functions sorted/,$p' | diff two -
printf 'csingle C\nopen_exp test.2.er\nfunctions\nopen_exp %s\nfunctions\n' $exp >script
"$er_print" -script script $exp | sed -n '/^Functions sorted/,$p' | diff <(cat two && echo && cat one) -
printf 'open_exp nosuch.er\nadd_exp nosuch.er\ndrop_exp nosuch.er\nadd_exp %s\nfunctions\n' $exp >script
"$er_print" -script script $exp 2>err | diff one -
[ "$(grep -c '^Error: ' err)" -eq 4 ]
printf 'drop_exp %s\nfunctions\ncrmlast\nadd_exp test.2.er\nfunctions\n' $exp >script
"$er_print" -script script $exp 2>/dev/null | sed -n '/^Functions sorted/h;//!H;$!d;x;p' | diff two -
