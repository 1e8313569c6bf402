#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# redis-server as Debian ships it, under load on a socket of its own: complete stacks on all its threads.
. "$TESTS/end-to-end/real.bash"
command -v redis-server redis-benchmark redis-cli >/dev/null || { echo "no redis-server"; exit 77; }
stripped "$(command -v redis-server)"
# The path of a socket is short: the test directory may be too deep.
socket=$(mktemp -u /tmp/er-tools-redis.XXXXXX)
trap 'redis-cli -s "$socket" shutdown nosave >/dev/null 2>&1 || true; rm -f "$socket"' EXIT
"$collect" -p hi -O collect.said -o test.1.er redis-server --port 0 --unixsocket "$socket" --save "" --appendonly no \
	--daemonize no --dir "$PWD" >server.out 2>&1 &
server=$!
for _ in $(seq 100); do
	[ -S "$socket" ] && break
	sleep 0.1
done
redis-benchmark -s "$socket" -q -n 60000 -r 10000 -P 8 -t set,get,incr,lpush,lrange_100,sadd,zadd,hset >benchmark.out
[ "$(redis-cli -s "$socket" config get port | tail -n 1)" = 0 ]
redis-cli -s "$socket" shutdown nosave
status=0
wait $server || status=$?
[ $status -eq 0 ] || { echo "redis-server ended with $status"; cat server.out collect.said; exit 1; }
complete_stacks test.1.er 99.5 redis-server
no_collector test.1.er
