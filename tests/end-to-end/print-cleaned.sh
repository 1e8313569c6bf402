#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names of functions, files, experiments and commands with control characters and with bytes that are no UTF-8: nothing of the kind
# reaches standard output, standard error, a report's file or a page, whatever command writes it in whatever print mode.
set -eu
er_print=$BUILD/bin/er_print
bad=$(printf 'e\033[31m\007\r\302\233\377\n\200') # 13 bytes
[ "$(printf %s "$bad" | wc -c)" -eq 13 ]
path=${bad//$'\n'/_} # an experiment has no newline in its name
cat >prog.c <<'END'
static volatile unsigned long sink;
__attribute__((noinline)) void evilAAAAAAAAA(void) { for (unsigned long i = 0; i < 60000000; i++) sink += i; }
int main(void) { evilAAAAAAAAA(); }
END
gcc -g -O1 prog.c -o plain
# The name in the symbol table and the debug information is another of the same length.
/usr/bin/python3 - plain "prog$bad" "$bad" <<'PYTHON'
import os, sys
source, target, name = (os.fsencode(word) for word in sys.argv[1:])
with open(source, "rb") as stream:
    data = stream.read()
assert data.count(b"evilAAAAAAAAA") >= 2
with open(target, "wb") as stream:
    stream.write(data.replace(b"evilAAAAAAAAA", name))
os.chmod(target, 0o755)
PYTHON
"$BUILD/bin/collect" -p hi -H on -s all -i on -C "note $bad" -o "run$path.er" "./prog$bad" "argument $bad" >said 2>&1
reports="functions callers-callees calltree lines pcs leaks allocs heap heapstat datasize objects lockdetail ioactivity iodetail
iocallstack iostat data_objects data_layout fsummary lsummary psummary experiment_list header:all overview statistics:all
sample_detail:all object_list thread_list lwp_list sample_list indxobj:Threads indxobj:Processes metric_list describe setpath help
source:main disasm:main source:$(basename prog.c)"
cat >check.py <<'PYTHON'
import sys
shown = 0
for name in sys.argv[1:]:
    with open(name, "rb") as stream:
        data = stream.read()
    text = data.decode("utf-8").replace("\r\n", "\n")  # or it fails
    wrong = {c for c in text if (ord(c) < 32 or 127 <= ord(c) < 160) and c not in "\n\t"}
    assert not wrong, (name, wrong)
    shown += text.count("e?[31m???")
print(shown)
PYTHON
for mode in text html csv json ';'; do
	# shellcheck disable=SC2086
	printf '%s\n' "printmode $mode" $reports | tr ':' ' ' >script
	printf 'fsingle "%s"\nsource "%s"\ndisasm "%s"\ncsingle "%s"\nnosuch%s\nadd_exp "%s"\n' "$bad" "$bad" "$bad" "$bad" "$bad" "$bad" >>script
	"$er_print" -script script "run$path.er" >all 2>errors
	"$er_print" -outfile report -printmode "$mode" -functions -fsummary -header "run$path.er" >none 2>&1
	"$er_print" -appendfile report -printmode "$mode" -functions "run$path.er" >none 2>&1
	"$er_print" "-$bad" "run$path.er" >none 2>>errors || true
	"$er_print" -functions "$bad.er" >none 2>>errors || true
	[ "$(/usr/bin/python3 check.py all errors report none)" -gt 10 ] # it is shown, but as what it is not
done
"$er_print" -source main -fsingle main "run$path.er" >all 2>errors
# A character that parts fields is written as it was asked for.
"$er_print" -printmode $'\037' -functions "run$path.er" >all
grep -q $'"\037"' all
