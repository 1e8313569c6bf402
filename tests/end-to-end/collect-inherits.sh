#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The target inherits the same as without collect: arguments, directory, descriptors, environment, signal
# dispositions and mask, limits, priority; and what it writes is all that comes out of a pipe.
set -eu
collect=$BUILD/bin/collect
program=$PROGRAMS/collect_inherits

# run OUTPUT LAUNCHER...: with unusual settings of everything.
run()
{
	local output=$1
	shift
	(
		umask 027
		ulimit -S -n 200
		ulimit -S -s 4096
		exec 7<"$program" 9>>appended
		trap '' USR1 HUP
		nice -n 3 env ODD='a b
c' /usr/bin/python3 -c '
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGALRM])
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
os.set_inheritable(7, True)
os.set_inheritable(9, True)
os.execvp(sys.argv[1], sys.argv[1:])
' "$@" "$program" 'an argument' '' '-p' >output 2>errors
	)
	mv output "$output"
}
run plain env
run collected "$collect"
diff <(grep -v '^group' plain) <(grep -v '^group' collected)
grep -q '^signal 12 blocked 1' plain
grep -q '^signal 17 .* handler ignored' plain
grep -q '^descriptor 7 ' plain
# The session is ours and the target is in collect's process group, whatever that is.
[ "$(sed -n 's/^group.*session//p' plain)" = "$(sed -n 's/^group.*session//p' collected)" ]

# The name as it was given is argv[0]; PATH is searched; the file in this directory comes first.
mkdir bin
cp "$program" bin/inherits
[ "$(PATH=$PWD/bin:$PATH $collect inherits 2>/dev/null | head -n 1)" = "argument 0 inherits" ]
[ "$($collect bin/inherits 2>/dev/null | head -n 1)" = "argument 0 bin/inherits" ]
printf '#!/bin/sh\necho here "$@"\n' >inherits
chmod +x inherits
[ "$(PATH=$PWD/bin:$PATH $collect inherits 1 '2 3' 2>/dev/null)" = "here 1 2 3" ]
# A text without an interpreter line is the shell's, as execvp does.
echo 'echo text "$@"; exit 9' >text
chmod +x text
status=0
output=$($collect ./text 1 2 2>/dev/null) || status=$?
[ "$output" = "text 1 2" ] && [ "$status" -eq 9 ] || exit 1

# Standard descriptors that are closed stay closed, and nothing of ours gets there.
$collect "$program" <&- 2>/dev/null | grep -q '^descriptor 0 ' && { echo "descriptor 0 is open"; exit 1; }
$collect -o closed.er sh -c 'exec "$0" >inside' "$program" <&- >&- 2>&-
grep '^descriptor [02] ' inside && { echo "a closed descriptor is open"; exit 1; }
$collect -o closed-2.er true >&- 2>&- && [ -d closed-2.er ] || exit 1
status=0
$collect ./nosuch >&- 2>&- || status=$?
[ "$status" -eq 1 ]
grep -r 'Creating experiment' closed.er && { echo "the start line is in the experiment"; exit 1; }

# Other preloaded libraries stay, behind ours; a copy of ours does not. (The collector takes itself out of what the target
# sees of its environment, so look at the exec itself.)
command -v strace >/dev/null || { echo "no strace: LD_PRELOAD was not looked at"; exit 77; }
strace -f -v -s 8192 -e trace=execve -o trace \
	-E "LD_PRELOAD=/nonexistent/a.so /other/libcollector.so:b.so" "$collect" "$program" >/dev/null 2>errors
grep -q 'Warning: libcollector.so is already defined in LD_PRELOAD' errors
grep "execve(\"$program\"" trace >exec
grep -q '"LD_PRELOAD=/[^ :"]*/libcollector.so:/nonexistent/a.so:b.so"' exec || { cat exec; exit 1; }
grep -q "\"ER_TOOLS_FOUNDER=$PWD/test.[0-9]*.er\"" exec
