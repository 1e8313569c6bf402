#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# xz as Debian ships it: complete stacks, the same output, nothing of the collector in the reports.
. "$TESTS/end-to-end/real.bash"
stripped /usr/bin/xz
"$TESTS/tools/workload" text 2 >text
like_plain test.1.er /usr/bin/xz -6 -T1 -kc text
complete_stacks test.1.er 99.5 xz
starts_at_main test.1.er 99.5
no_collector test.1.er
