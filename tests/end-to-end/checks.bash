# SPDX-License-Identifier: Apache-2.0
# The checks of a test, each with a name. tests/run runs a test that measures up to three times, and a check failed if it missed in
# each of them: `missed` writes the names of those that missed to $MISSED, and `verdict` says there that each check was made.
broken=0
# missed NAME
missed()
{
	broken=1
	echo "$1" >>"${MISSED:-/dev/null}"
}
# fail TEXT...: the check on the caller's line missed, which is one check for each compiler and MPI.
fail()
{
	echo "$*"
	missed "line ${BASH_LINENO[*]} ${compiler:-} ${mpi:-}"
}
# same WHAT EXPECTED FOUND
same()
{
	[ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}
# The last command of a test.
verdict()
{
	[ -z "${MISSED:-}" ] || echo verdict >>"$MISSED"
	exit $broken
}
