#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One function in several builds of a program is one row, as far as its name, source file and load object say which it is;
# functions that share a name and are not one are told apart wherever they are shown.
set -eu
er_print=$BUILD/bin/er_print
record() { "$BUILD/bin/collect" -p 1 -O collect.said -o "$@"; }
# names LIST...: the names of the functions with sums
names() { "$er_print" -builds "${builds:-together}" -metrics e.totalcpu -functions "$@" 2>/dev/null | sed -n 's/^ *[0-9.]\+ *//p'; }
row() { "$er_print" -metrics e.totalcpu -functions "${@:2}" 2>/dev/null | awk -v name="$1" '{t = $1; sub(/^ *[0-9.]+ */, "")} $0 == name {print t * 1000}'; }

cat >one.h <<'END'
__attribute__((noinline)) static void copied(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
END
cat >one.c <<'END'
static volatile unsigned long sink;
#include "one.h"
#ifdef SECOND
__attribute__((noinline)) static void added(void) { sink += 7; }
#endif
__attribute__((noinline)) static void spin_int(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) static void helper(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
void other(unsigned long n);
int main(void)
{
#ifdef SECOND
	added();
#endif
	spin_int(30000000);
	helper(30000000);
	copied(30000000);
	other(30000000);
	return sink == 1;
}
END
cat >two.c <<'END'
static volatile unsigned long sink;
#include "one.h"
__attribute__((noinline)) static void helper(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
void other(unsigned long n)
{
	helper(n);
	copied(n);
}
END
gcc -g -O1 one.c two.c -o prog
record a.er ./prog
gcc -g -O1 -DSECOND one.c two.c -o prog
record b.er ./prog

# Together: spin_int and main are one function each, and have the time of both. The two helpers are told apart by their files,
# the copies of the header's function by nothing but where they are; that name says of neither which of the other build it is.
names a.er b.er >together
for once in spin_int main 'helper (one.c:7)' 'helper (two.c:3)'; do
	[ "$(grep -cxF "$once" together)" -eq 1 ]
done
[ "$(grep -cE '^copied \((build [0-9a-f]{8}, )?0x[0-9a-f]+\)$' together)" -eq 4 ]
[ "$(grep -c '^copied' together)" -eq 4 ]
"$er_print" -objects a.er b.er | grep -qE ' <prog> \(.*/prog, 2 builds\)$'
[ "$(names a.er | grep -cE '^copied \(0x[0-9a-f]+\)$')" -eq 2 ]
# Apart: each build has its own.
builds=apart names a.er b.er >apart
[ "$(grep -cE '^spin_int \(build [0-9a-f]{8}\)$' apart)" -eq 2 ]
[ "$(grep -cE '^helper \((one.c:7|two.c:3), build [0-9a-f]{8}\)$' apart)" -eq 4 ]
[ "$("$er_print" -builds apart -objects a.er b.er | grep -cE ' <prog> \(.*/prog, build [0-9a-f]{8}\)$')" -eq 2 ]
sum=$(row spin_int a.er b.er)
difference=$((sum - $(row spin_int a.er) - $(row spin_int b.er))) # each is rounded to a millisecond
[ "$sum" -gt 2 ] && [ "${difference#-}" -le 1 ] || exit 1
# The disassembly has both, the choice says which is which, and takes a name as lists show it.
"$er_print" -disasm spin_int a.er b.er >listing
[ "$(grep -cE '<Function: spin_int \(build [0-9a-f]{8}\)>$' listing)" -eq 2 ]
"$er_print" -disasm spin_int a.er >listing
grep -q '<Function: spin_int>$' listing
"$er_print" -builds apart -csingle spin_int a.er b.er 2>err && exit 1
[ "$(grep -cE '^ +[12]\) spin_int <prog>:0x[0-9a-f]+ \(.*/one.c:6\) of .*/prog, build [0-9a-f]{8}$' err)" -eq 2 ]
"$er_print" -csingle 'helper (two.c:3)' a.er b.er | grep -q ' helper (two.c:3)$'
"$er_print" -builds sometimes a.er 2>err && exit 1
grep -q '^Error: Invalid argument to command: builds sometimes: it must be together or apart' err

# Without symbols an address is all that is known, and says nothing of another build.
gcc -O1 -s one.c two.c -o bare
record c.er ./bare
gcc -O1 -s -DSECOND one.c two.c -o bare
record d.er ./bare
names c.er d.er | grep '^<static>@' >static
[ "$(grep -cE '^<static>@0x[0-9a-f]+ \(<bare>\)( \(build [0-9a-f]{8}\))?$' static)" -eq "$(wc -l <static)" ]
[ "$(wc -l <static)" -eq "$(($(names c.er | grep -c '^<static>@') + $(names d.er | grep -c '^<static>@')))" ]

# Inlined in one build, with code of its own in the other: one function of a file and name.
cat >in.cc <<'END'
static volatile unsigned long sink;
namespace aa { static void work(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; } }
int main() { aa::work(30000000); }
END
g++ -g -O0 in.cc -o inlined
record e.er ./inlined
g++ -g -O2 in.cc -o inlined
record f.er ./inlined
[ "$(names e.er f.er | grep -cx 'aa::work(unsigned long)')" -eq 1 ]
[ "$(builds=apart names e.er f.er | grep -cE '^aa::work\(unsigned long\) \(build [0-9a-f]{8}\)$')" -eq 2 ]

# Two libraries of one name in one run are not builds of one.
mkdir left right
printf 'static volatile unsigned long sink;\nvoid work(void) { for (unsigned long i = 0; i < 30000000; i++) sink += i; }\n' >plug.c
gcc -g -O1 -shared -fPIC plug.c -o left/plug.so
gcc -g -O1 -shared -fPIC -Wl,--build-id=0x1234567890 plug.c -o right/plug.so
cat >load.c <<'END'
#include <dlfcn.h>
int main(void)
{
	for (int i = 0; i < 2; i++)
		((void (*)(void))dlsym(dlopen(i ? "./left/plug.so" : "./right/plug.so", RTLD_NOW), "work"))();
}
END
gcc load.c -o load
record g.er ./load
names g.er >both
[ "$(grep -cE '^work \(.*/(left|right)/plug.so\)$' both)" -eq 2 ]
[ "$(grep -c '^work' both)" -eq 2 ]
