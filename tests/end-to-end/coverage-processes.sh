#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that are not recorded, however they are started, waited for and ended: each is a warning of header, with the CPU time
# that it says itself, and the line under the list has the sum of all. Where everything is recorded there is no line.
# measures CPU time of processes against their own account
set -u
collect=$BUILD/bin/collect er_print=$BUILD/bin/er_print
fail()
{
	echo "$*"
	exit 1
}
cat >work.c <<'END2'
/* work SECONDS [how PROGRAM ARGUMENTS...]: uses so much CPU time, then starts the program. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void work(double seconds)
{
	struct timespec now;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (now.tv_sec + now.tv_nsec / 1e9 < seconds);
}
static volatile sig_atomic_t ended;
static void on_child(int number)
{
	(void)number;
	while (waitpid(-1, 0, WNOHANG) > 0)
		ended = 1;
}
int main(int count, char **arguments)
{
	work(atof(arguments[1]));
	if (count < 3)
		return 0;
	const char *how = arguments[2];
	char **program = arguments + 3;
	siginfo_t info;
	pid_t child = 0;
	int ends[2];
	char byte;
	if (pipe2(ends, O_CLOEXEC))
		return 1;
	if (!strcmp(how, "system"))
		return system(program[0]);
	if (!strcmp(how, "handler"))
		signal(SIGCHLD, on_child);
	if (!strcmp(how, "spawn"))
		posix_spawn(0, program[0], 0, 0, program, environ);
	else if (!strcmp(how, "raw"))
		child = (pid_t)syscall(SYS_fork);
	else if (!strcmp(how, "vfork"))
		child = vfork();
	else if (strcmp(how, "exec"))
		child = fork();
	if (!child && strcmp(how, "spawn")) {
		if (!strcmp(how, "daemon"))
			setsid();
		execv(program[0], program);
		_exit(127);
	}
	if (!strcmp(how, "waitid"))
		return waitid(P_ALL, 0, &info, WEXITED);
	if (!strcmp(how, "raw"))
		return (int)syscall(SYS_wait4, child, 0, 0, 0) != child;
	if (!strcmp(how, "handler"))
		while (!ended)
			pause();
	else if (strcmp(how, "daemon"))
		return wait(0) < 0;
	/* Nobody waits for a daemon, but it has become the program before this one ends. */
	close(ends[1]);
	return read(ends[0], &byte, 1) != 0;
}
END2
"${CC:-gcc}" -D_GNU_SOURCE -O1 -static -o static work.c 2>/dev/null || { echo "no static libc here"; exit 77; }
"${CC:-gcc}" -D_GNU_SOURCE -O1 -o dynamic work.c || fail "gcc"

# check LEAST MOST PATTERN ARGUMENTS...: the seconds that were not recorded, and the line's end.
check()
{
	local least=$1 most=$2 pattern=$3
	shift 3
	rm -rf t.er
	"$collect" -O said -o t.er "$@" || fail "$*: status $?"
	"$er_print" -functions t.er >list
	"$er_print" -header t.er >header
	local line=$(grep '^Recorded ' list)
	if [ -z "$pattern" ]; then
		[ -z "$line" ] && ! grep -q 'Warning: not recorded' header || fail "$*: $line"
		return
	fi
	grep -qE -- "^Recorded [0-9.]+ of [0-9.]+ CPU seconds; not recorded: $pattern" <<<"$line" || fail "$*: $line"
	grep -q '^\*\*\* Warning: not recorded: .* CPU ' header || fail "$*: no warning"
	awk -v least=$least -v most=$most '{missing = $4 - $2; exit !(missing >= least && missing <= most)}' <<<"$line" || fail "$*: $line"
}
because=' [0-9.]+ \(a statically linked program\)$'
check 0.08 0.16 "\\./static$because" ./dynamic 0.05 exec ./static 0.13
for how in fork vfork spawn raw handler waitid; do
	check 0.08 0.13 "\\./static$because" ./dynamic 0.02 $how ./static 0.1
done
check 0.08 0.13 "\\./static$because" ./dynamic 0.02 system './static 0.1'
check 0.16 0.26 '\./static [0-9.]+ \(2 processes, a statically linked program\)$' sh -c './static 0.1; ./static 0.1; :'
check 0 0 '\./static \(time unknown, a statically linked program\)$' ./dynamic 0.1 daemon ./static 0
check 0.08 0.13 '\./dynamic [0-9.]+ \(as -F off asks\)$' -F off ./dynamic 0.02 fork ./dynamic 0.1
check 0.08 0.13 '\./dynamic [0-9.]+ \(as -F off asks\)$' -F off ./dynamic 0.02 spawn ./dynamic 0.1
check 0.08 0.16 '\./dynamic [0-9.]+ \(as -F off asks\)$' -F off ./dynamic 0.02 exec ./dynamic 0.13
check 0.08 0.13 '[^ ]*/?dynamic [0-9.]+ \(neither the name nor the lineage matches what -F asks for\)$' -F =nothing ./dynamic 0.02 fork ./dynamic 0.1
# Without the clock, too.
check 0.08 0.13 "\\./static$because" -p off -H on ./dynamic 0.02 fork ./static 0.1
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	# Its number is another one where its parent is.
	unshare --pid --fork true 2>/dev/null && check 0 0 '' unshare --pid --fork ./dynamic 0.05 fork ./dynamic 0.1
	check 0.08 0.16 '\./dynamic [0-9.]+ \(with its privileges and root directory' setpriv --reuid=65534 --clear-groups ./dynamic 0.13
fi
# All is there, also of a process that is killed.
check 0 0 '' ./dynamic 0.05 fork ./dynamic 0.1
check 0 0 '' ./dynamic 0.05 exec ./dynamic 0.15
check 0 0 '' sh -c './dynamic 100 & sleep 0.3; kill -9 $!; wait 2>/dev/null; :'
exit 0
