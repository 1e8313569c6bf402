#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clang takes every source of what is installed without a warning, with the flags that the build gives it.
set -u
command -v clang >/dev/null || { echo "no clang"; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# The commands that make would run; nothing is built but the texts that sources include: clang reads each source, two at a time.
MAKEFLAGS= make -s CI=1 O="$place/build" "$place/build/manual/command_manual.inc" "$place/build/page/page_hashes.inc" || exit 1
commands=$(MAKEFLAGS= make -n V=1 CC=clang CI=1 O="$place/build" all |
	sed -nE 's/^(clang .*) -MMD -MP -c -o [^ ]* ([^ ]*)$/\1 -fsyntax-only \2/p')
[ "$(wc -l <<<"$commands")" -gt 200 ] || { echo "only $(wc -l <<<"$commands") sources were found"; exit 1; }
printf '%s\n' "$commands" | tr '\n' '\0' | xargs -0 -P 2 -n 1 bash -c >"$place/output" 2>&1 && [ ! -s "$place/output" ] ||
	{ cat "$place/output"; exit 1; }
echo "$(wc -l <<<"$commands") sources"
