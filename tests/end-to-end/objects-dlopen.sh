#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Load objects that come and go: the loader finds what it finds without collect (RUNPATH and $ORIGIN of the caller), and
# map.xml has at the end what /proc/self/maps has, with build-ids as readelf says them; what was closed has ended, and what
# took its place belongs to a later generation.
set -eu
mkdir hidden
for name in plugin other third apart second; do
	echo "int $name(void) { return ${#name}; }" >"$name.c"
	"${CC:-gcc}" -shared -fPIC -Wl,--build-id -o "hidden/lib$name.so" "$name.c"
done
cat >caller.c <<'END'
#include <dlfcn.h>
void *open_plugin(const char *name) { return dlopen(name, RTLD_NOW); }
END
"${CC:-gcc}" -shared -fPIC -Wl,--enable-new-dtags -Wl,-rpath,'$ORIGIN/hidden' -o libcaller.so caller.c
"${CC:-gcc}" -g -D_GNU_SOURCE -o objects "$TESTS/programs/life_objects.c" -L. -lcaller -Wl,-rpath,'$ORIGIN'
./objects | sed '/^maps:/q' >plain
"$BUILD/bin/collect" -o t.er ./objects >out 2>err
grep -v Creating out | sed '/^maps:/q' >collected
diff plain collected
grep -q "by the caller's RUNPATH: 6" plain
grep -q "by the caller's .ORIGIN: 5" plain
grep -q 'namespace: 5' plain
cat >check.py <<'END'
import os, re, subprocess, sys
sys.path.insert(0, os.environ["TESTS"] + "/oracle")
import experiment

lines = experiment.Experiment("t.er").segments
mapped, everything = {}, {}
for line in lines:
    if line["kind"] == "map":
        mapped[line["vaddr"]] = line
        everything[os.path.basename(line["name"])] = line
    else:
        mapped[line["vaddr"]]["until"] = line["generation"]
        del mapped[line["vaddr"]]
truth = []
for text in open("out").read().split("maps:\n")[1].splitlines():
    found = re.match(r"([0-9a-f]+)-([0-9a-f]+) r-xp ([0-9a-f]+) \S+ \d+ +(.*)", text)
    truth.append((int(found[1], 16), int(found[2], 16), int(found[3], 16), found[4]))
found = {}
for line in mapped.values():
    start = int(line["vaddr"], 16)
    found[start & ~4095] = (line, start + int(line["size"], 16))
files = 0
for start, end, offset, path in truth:
    assert start in found, ("not in map.xml", path)
    line, line_end = found.pop(start)
    assert os.path.realpath(line["name"]) == os.path.realpath(path), (line, path)
    assert line["name"].startswith("/"), line
    assert (line_end + 4095) & ~4095 == end, (line, hex(end))
    assert int(line["foffset"], 16) & ~4095 == offset, line
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    build_id = re.search(r"Build ID: (\w+)", notes)
    assert line["buildid"] == (build_id[1] if build_id else ""), line
    status = os.stat(path)
    assert line["chksum"] == "%d:%d" % (status.st_size, status.st_mtime), line
    files += 1
left = [line["name"] for line, _end in found.values()]
assert left == ["[vdso]"], left
plugin, second = everything["libplugin.so"], everything["libsecond.so"]
assert plugin["until"] == "1" and plugin["generation"] == "0", plugin
assert second["generation"] == "1", second
vdso = "t.er/archives/_vdso__" + everything["[vdso]"]["buildid"]
notes = subprocess.run(["readelf", "-n", vdso], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
assert everything["[vdso]"]["buildid"] in notes, vdso
print("%d mapped files are in map.xml, no others" % files)
END
/usr/bin/python3 check.py
