#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The frame between a signal handler and what it interrupted is the kernel's return trampoline in libc, whose return address
# follows no call: it has its own name, not that of the code before it.
set -eu
libc=$(ldd "$PROGRAMS/torture" | awk '/libc\.so\.6/ {print $3}')
id=$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')
symbols=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
[ -r "$symbols" ] || { echo "no debug symbols of libc on this machine, so its trampoline has no name"; exit 77; }
readelf -sW "$symbols" | grep -q ' __restore_rt$'
"$BUILD/bin/collect" -p hi -O said -o t.er "$PROGRAMS/torture" signal 0.3 >/dev/null
"$BUILD/bin/er_print" -metrics a.totalcpu:name -calltree t.er >tree
awk '/\+-on_signal$/ {if (before !~ /\+-__restore_rt$/) wrong = 1; found = 1} {before = $0} END {exit !(found && !wrong)}' tree ||
	{ grep -B1 -m 5 -- '+-on_signal$' tree; exit 1; }
