#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# When nothing has changed, nothing is built again.
set -u
options=(${CI:+"CI=$CI"} "O=${BUILD#"$PWD/"}" all)
MAKEFLAGS= make -q "${options[@]}" && exit 0
echo "is built already, and would be built again:"
MAKEFLAGS= make -n "${options[@]}" | head -n 5
exit 1
