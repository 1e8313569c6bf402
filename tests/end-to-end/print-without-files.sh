#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A load object that is neither archived nor on this machine, or is not the one that was recorded: a warning in `header`, a line
# under each list that shows it, and none elsewhere.
set -u
er_print=$BUILD/bin/er_print
source=$TESTS/programs/missing_library.c
fail()
{
	echo "$*"
	exit 1
}
build()
{
	"$compiler" -O1 -g -shared -fPIC -DLIBRARY -DNAME="$1" -Wl,--build-id -o libmissing.so "$source" || fail "$compiler"
}
# says WHAT REASON: reports of bare.er say why libmissing.so is not there; nothing where REASON is empty.
says()
{
	local line="Functions without names are of libmissing.so ($2)" lists="-functions -lines -pcs -objects -calltree -callers-callees"
	"$er_print" $lists bare.er >list 2>err || fail "$1: $(cat err)"
	if [ -n "$2" ]; then
		[ "$(grep -cxF "$line" list)" = 6 ] || fail "$1: not under each of $lists: $(cat list)"
	else
		grep -q first_build list && ! grep -q 'Functions without' list || fail "$1: $(cat list)"
	fi
	"$er_print" -printmode html -functions bare.er | grep -qF "<p>$line" || [ -z "$2" ] || fail "$1: html"
	"$er_print" -printmode , -functions bare.er >list 2>err
	grep -q 'Functions without' list && fail "$1: between delimited lines"
	grep -qxF "Warning: $line" err || [ -z "$2" ] || fail "$1: delimited: $(cat err)"
	# Stacks without a frame in it.
	"$er_print" -filters 'FNAME("in_program") SOME IN STACK' -functions bare.er >list
	grep -q 'in_program' list && ! grep -q 'Functions without' list || fail "$1: said of what needs no library: $(cat list)"
	"$er_print" -header bare.er >header
	if [ -n "$2" ]; then
		grep -qxF "*** Warning: load object $PWD/libmissing.so: $2: its functions have no names" header || fail "$1: $(cat header)"
		grep -q '^No warnings' header && fail "$1: no warnings"
	else
		grep -qx 'No warnings' header || fail "$1: $(cat header)"
	fi
}

for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	rm -rf ./*.er
	build first_build
	"$compiler" -O1 -g -o program "$source" -L. -lmissing -Wl,-rpath,"$PWD" || fail "$compiler"
	"$BUILD/bin/collect" -p hi -A off -O said -o bare.er ./program || fail "collect"
	"$BUILD/bin/collect" -p hi -A on -O said -o kept.er ./program || fail "collect"
	cp -p libmissing.so kept
	says "$compiler, as recorded" ''
	rm libmissing.so
	says "$compiler, gone" 'neither archived nor on this machine'
	build second_build
	says "$compiler, another build" 'not the file that was recorded'
	"$er_print" -functions bare.er | grep second_build && fail "the other build's names"
	echo text >libmissing.so
	says "$compiler, a text" 'not a load object'
	"$er_print" -functions kept.er >list
	grep -q first_build list && ! grep -q 'Functions without' list || fail "archived: $(cat list)"
	mv kept libmissing.so
	says "$compiler, back again" ''
done
