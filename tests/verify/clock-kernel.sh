#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls have their part of the CPU time by the program's own clock where there are no perf events, and page faults a fifth of
# theirs at least for a user from whom the kernel hides the ticks in its own code.
. "$TESTS/end-to-end/clock.bash"
failures=0
parts timer hi "" .7 1.4 "$PROGRAMS/refuse_perf" EPERM
[ "$(id -u)" -ne 0 ] || parts pages on pages .2 1.15 "${blind[@]}"
exit $failures
