#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# java -XX:+PreserveFramePointer: walks pass through JIT and interpreter frames and go on by unwind tables.
. "$TESTS/end-to-end/real.bash"
command -v java javac >/dev/null || { echo "no java"; exit 77; }
"$TESTS/tools/workload" java 60 >Workload.java
javac Workload.java
like_plain test.1.er "$(readlink -f "$(command -v java)")" -XX:+PreserveFramePointer -Xshare:auto Workload
complete_stacks test.1.er 98 java flagged
no_collector test.1.er
