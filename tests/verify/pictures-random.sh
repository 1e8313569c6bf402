#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each shape and order of 1000 files of random stacks, drawn and laid out by a second computation: the same frames at the same places. Pages of
# differences say of each frame what the SVG picture says.
set -e
/usr/bin/python3 "$TESTS/tools/picture_page_differences.py" "$BUILD/bin/er_print" 1 5
exec /usr/bin/python3 "$TESTS/tools/picture_random.py" "$BUILD/bin/er_print" 1 1000
