#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every C source is as clang-format with the committed .clang-format leaves it.
command -v clang-format >/dev/null || { echo "no clang-format"; exit 77; }
output=$(tests/house/sources '\.(c|h)$' | grep -v '/libfcollector\.h$' | xargs clang-format --dry-run -Werror --ferror-limit=1 2>&1 | grep -E 'error:')
wide=$(tests/house/sources '\.(c|h)$' | xargs awk '{gsub(/\t/, "        ")} length > 132 {print FILENAME ":" FNR ": wider than 132 columns"}')
[ -z "$output$wide" ] && exit 0
[ -z "$output" ] || printf '%s\n' "$output" "to mend: clang-format -i FILE"
[ -z "$wide" ] || printf '%s\n' "$wide"
exit 1
