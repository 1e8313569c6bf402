#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Rows of the zoo whose programs the other tests need anyway: results unchanged, totals as the kernel's, stacks complete.
# limit: 900
set -u
PAIRS=1 TRIES=3 "$TESTS/zoo/run" "$BUILD" '^(node|java|perl|python3-multi|musl|redis|git-gc|make|openssl$|lammps|openmpi|unshare|gdb|strace|valgrind)' >rows
status=$?
cat rows
[ $status -eq 77 ] && exit 77
while IFS='|' read -r _ name result _ cpu total stacks _ _ _ verdict; do
	case $verdict in
	*ok*) echo "bound:$name | result $result, CPU $cpu, total $total, stacks $stacks | unchanged, within 3 %, 99 % | ok" ;;
	*SHORT*) echo "bound:$name | ${verdict# SHORT: } | unchanged, within 3 %, 99 % | SHORT" ;;
	esac
done < <(grep '^| ' rows | sed 's/ | /|/g')
exit $status
