# SPDX-License-Identifier: Apache-2.0
# Draws pictures and reads them, for the tests of pictures.
. "$TESTS/end-to-end/print.bash"

# frames FILE: "depth x width fill name (value, percent)" of each, in the order of the file.
frames() { /usr/bin/python3 "$TESTS/tools/picture_frames.py" "$1"; }
# shows FILE LINE...: a picture has exactly these frames, without their colours.
shows()
{
	local file=$1
	shift
	diff <(printf '%s\n' "$@" | sort) <(frames "$file" | sed -E 's/ (rgb|#)[^ ]*//' | sort) || { echo "$file"; exit 1; }
}
# draw FILE ARGUMENTS...: the picture of ARGUMENTS in FILE, by the command that $command is.
command=flamegraph
draw()
{
	local file=$1
	shift
	"$er_print" "$@" "-$command" "$file" >out 2>err || { cat err; exit 1; }
	xmllint --noout "$file"
}
# y FILE NAME: where the first frame of that name stands.
y() { awk -F'[,)]' -v title="<title>$2 (" '/^<g transform=/ { y = $2 } index($0, title) { print y; exit }' "$1"; }
# subtitle FILE; colour FILE NAME: that of the first frame of that name.
subtitle() { sed -n 's/.*<text id="subtitle"[^>]*>\([^<]*\)<.*/\1/p' "$1"; }
colour() { frames "$1" | sed -n "s/.* \(rgb([0-9,]*)\) $2 (.*/\1/p" | head -1; }
version="er-tools $("$er_print" -V | sed 's/.* //')"
