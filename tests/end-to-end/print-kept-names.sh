#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names and lines of a large program are kept for the next er_print: the same reports, without reading its debug information again;
# nothing that is wrong with the cache is wrong with a report.
. "$TESTS/end-to-end/print.bash"
export XDG_CACHE_HOME=$PWD/cache
mkdir -m 700 cache
cat >large.cc <<'C'
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>
static double now()
{
	timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
namespace shop {
template <typename T> struct counter {
	std::map<T, long> all;
	__attribute__((noinline)) void add(const T &key) { all[key]++; }
};
static inline long mix(long x) { for (int i = 0; i < 50; i++) x = x * 31 + i; return x; }
__attribute__((noinline)) long sum(std::vector<long> &v)
{
	std::sort(v.begin(), v.end(), [](long a, long b) { return a > b; });
	long s = 0;
	for (long x : v) s += mix(x);
	return s;
}
}
int main()
{
	shop::counter<std::string> names;
	shop::counter<long> numbers;
	std::function<long(long)> own = [](long x) { return shop::mix(x) / 2; };
	long total = 0;
	for (double end = now() + 0.6; now() < end;) {
		std::vector<long> v;
		for (long i = 0; i < 500; i++) {
			v.push_back(own(i) % 1000);
			names.add(std::to_string(i));
			numbers.add(v.back());
		}
		total += shop::sum(v);
	}
	std::printf("%d\n", total == 1);
	return 0;
}
C
g++ -g -O1 -Wl,--build-id -o small large.cc
[ "$(stat -c %s small)" -lt 1000000 ]
head -c 5000000 /dev/zero >zeros
objcopy --add-section .zeros=zeros small large
"$BUILD/bin/collect" -p hi -O said -o test.1.er ./large >/dev/null
"$BUILD/bin/collect" -p hi -O said -o test.2.er ./large >/dev/null
"$BUILD/bin/collect" -p hi -O said -o small.1.er ./small >/dev/null
names=cache/er-tools/names
reports="-limit 0 -functions -calltree -lines -pcs -callers-callees -source shop::sum -disasm main -name short -functions -name mangled -functions
	-viewmode machine -calltree"

# The reports of an experiment in FILE: reports FILE EXPERIMENT [ARGUMENTS]...
reports()
{
	local file=$1 experiment=$2
	shift 2
	"$er_print" "$@" -outfile "$file" $reports "$experiment" >"$file.said" 2>&1 || { cat "$file.said"; exit 1; }
	[ -s "$file" ] && sed -i '/^Names are kept in: /d' "$file.said"
}
same()
{
	diff "$1" "$2" >difference && diff "$1.said" "$2.said" >difference || { head -c 2000 difference; exit 1; }
}

reports without test.1.er -keep_names off
grep -q 'shop::sum' without
grep -q 'lambda' without
[ ! -d "$names" ]
reports first test.1.er
build=$(readelf -n large | sed -n 's/.*Build ID: //p')
kept=$(cd $names && echo "$build".*)
[ -s "$names/$kept" ]
same without first
reports second test.1.er
same without second
# Another run of the program has other addresses too.
reports without2 test.2.er -keep_names off
reports first2 test.2.er
same without2 first2
reports second2 test.2.er
same without2 second2
reports again test.1.er
same without again

# A copy of the same build id, size and time, with its debug information overwritten, is another file: neither has names of the other.
at=$(readelf -SW large | sed -n 's/.*\.debug_info  *PROGBITS  *[0-9a-f]*  *\([0-9a-f]*\)  *\([0-9a-f]*\) .*/0x\1 0x\2/p')
overwrite()
{
	dd if=/dev/zero of="$1" bs=65536 seek=$((${at% *})) count=$((${at#* })) oflag=seek_bytes iflag=count_bytes conv=notrunc status=none
	touch -r large "$1"
}
cp -r test.1.er forged.1.er
copy=$(cd test.1.er/archives && echo large*)
touch -r large "test.1.er/archives/$copy"
overwrite "forged.1.er/archives/$copy"
all=$reports reports="-limit 0 -functions -calltree -lines -pcs"
reports whole test.1.er
reports forged_off forged.1.er -keep_names off
reports forged forged.1.er
reports forged_again forged.1.er
same forged_off forged
same forged_off forged_again
reports whole_again test.1.er
same whole whole_again
reports=$all
! diff forged whole >/dev/null || { echo "the debug information was not read at all"; exit 1; }
# The very file, overwritten behind the cache's back, is not read again: its names are the kept ones.
overwrite "test.1.er/archives/$copy"
"$er_print" -limit 0 -functions test.1.er >kept 2>/dev/null
"$er_print" -limit 0 -functions test.2.er >kept2 2>/dev/null
grep -q 'shop::mix' kept
cp large "test.1.er/archives/$copy.new"
cat "test.1.er/archives/$copy.new" >"test.1.er/archives/$copy"
rm "test.1.er/archives/$copy.new" $names/*
reports third test.1.er
kept=$(cd $names && echo "$build".*)
same without third

# A damaged file, no folder, a folder of others, a small program.
cp "$names/$kept" whole
for place in 9 200 $(($(stat -c %s whole) - 10)); do
	cp whole "$names/$kept"
	printf '\377' | dd of="$names/$kept" bs=1 seek="$place" conv=notrunc status=none
	reports damaged test.1.er
	same without damaged
	reports mended test.1.er
	same without mended
	cmp -s whole "$names/$kept" || [ "$(stat -c %s "$names/$kept")" -le "$(stat -c %s whole)" ]
done
: >"$names/$kept"
reports empty test.1.er
same without empty
chmod 777 $names
rm $names/*
reports open test.1.er
same without open
[ -z "$(ls $names)" ]
chmod 700 $names
(unset XDG_CACHE_HOME HOME; reports homeless test.1.er)
same without homeless
reports small small.1.er
! ls $names/"$build".* 2>/dev/null || { echo "names of a small program are kept"; exit 1; }

# The file that was not used for longest goes.
head -c 1500000 /dev/zero >$names/old
reports fresh test.1.er -keep_names 1
same without fresh
[ -s "$names/$kept" ]
[ ! -e $names/old ]

# Turned off after a report it neither writes nor removes.
rm $names/*
reports once test.1.er
sha256sum $names/* >before
printf 'functions\nkeep_names off\n' >script
"$er_print" -script script test.1.er >out 2>&1
"$er_print" -script script test.2.er >out 2>&1
sha256sum $names/* | diff before -

is 'Names are kept in: 256 MB' -keep_names on test.1.er
is 'Names are kept in: 0 MB' -keep_names off test.1.er
ends 1 'Error: Invalid argument to command: keep_names often: it must be on, off, or a number of megabytes' -keep_names often test.1.er
