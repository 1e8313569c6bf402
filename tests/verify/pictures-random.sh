#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each shape and order of 1000 files of random stacks, drawn and laid out by a second computation: the same frames at the same places.
exec /usr/bin/python3 "$TESTS/tools/picture_random.py" "$BUILD/bin/er_print" 1 1000
