#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sqlite3 as Debian ships it: complete stacks, the same output, nothing of the collector in the reports.
. "$TESTS/end-to-end/real.bash"
stripped /usr/bin/sqlite3
"$TESTS/tools/workload" sql 600 >script.sql
like_plain test.1.er /usr/bin/sqlite3 :memory: ".read script.sql"
complete_stacks test.1.er 99.5 sqlite3
starts_at_main test.1.er 99.5
no_collector test.1.er
