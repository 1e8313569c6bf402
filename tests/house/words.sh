#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Words that no file may contain: hosts that are not the documentation's, paths of one machine, notes of things undone; and beginnings
# of comments that lead to half a sentence.
set -u
broken=0
files=$(tests/house/sources . | grep -vE '(^|/)LICENSE$')
# refuse SENTENCE REGEX [EXCEPT-REGEX]
refuse()
{
	local found
	found=$(grep -nIE -- "$2" $files /dev/null | grep -Ev -- "${3:-^$}")
	[ -z "$found" ] && return
	printf '%s\n' "$1:" "$found"
	broken=1
}
refuse 'a host that is not on the list of this test' 'https?://' \
	'https?://(www\.gnu\.org|www\.apache\.org|www\.w3\.org|sourceware\.org|www\.kernel\.org|man7\.org|dwarfstd\.org|www\.debian\.org|www\.speedscope\.app|127\.0\.0\.1|localhost|host\.invalid)(/|\b)|tests/house/words\.sh:'
refuse 'a path of one machine' '(^|[^[:alnum:]_.$}])/(wor[k]|roo[t]|home/[a-z]+)/'
refuse 'something left undone' '\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b'
refuse 'a test that is tried again, and does not say what it measures' '^# measure[s] *$'
refuse 'a conflict mark' '^(<{7}|>{7})( |$)'
refuse 'a comment that names no subject: say what it is about first, in a sentence' '^[[:space:]]*(/\*|//|#) (What|Who|Of|The same) ' ': *# What it costs$'
exit $broken
