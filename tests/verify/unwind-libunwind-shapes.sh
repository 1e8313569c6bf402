#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# libunwind beside the collector's own unwinder where stacks are hard to walk: every difference has a class.
set -u
. "$TESTS/end-to-end/unwinders.bash"
every=10
for shape in nested_signals altstack longjmp realigned threads; do
	check $shape 50 "$PROGRAMS/torture-gcc-none" $shape 0.5
done
# An exception in flight has overwritten frames, which elfutils follows as they are; where there is no table, all guess.
outside=
for shape in exceptions rethrow throw_from_handler; do
	check $shape 100 "$PROGRAMS/torture_cxx-gcc-none" $shape 1
done
for shape in made_code without_cfi; do
	check $shape 30 "$PROGRAMS/torture-gcc-none" $shape 0.3
done
exit $failed
