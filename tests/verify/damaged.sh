#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# er_print with sanitizers on damaged experiments, odd scripts, odd filters and odd folded files, a minute each (`make fuzz` goes on for an hour).
# limit: 400
set -eu
FUZZ_SECONDS=60 "$TESTS/fuzz/run" "$BUILD"
