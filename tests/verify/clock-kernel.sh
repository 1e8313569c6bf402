#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls have their part of the CPU time by the program's own clock where there are no perf events, and for a user from whom
# the kernel hides the ticks in its own code, page faults there a fifth of theirs at least.
. "$TESTS/end-to-end/clock.bash"
failures=0
parts timer hi "" .7 1.4 "$PROGRAMS/refuse_perf" EPERM
# The kernel's accounting divides the time between its own ticks and the event's.
[ "$(id -u)" -ne 0 ] || parts user hi "" .75 1.3 "${blind[@]}"
[ "$(id -u)" -ne 0 ] || parts pages on pages .2 1.15 "${blind[@]}"
exit $failures
