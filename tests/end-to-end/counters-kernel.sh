#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A counter that counts in the kernel too: what a program does that has the kernel clear memory and throw it away is in the
# kernel's functions for experts, in the functions that called it for users, and the same in all.
# measures CPU time in the kernel, by a counter
set -eu
grep -q '^[1-9a-f]' /proc/kallsyms || { echo "/proc/kallsyms shows no addresses"; exit 77; }
"$BUILD/bin/collect" -p off -h cpu-clock~system=1,1000003 -O said -o test.er dd if=/dev/zero of=/dev/null bs=4M count=2000 2>dd ||
	{ cat said dd; exit 1; }
"$BUILD/bin/er_print" -verify -viewmode expert -verify test.er

# under MODE PATTERN: seconds under functions of that name.
under()
{
	"$BUILD/bin/er_print" -viewmode "$1" -metrics i.cpu-clock:name -functions test.er |
		awk -v name="$2" '$2 ~ name { sum += $1 } END { print sum + 0 }'
}
total=$(under expert '^<Total>$')
read_kernel=$(under expert '^vfs_read$')
read_user=$(under user '^read$')
user=$(under user '_sys_|^do_syscall|^vfs_')
echo "total $total, of that under the kernel's read $read_kernel, under the program's $read_user; the kernel's for users: $user"
awk -v t="$total" -v k="$read_kernel" -v u="$read_user" -v s="$user" \
	'BEGIN { exit !(t > 0.1 && k > 0.6 * t && u >= k && u <= t && s == 0) }'
