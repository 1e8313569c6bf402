#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program that was replaced after the run is symbolized from the experiment's archive; without an archive it is said that
# its build id differs, and no name of the new program is shown. The archive serves where the program is gone altogether.
set -eu
source=$TESTS/programs/resolve_replaced.c
build() { gcc -O2 -g -DBURN="$1" -o program "$source"; }
functions() { "$BUILD/bin/er_print" -functions "$1"; }
has() { functions "$1" | grep -q "^.* $2\$" || { echo "$1: no $2"; functions "$1"; exit 1; }; }
lacks() { ! functions "$1" | grep -q "$2" || { echo "$1: shows $2"; exit 1; }; }

build burn_first
"$BUILD/bin/collect" -p hi -A on -o kept.er ./program 300 >/dev/null
"$BUILD/bin/collect" -p hi -A off -o bare.er ./program 300 >/dev/null
has kept.er burn_first
has bare.er burn_first

build burn_second
has kept.er burn_first
lacks kept.er burn_second
lacks bare.er burn_first
lacks bare.er burn_second
has bare.er '<static>@0x0 (<program>)'
"$BUILD/bin/er_print" -functions -objects bare.er 2>&1 | grep -q 'program: build-id differs'

rm program
has kept.er burn_first
mv kept.er moved.er
has moved.er burn_first
