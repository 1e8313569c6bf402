#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# openssl speed, whose hand-written assembly has little unwind information: complete stacks, flagged ones counted.
. "$TESTS/end-to-end/real.bash"
stripped /usr/bin/openssl
for what in sha256 aes-256-cbc rsa2048; do
	"$collect" -p hi -O collect.said -o $what.er /usr/bin/openssl speed -seconds 3 -bytes 8192 $what >out 2>err || { cat err; exit 1; }
	complete_stacks $what.er 98 "openssl speed $what" flagged
	no_collector $what.er
done
