#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A C++ program that throws through many frames, stripped: complete stacks, also inside the unwinder itself.
. "$TESTS/end-to-end/real.bash"
strip -o program "$PROGRAMS/throw_through_frames"
stripped ./program
like_plain test.1.er ./program 120000
complete_stacks test.1.er 99.5 "throwing through frames"
starts_at_main test.1.er 99.5
no_collector test.1.er
