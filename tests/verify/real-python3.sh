#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# python3 as Debian ships it: complete stacks, the same output, nothing of the collector in the reports.
. "$TESTS/end-to-end/real.bash"
stripped /usr/bin/python3
"$TESTS/tools/workload" python 60 >program.py
like_plain test.1.er /usr/bin/python3 program.py
complete_stacks test.1.er 99.5 python3
starts_at_main test.1.er 99.5
no_collector test.1.er
