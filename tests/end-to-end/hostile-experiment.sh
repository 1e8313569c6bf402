#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An experiment that was made to lead er_print, or collect as root, to files of somebody else: nothing outside the experiment is
# read but load objects that match what was recorded and sources that this machine's own objects or the user's path name.
set -eu
er_print=$BUILD/bin/er_print
here=$(pwd -P)
# The working directory is in the user's path: not the one with the secret.
mkdir away
cd away
echo 'a secret line' >"$here/secret"
cat >../work.c <<C
static volatile unsigned long sink;
#line 1 "$here/secret"
__attribute__((noinline)) static void work(void) { for (unsigned long i = 0; i < 90000000; i++) sink += i; }
int main(void) { work(); return 0; }
C
cc -g -O1 -o ../work ../work.c
cp ../work kept-work
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$here/work"

# says_secret WHETHER ARGUMENTS...
says_secret()
{
	local expected=$1 found=no
	shift
	"$er_print" "$@" -source work -disasm work test.1.er >out 2>err || true
	grep -q 'a secret line' out && found=yes
	[ $found = "$expected" ] || { echo "er_print $*: secret shown: $found, expected $expected"; cat out err; exit 1; }
}
# This machine's program names the file; then only the experiment's copy does.
says_secret yes
rm ../work
says_secret no
grep -q 'not found: only lines with metrics are shown; if only the experiment names it' out
cc -g -O1 -DOTHER -Wl,--build-id=sha1 -x c -o ../work - <<<'int main(void) { return 0; }'
says_secret no
rm ../work
says_secret yes -addpath /
says_secret yes -pathmap "$here" "$here"
says_secret yes -setpath "$here"

# The program is said to lie in the experiment, as the forger wants it; and a link in the experiment leads out of it.
cp kept-work test.1.er/planted
cp -a test.1.er forged.er
sed -i "s,name=\"$here/work\",name=\"$here/away/forged.er/planted\",; s,chksum=\"[^\"]*\" name=\"$here/away/forged,chksum=\"\" name=\"$here/away/forged," forged.er/map.xml
rm -r forged.er/archives
mkdir forged.er/archives
"$er_print" -source work forged.er >out 2>err || true
grep -q work out
if grep -q 'a secret line' out; then echo "a planted program leads out of the experiment"; exit 1; fi
ln -s "$here/secret" test.1.er/secret
says_secret no
says_secret no -setpath '$expts'
rm test.1.er/secret
echo 'a secret line' >test.1.er/secret
says_secret yes -setpath '$expts'
rm test.1.er/secret

# Only these are opened: the experiment, er_print's own libraries and settings files, and what was recorded.
cp -a test.1.er traced.er
strace -f -e trace=open,openat,creat -o opened "$er_print" -functions -source work -header -calltree traced.er >out 2>err
sed -n 's/^.*open[a-z]*(\(AT_FDCWD, \)\?"\([^"]*\)", \([A-Z_|]*\).*= [0-9].*/\3 \2/p' opened >files
grep -q 'traced.er/log.xml' files
# The user's own cache of names is no file that an experiment leads to.
awk -v here="$here" -v cache="$XDG_CACHE_HOME" '$1 ~ /WRONLY|RDWR/ && $2 != "/dev/tty" {print; bad = 1}
	$2 ~ /^traced.er/ || index($2, here "/away/traced.er") == 1 {next}
	$2 ~ /^\/(usr\/)?lib|^\/etc\/|^\/usr\/share\/|\.er\.rc$|^\/proc\/|^\/sys\/|^\/dev\// {next}
	$1 ~ /O_DIRECTORY/ && $2 == cache {next}
	{print; bad = 1} END {exit bad}' files || { echo "opened outside the experiment"; exit 1; }

# A target that writes names into the experiment that collect closes: a copy is not more readable than its original.
cp kept-work ../secret.elf
chmod 600 ../secret ../secret.elf
cat >forger.sh <<S
for name in "$here/secret" "$here/secret.elf"; do
	echo '<event kind="map" tstamp="0.1" vaddr="0x10000" size="0x1000" foffset="0x0" faddr="0x0" generation="0" buildid="" chksum="" name="'"\$name"'"/>'
done >>"$here/away/closed.er/map.xml"
S
"$BUILD/bin/collect" -O collect.said -o closed.er sh forger.sh
grep -rq 'a secret line' closed.er/archives && { echo "a file that is no load object was copied"; exit 1; }
grep -q 'not archived: .*/secret is no ELF file' closed.er/log.xml
copy=$(find closed.er/archives -name 'secret.elf*')
[ -n "$copy" ] || { echo "the load object was not copied"; ls closed.er/archives; exit 1; }
[ "$(stat -c %a "$copy")" = 600 ] || { echo "the copy is more readable than its original"; ls -l "$copy"; exit 1; }
