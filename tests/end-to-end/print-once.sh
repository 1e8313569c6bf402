#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An experiment counts once, however it is named: twice, by a link, by another path, beside its founder, before it, in a group, by
# add_exp; the second reader of the tests agrees on the total.
set -eu
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p hi -O said -o forks.er sh -c "$PROGRAMS/figure_2_1 4e7; $PROGRAMS/figure_2_1 2e7; exit 0" >truth
ln -s forks.er link.er
descendants=$(find forks.er -mindepth 1 -name '*.er' | sort -r)
[ "$(wc -w <<<"$descendants")" -ge 2 ]
printf '#analyzer experiment group\n%s\n' "$(head -n 1 <<<"$descendants")" "$PWD/forks.er" >group.erg
printf 'add_exp forks.er\nadd_exp ./link.er\nfunctions\nexperiment_list\n' >adds
functions=(-metrics e.totalcpu:name -functions -experiment_list)

# The list, without the paths of experiments, which are as they were named.
report()
{
	"$er_print" "$@" | sed -n '/^Functions sorted/,$p' | sed 's/^\( *[0-9]* yes *[0-9]*\) .*/\1/'
}
report "${functions[@]}" forks.er >expected
grep -q '<Total>$' expected
/usr/bin/python3 - forks.er >total <<'PYTHON'
import os
import sys

sys.path.insert(0, os.environ["TESTS"] + "/oracle")
from experiment import experiments

total = sum(event["user"] + event["system"] for experiment in experiments(sys.argv[1]) for event in experiment.events("clock"))
print("%.3f" % (total / 1e9))
PYTHON
awk -v total="$(cat total)" '/<Total>$/ { exit !($1 - total < 0.0015 && total - $1 < 0.0015) }' expected || { cat total expected; exit 1; }
failures=0
# same ARGUMENT...: as for the founder alone.
same()
{
	report "$@" >got 2>err || true
	diff expected got >difference || { echo "WRONG: er_print $*:"; cat difference; failures=1; }
}
same "${functions[@]}" forks.er forks.er
same "${functions[@]}" forks.er/ ./link.er "$PWD/forks.er"
# shellcheck disable=SC2086
same "${functions[@]}" forks.er $descendants
# shellcheck disable=SC2086
same "${functions[@]}" $descendants forks.er
same "${functions[@]}" group.erg
same "${functions[@]}" group.erg forks.er
same -metrics e.totalcpu:name -script adds "$(head -n 1 <<<"$descendants")"
# A descendant by itself has a part.
"$er_print" -metrics e.totalcpu:name -functions "$(head -n 1 <<<"$descendants")" | awk '/<Total>$/ { print $1 }' >part
awk -v part="$(cat part)" '/<Total>$/ { exit !(part > 0 && part < $1) }' expected || { cat part expected; failures=1; }
# Folded stacks that are read twice, too.
echo 'main;work 5' >one.folded
[ "$("$er_print" -import one.folded -import ./one.folded -functions | awk '/<Total>$/ { print $1 }')" -eq 5 ] ||
	{ echo "WRONG: folded stacks count twice"; failures=1; }
exit $failures
