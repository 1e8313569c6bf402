# SPDX-License-Identifier: Apache-2.0
# For the thread-*.sh tests: the times that a program waited, by our metrics and by its own clock.

# agree NAME METRICS LIST OWN: LIST has the metrics' columns and a name; each line "function metric seconds" of OWN has its like
# there to 15 %.
agree()
{
	awk -v name="$1" -v metrics="$2" '
		FNR == 1 { file++ }
		file == 1 && $NF != "Name" { for (i = 1; i < NF; i++) shown[$NF, i] = $i }
		file == 2 {
			column = index_of[$2]
			got = shown[$1, column] + 0
			say = sprintf("%s: %s: %s %.3f, by its own clock %.3f", name, $1, $2, got, $3)
			print say
			if (!column || got < .85 * $3 || got > 1.15 * $3) { wrong = 1; print "WRONG " say }
		}
		BEGIN { n = split(metrics, names); for (i = 1; i <= n; i++) index_of[names[i]] = i }
		END { exit wrong }' "$3" "$4"
}

# columns METRICS EXPERIMENT: the list of functions with these inclusive metrics.
columns()
{
	"$BUILD/bin/er_print" -metrics "i.${1// /:i.}:name" -name short -functions "$2" | awk '/^ *[0-9.]+ +[0-9.]+ /'
}
