#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# A short form of `make stress`' suites: some of Python's own tests, a session of sqlite3 and one of redis-server give the
# same results without and with collect.
set -eu
for needed in redis-server redis-benchmark redis-cli sqlite3 python3; do
	command -v $needed >/dev/null || { echo "no $needed here"; exit 77; }
done
"$TESTS/stress/suites" "$BUILD" '^(sqlite3-short|redis-short|python-test_(fork1|wait4|threadsignals|select|mmap|resource|posix))$'
