#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gzip as Debian ships it: complete stacks, the same output, nothing of the collector in the reports.
. "$TESTS/end-to-end/real.bash"
stripped /usr/bin/gzip
"$TESTS/tools/workload" text 40 >text
like_plain test.1.er /usr/bin/gzip -9 -nc text
complete_stacks test.1.er 99.5 gzip
starts_at_main test.1.er 99.5
no_collector test.1.er
