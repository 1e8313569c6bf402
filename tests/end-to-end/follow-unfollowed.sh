#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Descendants that cannot be followed (static, with privileges of their own) run as without collect, without a word of ld.so
# on their standard error, and the log names them; scripts are followed as their interpreter.
set -eu
collect=$BUILD/bin/collect
cat >static.c <<'END'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	for (char **entry = environ; *entry; entry++)
		if (strstr(*entry, "ER_TOOLS") || strstr(*entry, "LD_PRELOAD"))
			puts(*entry);
	puts("static");
	return 5;
}
END
"${CC:-gcc}" -D_GNU_SOURCE -static -o static static.c 2>/dev/null || { echo "no static libc here"; exit 77; }
printf '#!/bin/sh\necho script\nexit 6\n' >script
chmod +x script
cat >run.py <<'END'
import os, subprocess, sys
print([subprocess.run([path]).returncode for path in sys.argv[1:]], flush=True)
END
programs="./static ./script"
if [ "$(id -u)" = 0 ]; then
	"${CC:-gcc}" -D_GNU_SOURCE -o privileged static.c
	chown 65534 privileged
	chmod 4755 privileged
	programs="$programs ./privileged"
fi
/usr/bin/python3 run.py $programs >plain 2>&1
"$collect" -o t.er /usr/bin/python3 run.py $programs >out 2>&1
grep -v '^Creating' out | diff plain -
grep -q 'kind="cwarn".*name="./static".*statically linked' t.er/log.xml
[ "$(id -u)" != 0 ] || grep -q 'kind="cwarn".*name="./privileged".*privileges' t.er/log.xml
[ "$(cd t.er && ls -d _*.er | wc -l)" = 1 ]
grep -q 'executable="[^"]*/\(da\|ba\)\?sh"' t.er/_*.er/log.xml
