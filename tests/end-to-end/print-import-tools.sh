#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The output of perf script, and profiles of pprof, as experiments: reports of examples whose every number is arithmetic; output with
# other fields; files that are cut, damaged or read in part.
. "$TESTS/end-to-end/print.bash"

rows()
{
	"$er_print" -printmode csv "$@" 2>err | sed '1d; s/\r$//; /^Current /d'
}

# Three processes, one of them with two threads and a name with blanks and numbers; two events; an inlined function; lines of
# sources; a sample with one frame in its line, one with none, and lines that are nothing.
cat >perf.txt <<'END'
# ========
# captured on    : Fri Nov 27 01:00:00 2026
# ========
#
app 100/100 [000]  5.000000100:    1000000 cpu-clock:u: 
	    401136 inner (inlined)
  app.c:3
	    401136 outer+0x16 (/tmp/app)
  app.c:7
	    401200 main+0x20 (/tmp/app)
  app.c:20
	7f0000001234 __libc_start_main+0x84 (/usr/lib/libc.so.6)
  :0

app 100/101 [001]  5.250000000:    3000000 cpu-clock:u: 
	    401140 outer+0x20 (/tmp/app)
  app.c:8
	7f0000001300 std::pair<int, int>::swap(std::pair<int, int>&)+0x10 (/usr/lib/libx.so (deleted))
  pair.h:5

Web Content 7 200/200 [001]  6.000000000:          5 page-faults: 
	ffffffff81752b6a elf_load+0x28a ([kernel.kallsyms])
  [kernel.kallsyms][ffffffff81752b6a]
	    7fdc622f2ad7 [unknown] ([unknown])

noise
sh 300/300 [000]  7.000000000:    4000000 cpu-clock:u:      7f0000001240 __libc_start_main+0x90 (/usr/lib/libc.so.6)
sh 300/300 [000]  7.500000000:    2000000 cpu-clock:u: 
END
rows -import perf.txt -metrics e+cpu-clock_u:i+cpu-clock_u:e+page-faults:i+page-faults:name -functions >out
diff out - <<'END'
0.010000000,0.010000000,5,5,<Total>
0.004000000,0.005000000,0,0,__libc_start_main
0.003000000,0.004000000,0,0,outer
0.002000000,0.002000000,0,0,<no stack>
0.001000000,0.001000000,0,0,inner
0.000000000,0.003000000,0,0,"std::pair<int, int>::swap(std::pair<int, int>&)"
0.000000000,0.001000000,0,0,main
0.000000000,0.000000000,0,5,[unknown]
0.000000000,0.000000000,5,5,elf_load
END
rows -import perf.txt -metrics e+cpu-clock_u:name -objects | grep -v '^0.0*,' >out
diff <(sort out) - <<'END'
0.002000000,<no load object>
0.004000000,<app> (/tmp/app)
0.004000000,<libc.so.6> (/usr/lib/libc.so.6)
0.010000000,<Total>
END
rows -import perf.txt -metrics i+cpu-clock_u:name -lines | grep -v '<Function' | grep app.c >out
diff <(sort out) - <<'END'
0.001000000,"inner, line 3 in ""app.c"""
0.001000000,"main, line 20 in ""app.c"""
0.001000000,"outer, line 7 in ""app.c"""
0.003000000,"outer, line 8 in ""app.c"""
END
rows -import perf.txt -metrics e+cpu-clock_u:e+page-faults:name -threads | sort >out
diff out - <<'END'
0.000000000,5,"Process 2, Thread 200"
0.001000000,0,"Process 1, Thread 100"
0.003000000,0,"Process 1, Thread 101"
0.006000000,0,"Process 3, Thread 300"
0.010000000,5,<Total>
END
rows -import perf.txt -metrics e+cpu-clock_u:name -cpus | sort >out
diff out - <<'END'
0.003000000,CPU 1
0.007000000,CPU 0
0.010000000,<Total>
END
rows -import perf.txt -filters 'TSTAMP > 1000000000' -metrics e+cpu-clock_u:name -functions >out
[ "$(head -n 1 out)" = '0.006000000,<Total>' ]
rows -import perf.txt -filters 'PROCID == 2' -metrics e+page-faults:name -functions | head -n 1 | grep -qx '5,<Total>'
is 'Experiment: perf.txt (pid 200)
Output of perf script: 5 samples
Command: '"'Web Content 7'"'
Process pid 200
Data Collection Duration: 0.999999900
*** Warning: what could not be read was left out: 1 in all, line 26 is neither a sample nor a frame' -import perf.txt -header 2
is 'ID Sel   PID Experiment
== === ===== ==========
 1 yes   100 perf.txt (pid 100)
 2 yes   200 perf.txt (pid 200)
 3 yes   300 perf.txt (pid 300)' -import perf.txt -experiment_list
ends 0 'perf.txt: *** Warning: what could not be read was left out: 1 in all, line 26 is neither a sample nor a frame' -import perf.txt -objects
# From a pipe and compressed.
gzip -c perf.txt >perf.txt.gz
diff <(rows -import perf.txt -functions) <(rows -import perf.txt.gz -functions)
diff <(rows -import perf.txt -functions) <(rows -import <(cat perf.txt) -functions)

