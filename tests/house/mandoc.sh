#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The man pages are clean for mandoc's lint.
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
pages=$(tests/house/sources '^man/.*\.[0-9]$')
[ -n "$pages" ] || { echo "there are no man pages"; exit 1; }
# References to pages of other packages that are not installed here, and the page's own, are no fault of the page.
output=$(mandoc -Tlint -Wwarning $pages 2>&1 | grep -vE 'STYLE|referenced manual not found')
printf '%s' "$output"
[ -z "$output" ]
