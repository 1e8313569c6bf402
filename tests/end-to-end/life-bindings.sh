#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No symbol of a target is bound to the collector but the functions that it means to stand in front of, each named in its
# sources, none of them one that programs call all the time but what heap and I/O tracing stand for; and the collector is bound
# to libc and ld.so alone (and to a program's copy of libc's variables environ, stdin and stdout; libstdc++'s operators are
# looked up by name).
set -eu
sources=$TESTS/../libcollector
checked=0
# check COMMAND...
check()
{
	rm -f bindings.*
	"$BUILD/bin/collect" -o b.er env LD_DEBUG=bindings LD_DEBUG_OUTPUT=bindings "$@" >/dev/null 2>&1 </dev/null
	rm -rf b.er
	cat bindings.* >all
	local bound
	bound=$(sed -n 's/.* to [^ ]*libcollector\.so \[0\]: [a-z]* symbol `\([^'"'"']*\)'"'"'.*/\1/p' all |
		sort -u)
	grep -q 'calling init: .*libcollector' all || { echo "$1: the collector is not there"; exit 1; }
	for name in $bound; do
		readelf --dyn-syms -W "$BUILD/lib/libcollector.so" | awk '{ sub("@.*", "", $8); print $8 }' | grep -qx "$name"
		grep -rqE "\\b$name\\b" "$sources"
		case $name in
		_Zn* | _Zd* | memalign) ;;
		mem* | str* | __tls* | _Unwind* | _Z* | *setjmp | *longjmp)
			echo "$1: $name is bound to the collector"
			exit 1
			;;
		esac
	done
	local foreign
	foreign=$(grep -vE 'symbol `(_*environ|stdin|stdout|stderr|_Z(n|d)[a-zA-Z0-9_]*)' all |
		sed -n 's/.*binding file [^ ]*libcollector\.so \[0\] to \([^ ]*\) \[0\].*/\1/p' | sort -u |
		grep -v -e '/libc\.so\.6$' -e '/ld-linux' -e 'libcollector\.so$' || true)
	[ -z "$foreign" ] || { echo "$1: the collector is bound to $foreign"; exit 1; }
	checked=$((checked + $(wc -w <<<"$bound")))
}
check /usr/bin/python3 -c 'import threading, socket, subprocess; subprocess.run(["true"])'
check "$PROGRAMS/throw_through_frames"
check "$PROGRAMS/life_family" fork system
[ $checked -gt 5 ]
echo "$checked bindings, all meant"
