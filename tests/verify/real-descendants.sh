#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A script that forks and execs sqlite3, xz -T2, python3 and a second script: the sums over all its processes against the same
# computed by the second reader, and the same output as without collect.
. "$TESTS/end-to-end/real.bash"
"$TESTS/tools/workload" text 2 >text
"$TESTS/tools/workload" sql 200 >script.sql
cat >inner.sh <<'SCRIPT'
#!/bin/bash
for ((i = 0; i < 100000; i++)); do :; done
sqlite3 :memory: '.read script.sql' >/dev/null
SCRIPT
cat >outer.sh <<'SCRIPT'
#!/bin/bash
./inner.sh &
xz -T2 --block-size=500000 -kc text >/dev/null
wait
exec /usr/bin/python3 -c 'print(sum(i * i for i in range(3000000)))'
SCRIPT
chmod +x inner.sh outer.sh
like_plain test.1.er ./outer.sh
[ "$(ls -d test.1.er/_*.er | wc -l)" -ge 4 ] || { echo "descendants:"; ls test.1.er; exit 1; }
lists_agree test.1.er functions objects tree callers
"$er_print" -objects test.1.er >objects
for object in liblzma libsqlite3 python3 bash; do
	grep -q "<$object" objects || { echo "no object $object:"; cat objects; exit 1; }
done
no_collector test.1.er
