#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The compiler proper of Debian's gcc: complete stacks, the same output, nothing of the collector in the reports.
. "$TESTS/end-to-end/real.bash"
cc1=$(gcc -print-prog-name=cc1)
stripped "$cc1"
"$TESTS/tools/workload" c 80 >big.i
like_plain test.1.er "$cc1" -quiet -O2 big.i -o -
complete_stacks test.1.er 99.5 cc1
starts_at_main test.1.er 99.5
no_collector test.1.er
