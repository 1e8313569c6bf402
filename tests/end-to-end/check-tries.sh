#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/run itself: a test that measures fails if one check misses in each try, or if a try ends before its verdict.
. "$TESTS/end-to-end/checks.bash"
mkdir -p tree/tests/end-to-end built
cp "$TESTS/run" tree/tests/
cp "$TESTS/end-to-end/checks.bash" tree/tests/end-to-end/
# script NAME: a test that measures, from standard input, in which $try is the number of the try.
script()
{
	{
		printf '%s\n' '#!/bin/bash' '# measures nothing' '. "$TESTS/end-to-end/checks.bash"' \
			"echo >>$PWD/$1.tries; try=\$(wc -l <$PWD/$1.tries)"
		cat
	} >"tree/tests/end-to-end/$1.sh"
}
script held <<'END2'
[ $try = 2 ] || fail first
[ $try = 1 ] || fail second
verdict
END2
script third <<'END2'
[ $try = 3 ] || fail first
verdict
END2
script always <<'END2'
fail first
[ $try = 1 ] || fail second
verdict
END2
script early <<'END2'
[ $try != 2 ] || verdict
exit 1
END2
script once <<'END2'
[ $try = 3 ] || exit 1
same both 1 2
verdict
END2
script right <<'END2'
same both 1 1
verdict
END2
for name in held third always early once right; do
	"tree/tests/run" gate built "^$name\$" >"$name.said"
	echo "$name $? $(wc -l <$name.tries)"
done >found
same "statuses and tries" "held 0 2 third 0 3 always 1 3 early 0 2 once 1 3 right 0 1" "$(xargs <found)"
verdict
