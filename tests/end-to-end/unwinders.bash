# SPDX-License-Identifier: Apache-2.0
# For tests of the two unwinders: check NAME LEAST COMMAND... runs COMMAND recorded by both, gives each difference a class, and
# has every 20th (or $every-th) sample checked from outside.
export PYTHONPATH=$TESTS/oracle
collect=$BUILD/bin/collect
failed=0
fail()
{
	echo "$*"
	failed=1
}
"$collect" -n true >/dev/null || exit 1
ER_TOOLS_UNWINDER=both "$collect" -n true >said 2>&1 || { cat said; exit 77; }

# Where the tracer is not built, the stacks are compared without it.
outside=
[ -x "$BUILD/tests/outside/outside" ] && outside=$BUILD/tests/outside/outside
check() # NAME LEAST COMMAND...
{
	local name=$1 least=$2 status
	shift 2
	"$@" >"$name.plain" 2>&1 </dev/null
	ER_TOOLS_UNWINDER=both ER_TOOLS_LAUNCH=exec ${outside:+"$outside" "${every:-20}" "$name.log"} "$collect" -A off -O "$name.said" -p hi -o "$name.1.er" \
		"$@" >"$name.out" 2>&1 </dev/null
	status=$?
	[ $status -eq 0 ] || { fail "$name: exit status $status"; tail -n 3 "$name.out"; return; }
	cmp -s "$name.plain" "$name.out" || fail "$name: the output is not that of the plain run"
	/usr/bin/python3 -B "$TESTS/outside/unwinders.py" "$name" "$least" "$name.1.er" || failed=1
	[ -z "$outside" ] || /usr/bin/python3 -B "$TESTS/outside/compare.py" "$name" "$name.log" "$name.1.er" || failed=1
}
