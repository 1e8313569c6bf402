#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Our syscall() jumps to libc's, and leaves no frame of its own under it: the child of a clone on another stack returns from there.
set -eu
objdump -d --no-show-raw-insn --disassemble=syscall "$BUILD/lib/libcollector.so" >code
grep -qE $'\t(jmp +\\*|br\t)' code || { echo "no jump:"; cat code; exit 1; }
! grep -E $'\t(call +\\*|blr\t)' code || { echo "libc's function is called"; exit 1; }
