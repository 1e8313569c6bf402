#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Call trees in other shapes: from the leaves, around a function, with a threshold and a depth. Whole reports of an example by
# arithmetic, and every path and sum of made stacks with recursion by a second computation.
. "$TESTS/end-to-end/print.bash"

printf '%s\n' 'main 20' 'main;foo1 15' 'main;foo1;bar 25' 'main;foo2 5' 'main;foo2;bar 25' 'main;foo2;bar;foo2;x 10' >E.folded
is 'Tree: bottom_up
Functions Call Tree, bottom up. Metric: Attributed Folded Count

Attr.        Name
Folded
Count
         %
100 100.00   +-<Total>
 50  50.00     +-bar
 25  25.00     |  +-foo1
 25  25.00     |  |  +-main
 25  25.00     |  +-foo2
 25  25.00     |  |  +-main
 20  20.00     +-main
 15  15.00     +-foo1
 15  15.00     |  +-main
 10  10.00     +-x
 10  10.00     |  +-foo2
 10  10.00     |  |  +-bar
 10  10.00     |  |  |  +-foo2
 10  10.00     |  |  |  |  +-main
  5   5.00     +-foo2
  5   5.00     |  +-main' -import E.folded -tree bottom_up -calltree
is 'Tree: top_down:threshold=25
Functions Call Tree. Metric: Attributed Folded Count

Attr.        Name
Folded
Count
         %
100 100.00   +-<Total>
100 100.00     +-main
 40  40.00     |  +-foo1
 25  25.00     |  |  +-bar
 40  40.00     |  +-foo2
 35  35.00     |  |  +-bar

2 more call paths are not shown (tree top_down:threshold=25)' -import E.folded -tree threshold=25 -calltree
is 'Tree: top_down:depth=1
Functions Call Tree. Metric: Attributed Folded Count

Attr.        Name
Folded
Count
         %
100 100.00   +-<Total>
100 100.00     +-main

6 more call paths are not shown (tree top_down:depth=1)' -import E.folded -tree depth=1 -calltree
is 'Functions Call Tree around a function. Metric: Attributed Folded Count

Attr.       Name
Folded
Count
        %
============== Callers
40  40.00   +-foo2
40  40.00     +-main

============== Callees
40  40.00   +-foo2
35  35.00     +-bar
10  10.00     |  +-foo2
10  10.00     |  |  +-x' -import E.folded -calltree_around foo2
ends 1 "Error: Invalid argument to command: tree depth=0: it must be top_down or bottom_up, threshold=PERCENT from 0 to 100, depth=LEVELS, or several of them with ':' between" -import E.folded -tree depth=0
ends 1 'Error: No function with given name `fooo'"'"' found. (nearest: foo1, foo2)' -import E.folded -calltree_around fooo
printf 'tree bottom_up:threshold=0.5:depth=7\ntree\ntree top_down\ntree\n' >script
"$er_print" -import E.folded -script script >out 2>&1
diff out - <<'END'
Tree: bottom_up:threshold=0.5:depth=7
Tree: bottom_up:threshold=0.5:depth=7
Tree: top_down
Tree: top_down
END

/usr/bin/python3 - <<'END'
import random
random.seed(31)
with open("made.folded", "w") as stream:
    for _ in range(300):
        stream.write(";".join(["main"] + ["f%d" % random.randrange(6) for _ in range(random.randrange(12))]) + " %d\n" % random.randrange(1, 1000))
END
"$er_print" -import made.folded -printmode json -calltree -tree bottom_up -calltree -calltree_around f3 -compare on >out 2>err
/usr/bin/python3 - <<'END'
import json
decoder, text, reports = json.JSONDecoder(), open("out").read(), []
while "{" in text:
    report, end = decoder.raw_decode(text, text.index("{"))
    reports.append(report)
    text = text[end:]
