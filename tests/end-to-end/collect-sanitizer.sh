#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs with AddressSanitizer's shared library, which would be ended by a preloaded library: a founder is recorded; a
# descendant runs as without us and the log names it, or is recorded if ASAN_OPTIONS permits it; errors are still found.
set -u
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **arguments)
{
	char *bytes = malloc(8);
	const char *options = getenv("ASAN_OPTIONS"), *preload = getenv("LD_PRELOAD");
	printf("%s %s\n", options ? options : "none", preload ? preload : "none");
	fflush(stdout);
	if (count > 2 && strcmp(arguments[1], "exec") == 0)
		execv(arguments[2], arguments + 2);
	return bytes[count > 1 ? atoi(arguments[1]) : 0] & 0 ? 1 : 4;
}
END
gcc -g -fsanitize=address -fno-omit-frame-pointer -o sanitized program.c 2>/dev/null || { echo "no AddressSanitizer"; exit 77; }
readelf -d sanitized | grep -q 'NEEDED.*libasan' || { echo "AddressSanitizer is not a shared library here"; exit 77; }
export ASAN_OPTIONS=detect_leaks=0
[ "$(./sanitized)" = "detect_leaks=0 none" ] || { echo "AddressSanitizer does not run here"; exit 77; }
cat >run.py <<'END'
import os, subprocess, sys
for arguments in (["./sanitized"], ["./sanitized", "8"], ["sh", "-c", "./sanitized; exec ./sanitized"]):
    done = subprocess.run(arguments, capture_output=True, text=True)
    print(done.returncode, done.stdout, "heap-buffer-overflow" in done.stderr, "link" in done.stderr, flush=True)
print(os.system("./sanitized"), flush=True)
print(os.posix_spawn("./sanitized", ["./sanitized"], os.environ) > 0, os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
os.execv("./sanitized", ["./sanitized"])
END
/usr/bin/python3 run.py >plain 2>&1
plain=$?
"$collect" -O said -o t.er /usr/bin/python3 run.py >out 2>&1
[ $? = $plain ] || fail "status"
diff plain out || fail "the programs saw a difference"
noted=$(cat t.er/log.xml t.er/_*.er/log.xml | grep -c 'name="./sanitized"[^>]*>not followed: AddressSanitizer')
[ "$noted" = 7 ] || fail "$noted descendants in the logs"
grep -l 'executable="[^"]*/sanitized"' t.er/_*.er/log.xml && fail "recorded"

# As the environment permits; and of a founder to which collect gave its permission.
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 "$collect" -O said -o permitted.er sh -c './sanitized; true' >out || fail "permitted: status"
[ "$(cat out)" = "detect_leaks=0:verify_asan_link_order=0 none" ] || fail "permitted: $(cat out)"
grep -q 'executable="[^"]*/sanitized"' permitted.er/_*.er/log.xml || fail "permitted: not recorded"
"$collect" -O said -o founder.er ./sanitized exec ./sanitized >out
[ $? = 4 ] || fail "founder: status"
grep -q 'executable="[^"]*/sanitized"' founder.er/log.xml || fail "founder: not recorded"
grep -q 'executable="[^"]*/sanitized"' founder.er/_x1.er/log.xml || fail "founder: its next image is not recorded"
exit 0
