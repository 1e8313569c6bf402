#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sources and load objects that have moved are found by the search path and by mappings, in the documented order, and nothing
# is taken for a load object that is another one.
set -eu
er_print=$BUILD/bin/er_print
here=$(pwd -P)
mkdir -p old/src elsewhere/src deep/old/src flat other
cat >old/src/moved.c <<'C'
static volatile unsigned long sink;
__attribute__((noinline)) static void work(void)
{
	for (unsigned long i = 0; i < 60000000; i++)
		sink += i; /* the recorded source */
}
int main(void)
{
	work();
	return 0;
}
C
cc -g -O1 -Wl,--build-id -o old/moved "$here/old/src/moved.c"
"$BUILD/bin/collect" -A off -O collect.said -o test.1.er "$here/old/moved"
"$er_print" -functions -source work test.1.er >before
grep -q 'the recorded source' before
grep -qE ' work$' before
mv old/src/moved.c elsewhere/src/
mv old/moved elsewhere/

# With nothing to find them by: no function names, no source, but the program by its name.
"$er_print" -functions -objects test.1.er >lost
grep -qE ' work$' lost && { echo "found without a file"; exit 1; }
grep -qE '<moved> .*\*\*\* .*No such file' lost
# found ARGUMENTS...: function names and source are there again.
found()
{
	"$er_print" "$@" -functions -source work test.1.er >now || { echo "$*: failed"; cat now; exit 1; }
	grep -q 'the recorded source' now && grep -qE ' work$' now || { echo "$*: not found"; cat now; exit 1; }
}
found -setpath "$here/elsewhere:$here/elsewhere/src"
found -addpath elsewhere:elsewhere/src
found -setpath nosuch -addpath elsewhere
found -pathmap "$here/old" "$here/elsewhere"
found -pathmap "$here/old/" "$here/elsewhere/"
found -pathmap /nosuch /x -pathmap "$here/old" elsewhere
cp -r elsewhere test.1.er/moved-in
found -setpath '$expts/moved-in:$' -addpath elsewhere
rm -r test.1.er/moved-in
cp -r elsewhere/. test.1.er/
found -setpath '$expts'
found -setpath '$'
rm -r test.1.er/moved test.1.er/src
cp -r elsewhere 'a:b'
found -setpath 'a\:b'
# A prefix is whole folders.
"$er_print" -pathmap "$here/ol" "$here/elsewhere" -functions test.1.er | grep -qE ' work$' && exit 1
# The user's path comes before the recorded name, the default one after it.
mkdir -p old/src
sed 's/the recorded source/at the recorded place/' elsewhere/src/moved.c >old/src/moved.c
cp elsewhere/moved old/
sed 's/the recorded source/in the working folder/' elsewhere/src/moved.c >moved.c
"$er_print" -source work test.1.er | grep -q 'at the recorded place'
"$er_print" -setpath elsewhere -source work test.1.er | grep -q 'the recorded source'
rm old/src/moved.c
"$er_print" -source work test.1.er | grep -q 'in the working folder'
# Another program of the same name is refused by its build id, and said.
rm -f old/moved
sed 's/60000000/50000000/' elsewhere/src/moved.c >other/moved.c
cc -g -O1 -Wl,--build-id -o other/moved other/moved.c
"$er_print" -setpath other -functions -objects test.1.er >out
grep -qE ' work$' out && { echo "another program was taken"; exit 1; }
grep -q 'build-id differs' out
found -setpath other:elsewhere
# A later command finds what an earlier one has found, and settings are shown.
printf 'source work\nsetpath elsewhere\nsource work\nsetpath\naddpath a\\:b:c\nsetpath\npathmap /a /b\npathmap\npathmap x\n' >script
rm moved.c
"$er_print" -script script test.1.er >out 2>err
grep -q 'the recorded source' out
sed -n '/^search path/,$p' out >tail
printf 'search path:\n\telsewhere\nsearch path:\n\telsewhere\n\ta:b\n\tc\nPath mappings:\n\t/a -> /b\n' | diff - tail
grep -q '^Error: Invalid argument to command: pathmap: two prefixes' err
