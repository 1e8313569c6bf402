#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With -s all every call is an event, also one that fails, of every function in the table, and the program gets the results
# that it gets without us (it ends itself if not). With -s on the results are the same, and no call is missing in the sum of
# events and counted ones. libc exports no function of these families that has no wrapper.
set -eu
for threshold in all on; do
	"$BUILD/bin/collect" -p off -s $threshold -O said -o $threshold.er "$PROGRAMS/sync_calls" >own.$threshold
done
er_print() { "$BUILD/bin/er_print" -limit 0 -metrics e.sync:e+syncn:name -printmode ';' "$@" -functions all.er | "$TESTS/tools/rows" -f -1,2; }
er_print >calls
er_print -filters 'result != 0' >failed
awk '
	FNR == 1 {file++}
	file == 1 && /^call_/ {calls[substr($1, 6)] = $2}
	file == 2 && /^call_/ {failed[substr($1, 6)] = $2}
	END {
		while ((getline line <"own.all") > 0) {
			split(line, field, " ")
			functions++
			if (calls[field[1]] + 0 != field[2] || failed[field[1]] + 0 != field[3])
				wrong = wrong "\n" line ": " calls[field[1]] + 0 " events, " failed[field[1]] + 0 " of failures"
		}
		print functions " functions" wrong
		exit wrong != "" || functions < 25
	}' calls failed || { cat calls failed; exit 1; }
table=$TESTS/../libcollector/kinds/sync/synchronization.def
while read -r name; do
	grep -q "^$name " own.all || { echo "$name is never called"; exit 1; }
done < <(sed -nE 's/^(LOCK|WAIT|VERSIONED)\([a-z_]+, [A-Z0-9]+, ([a-z0-9_]+),.*/\2/p' "$table")

"$BUILD/bin/er_print" -printmode ';' -metrics e+syncn:name -functions on.er | "$TESTS/tools/rows" -n '<Total>' -f 1 >recorded
"$BUILD/bin/er_print" -header on.er >header
recorded=$(cat recorded)
counted=$(sed -n 's/.*; \([0-9]*\) calls below it$/\1/p' header)
made=$(awk '{n += $2} END {print n}' own.on)
[ $((recorded + counted)) -eq "$made" ] || { echo "$recorded events and $counted counted of $made calls"; exit 1; }

# Whatever libc exports that may wait for one of these objects; "try" functions do not wait (the table says so).
libc=$(ldd "$BUILD/lib/libcollector.so" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
forgotten=$(nm -D --defined-only "$libc" | awk '$2 ~ /[TWi]/ {print $NF}' | sed 's/@.*//' | sort -u |
	grep -E '^(__)?(pthread_(mutex|rwlock|spin|cond|barrier|[a-z]*join)|sem_|mtx_|cnd_|thrd_)' |
	grep -E 'lock|wait|join' | grep -vE 'unlock|_try(lock|rdlock|wrlock|wait)$|_(init|destroy|setpshared|getpshared|setkind_np|getkind_np|attr_.*|signal|broadcast)$|rwlockattr|condattr' |
	grep -vxF -f <(sed -nE 's/^(LOCK|WAIT|VERSIONED)\([a-z_]+, [A-Z0-9]+, ([a-z0-9_]+),.*/\2/p' "$table") || true)
[ -z "$forgotten" ] || { echo "no wrapper for" $forgotten; exit 1; }
[ "$(nm -D --defined-only "$libc" | grep -c pthread_mutex_clocklock)" -gt 0 ]
