#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The second report of a C++ program of 30 MB, whose names are kept, against the first: the CPU time of er_print -functions.
# limit: 600
set -eu
export XDG_CACHE_HOME=$PWD/cache
mkdir -m 700 cache
/usr/bin/python3 - <<'END'
units = 8
for unit in range(units):
    calls = "+".join("work<%d>(rounds)" % (unit * 10 + i) for i in range(5))
    open("unit%d.cc" % unit, "w").write("""
#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
namespace unit%d {
template <int N> struct Key {
	std::string text;
	int number;
	bool operator<(const Key &other) const { return number < other.number; }
	bool operator==(const Key &other) const { return number == other.number; }
};
template <int N> struct Hash {
	size_t operator()(const Key<N> &key) const { return std::hash<std::string>()(key.text) + N; }
};
template <int N> long work(int rounds)
{
	std::map<Key<N>, std::vector<std::set<Key<N>>>> sets;
	std::unordered_map<Key<N>, std::function<long(int)>, Hash<N>> calls;
	std::mt19937 random(N);
	long sum = 0;
	for (int r = 0; r < rounds; r++) {
		std::ostringstream out;
		out << "x" << random() %% 1000 << "y" << N;
		Key<N> key{out.str(), r};
		sets[key].push_back({key});
		calls[key] = [key, r](int x) { return (long)key.text.size() + x + r; };
		std::regex expression("x([0-9]+)y" + std::to_string(N));
		std::smatch match;
		if (std::regex_match(key.text, match, expression))
			sum += calls[key]((int)match[1].length());
		std::vector<Key<N>> keys;
		for (auto &set : sets)
			keys.push_back(set.first);
		std::sort(keys.begin(), keys.end(), [](auto &a, auto &b) { return b < a; });
		sum += (long)keys.size();
	}
	return sum;
}
long all(int rounds) { return %s; }
}
""" % (unit, calls))
open("main.cc", "w").write("#include <cstdio>\n" + "".join("namespace unit%d { long all(int); }\n" % u for u in range(units)) +
                           "int main() { std::printf(\"%%ld\\n\", %s); }\n" % "+".join("unit%d::all(100)" % u for u in range(units)))
END
ls unit*.cc main.cc | sed 's/\.cc$//' | xargs -P 2 -I {} g++ -g -O1 -c {}.cc
g++ -g -Wl,--build-id -o large ./*.o
"$BUILD/bin/collect" -p hi -O said -o test.er ./large >out
echo "the program: $(($(stat -c %s large) >> 20)) MB; $("$BUILD/bin/er_print" -keep_names off -limit 3 -functions test.er 2>/dev/null | tail -n 1)"
/usr/bin/python3 - "$BUILD/bin/er_print" <<'END'
import os
import resource
import shutil
import statistics
import subprocess
import sys


def cpu(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.argv[1], *arguments, "-limit", "20", "-functions", "test.er"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


size = os.stat("large").st_size / 1e6
ratios = []
for turn in range(7):
    shutil.rmtree("cache/er-tools", ignore_errors=True)
    first, second, without = cpu(), cpu(), cpu("-keep_names", "off")
    ratios.append(second / first)
    print("first %.3f s, second %.3f s, without %.3f s" % (first, second, without))
ratio = statistics.median(ratios)
print("bound: size of the C++ program | %.0f MB | at least 30 MB | %s" % (size, "ok" if size >= 30 else "SHORT"))
print("bound: second functions report of it, kept names | %.2f of the first | at most 0.20 of the first | %s" % (ratio, "ok" if ratio <= 0.2 else "SHORT"))
sys.exit(ratio > 0.2 or size < 30)
END