# With fewer fields: no period counts samples, no pid makes a process of each command.
cat >few.txt <<'END'
            sh  9051 26803.829986: cpu-clock: 
	    7fe3402ce645 handle_amd (/usr/lib/ld.so)

            ls  9053 26803.831281: cpu-clock: 
	    7fe3402ce645 handle_amd (/usr/lib/ld.so)
	    7fe3402ce600 _start (/usr/lib/ld.so)

            ls  9053 26803.931281: 
	    7fe3402ce645 LazyCompile:*run /a b/file.js:12 (/tmp/perf-1.map)
END
rows -import few.txt -metrics e+cpu-clock:e+samples:name -functions >out
diff out - <<'END'
2,1,<Total>
2,0,handle_amd
0,0,_start
0,1,LazyCompile:*run /a b/file.js:12
END
is 'ID Sel   PID Experiment
== === ===== ==========
 1 yes     0 few.txt (sh)
 2 yes     0 few.txt (ls)' -import few.txt -experiment_list
printf 'PERFILE2xxxxxxxxxxxxxxxx' >perf.data
ends 1 '*** Error: perf.data: is what perf record writes: import what `perf script -F +pid -i perf.data` prints
Error: No valid experiments loaded; exiting' -import perf.data -functions

# pprof: inlined lines innermost first, a location without lines, units, two functions of one name in files of their own, a value
# below 0, fields in another order.
protoc --proto_path="$TESTS/formats" --python_out=. pprof.proto
cat >make.py <<'END'
import gzip

import pprof_pb2

profile = pprof_pb2.Profile()
texts = [""]


def text(words):
    if words not in texts:
        texts.append(words)
    return texts.index(words)


for name, unit in (("samples", "count"), ("cpu", "microseconds"), ("alloc_space", "kilobytes"), ("user", "count")):
    profile.sample_type.add(type=text(name), unit=text(unit))
profile.mapping.add(id=7, memory_start=0x1000, memory_limit=0x9000, filename=text("/tmp/app"))
for number, name, file, line in ((1, "main", "app.c", 18), (2, "outer", "app.c", 5), (3, "inner", "app.c", 1), (4, "twice", "a.c", 2),
                                 (5, "twice", "b.c", 2)):
    profile.function.add(id=number * 100, name=text(name), filename=text(file), start_line=line)
for number, address, lines in ((1, 0x1100, ((1, 20),)), (2, 0x1200, ((3, 3), (2, 7))), (3, 0x1300, ((4, 9),)), (4, 0x1400, ((5, 9),)),
                               (5, 0x1500, ())):
    location = profile.location.add(id=number, mapping_id=7, address=address)
    for function, line in lines:
        location.line.add(function_id=function * 100, line=line)
for path, values in (((2, 1), (1, 10, 2, 3)), ((3, 1), (2, 20, 0, 1)), ((4, 1), (3, 30, 1, 0)), ((5,), (4, 40, 0, -2)),
                     ((), (1, 1, 0, 0))):
    profile.sample.add(location_id=path, value=values)
profile.time_nanos = 1700000000 * 10 ** 9
profile.duration_nanos = 2500000000
profile.string_table.extend(texts)
whole = profile.SerializeToString()
with gzip.open("made.pb.gz", "wb") as stream:
    stream.write(whole)
with open("made.pb", "wb") as stream:
    stream.write(whole)
first = pprof_pb2.Profile(time_nanos=profile.time_nanos, string_table=texts)
profile.ClearField("string_table")
profile.ClearField("time_nanos")
with open("order.pb", "wb") as stream:
    stream.write(first.SerializeToString() + profile.SerializeToString())
END
/usr/bin/python3 make.py
metrics=e+samples:e+cpu:i+cpu:e+alloc_space:e+user-counter:name
rows -import made.pb.gz -metrics $metrics -functions >out
diff out - <<'END'
11,0.000101000,0.000101000,3072,4,<Total>
4,0.000040000,0.000040000,0,0,0x1500
3,0.000030000,0.000030000,1024,0,twice (b.c:2)
2,0.000020000,0.000020000,0,1,twice (a.c:2)
1,0.000001000,0.000001000,0,0,<no stack>
1,0.000010000,0.000010000,2048,3,inner
0,0.000000000,0.000060000,0,0,main
0,0.000000000,0.000010000,0,0,outer
END
rows -import made.pb.gz -metrics i+cpu:name -lines | grep '\.c' | sort >out
diff out - <<'END'
0.000010000,"inner, line 3 in ""app.c"""
0.000010000,"outer, line 7 in ""app.c"""
0.000020000,"twice (a.c:2), line 9 in ""a.c"""
0.000030000,"twice (b.c:2), line 9 in ""b.c"""
0.000060000,"main, line 20 in ""app.c"""
END
ends 0 'made.pb.gz: *** Warning: what could not be read was left out: 1 in all, sample 4 has the value -2' -import made.pb.gz -header
diff out - <<'END'
Experiment: made.pb.gz
pprof profile: 5 samples
Experiment started Tue Nov 14 22:13:20 2023
Data Collection Duration: 2.500000000
*** Warning: what could not be read was left out: 1 in all, sample 4 has the value -2
END
for other in made.pb order.pb; do
	diff <(rows -import made.pb.gz -metrics $metrics -functions) <(rows -import $other -metrics $metrics -functions)
done
head -c 100 made.pb.gz >cut.gz
ends 1 '*** Error: cut.gz: the compressed file ends too early
Error: No valid experiments loaded; exiting' -import cut.gz -functions
# Where it ends inside a field.
head -c 300 made.pb >cut.pb
ends 1 '*** Error: cut.pb: it begins as a profile of pprof and does not go on as one
Error: No valid experiments loaded; exiting' -import cut.pb -functions