stacks = [(line.rsplit(" ", 1)[0].split(";"), int(line.rsplit(" ", 1)[1])) for line in open("made.folded")]


def paths(rows):
    found, path = {}, []
    for row in rows:
        path[row["depth"]:] = [row["name"]]
        found[tuple(path)] = row["a+folded"]
    return found


def tree(ends):
    sums = {}
    for path, value in ends:
        for n in range(1, len(path) + 1):
            sums[tuple(path[:n])] = sums.get(tuple(path[:n]), 0) + value
    return sums


top, bottom, around = reports
assert paths(top["rows"]) == tree((["<Total>"] + stack, value) for stack, value in stacks)
assert paths(bottom["rows"]) == tree((["<Total>"] + stack[::-1], value) for stack, value in stacks)
with_f3 = [(stack, stack.index("f3"), value) for stack, value in stacks if "f3" in stack]
parts = {part: [row for row in around["rows"] if row["part"] == part] for part in ("Callers", "Callees")}
assert paths(parts["Callees"]) == tree((stack[at:], value) for stack, at, value in with_f3)
assert paths(parts["Callers"]) == tree((stack[at::-1], value) for stack, at, value in with_f3)
print(len(bottom["rows"]), "rows bottom up")
END

# Index objects of sizes: in classes by powers of four, in the order of size; a program that knows its own.
cat >sizes.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
int main(void)
{
	static const size_t sizes[] = {0, 1, 16, 17, 64, 65, 256, 257, 1024, 1025, 4096, 4097, 1048576, 1048577};
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
		kept = malloc(sizes[i]);
	return 0;
}
C
gcc -O1 -g -fno-builtin -o sizes sizes.c
"$BUILD/bin/collect" -p off -H on -O said -o sizes.er ./sizes
"$er_print" sizes.er -metrics e+heapalloccnt:e+heapallocbytes:name -filters 'FNAME("main") SOME IN USTACK' -printmode csv -indxobj Datasize 2>err | sed '/^[Cc]urrent /d; s/\r$//' >out
diff out - <<'END'
Exclusive Allocations,Exclusive Bytes Allocated,Name
14,2108071,<Total>
1,0,0 Bytes
2,17,<= 16 Bytes
2,81,16 < n <= 64
2,321,64 < n <= 256
2,1281,256 < n <= 1KB
2,5121,1KB < n <= 4KB
1,4097,4KB < n <= 16KB
1,1048576,256KB < n <= 1MB
1,1048577,1MB < n <= 4MB
END

# Names that fit: in text alone, and not in what they are sorted and told apart by.
printf '%s\n' 'main;std::map<std::string, int>::insert(std::pair<std::string const, int> const&) 3' 'main;std::map<std::string, long>::insert(std::pair<std::string const, long> const&) 2' >long.folded
printf 'fit_names 30\nfunctions\ncalltree\nprintmode csv\nfunctions\n' >script
"$er_print" -import long.folded -metrics e.folded:name -script script 2>err | sed 's/\r$//' >out
diff out - <<'END'
Current metrics: e+folded:name
Current Sort Metric: Exclusive Folded Count ( e+folded )
Names fit in: 30
Functions sorted by metric: Exclusive Folded Count

Excl.   Name
Folded
Count
5       <Total>
3       std::map<...>::insert(...)
2       std::map<...>::insert(...)
0       main

Functions Call Tree. Metric: Attributed Folded Count

Attr.   Name
Folded
Count
5       +-<Total>
5         +-main
3         |  +-std::map<...>::insert(...)
2         |  +-std::map<...>::insert(...)

Exclusive Folded Count,Name
5,<Total>
3,"std::map<std::string, int>::insert(std::pair<std::string const, int> const&)"
2,"std::map<std::string, long>::insert(std::pair<std::string const, long> const&)"
0,main
END
ends 1 'Error: Invalid argument to command: fit_names 7: it must be 0, or a number from 8 to 1048576' -import long.folded -fit_names 7
