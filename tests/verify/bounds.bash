# SPDX-License-Identifier: Apache-2.0
# For tests whose measured values have an upper bound; `broken` is the exit status of such a test.

# bound WHAT VALUE MOST: says the line that tests/verify/run looks for. A VALUE that is empty is no value.
bound()
{
	local verdict=ok
	awk -v a="$2" -v b="$3" 'BEGIN {exit !(a != "" && a <= b)}' || { verdict=SHORT; broken=1; }
	echo "bound: $1 | $2 | at most $3 | $verdict"
}
