#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each system call of the collector is in our_calls.def, so that it is tried on a seccomp filter before the target is punished.
# Three are known by number alone: only the target makes them.
set -u
cd "$(dirname "$0")/../.." || exit 1
missing=$(comm -23 <(grep -rhoE 'SYS_[a-z0-9_]+' libcollector experiment-format/base experiment-format/write | sed 's/SYS_//' | sort -u) \
	<(sed -nE 's/^(CALL|NEEDED)\(([a-z0-9_]+).*/\2/p' libcollector/target/confinement/our_calls.def | sort -u) |
	grep -vx -e "" -e seccomp -e prctl -e rt_sigaction)
[ -z "$missing" ] || { echo "not in our_calls.def:" $missing; exit 1; }
