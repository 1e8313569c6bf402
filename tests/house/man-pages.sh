#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every row of the tables that users meet is in its man page, and the man page has no option that the table lacks.
set -u
broken=0
breach()
{
	echo "$*"
	broken=1
}
# rows TABLE MACRO: first argument of each row, without quotes. MACRO may be several, A|B.
rows()
{
	sed -nE "s/^($2)\\([\"']?([^\"',)]+)[\"']?.*/\\2/p" "$1"
}
page_has()
{
	grep -qE -- "$2" "$1" 2>/dev/null
}

checked=0
options="OPTION|CHOOSES|NUMBERS|NAMES|FLAG"
synopsis=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' man/collect.1)
while read -r letter; do
	grep -qE "Fl [a-zA-Z]*$letter[a-zA-Z]*( |\$)" <<<"$synopsis" || breach "man/collect.1: the SYNOPSIS lacks option -$letter of options.def"
	page_has man/collect.1 "^\\.It Fl $letter( |\$)" || breach "man/collect.1: no item for option -$letter of options.def"
	checked=$((checked + 1))
done < <(rows collect/options/options.def "$options")
while read -r letter; do
	page_has man/collect.1 "Fl $letter( |\$)" || breach "man/collect.1: nothing about option -$letter, which options.def refuses"
	checked=$((checked + 1))
done < <(rows collect/options/options.def REFUSED)
while read -r letter; do
	grep -qE "^($options|REFUSED)\\('$letter'" collect/options/options.def || breach "man/collect.1: -$letter is not in options.def"
done < <(sed -nE 's/^\.It Fl ([A-Za-z])( .*|$)/\1/p' man/collect.1 2>/dev/null)

commands=$(tests/house/sources '^er_print/.*/commands\.def$')
[ -n "$commands" ] || breach "er_print has no commands.def"
while read -r command; do
	page_has man/er_print.1 "^\\.It (Ic|Cm) $command( |\$)" || breach "man/er_print.1: no item for the command $command"
	checked=$((checked + 1))
done < <(sed -nE '/HIDDEN/d; s/^COMMAND\([a-z_]+, "([^"]+)".*/\1/p' $commands /dev/null)
while read -r metric; do
	page_has man/er_print.1 "^\\.It (Ic|Cm|Li) $metric( |\$)" || breach "man/er_print.1: no item for the metric $metric"
	checked=$((checked + 1))
done < <(for macro in METRIC PASS RATIO; do rows er_print/aggregate/metrics.def $macro; done)
while read -r file; do
	page_has man/experiment.5 "^\\.It Pa $file( |\$)" || breach "man/experiment.5: no item for the file $file"
	checked=$((checked + 1))
done < <(sed -nE 's/^#define [A-Z_]+_(FILE|FOLDER) +"([^"]+)".*/\2/p' experiment-format/layout.h)
while read -r function; do
	page_has man/libcollector.3 "^\\.F[no] $function( |\$)" || breach "man/libcollector.3: nothing about $function"
	checked=$((checked + 1))
done < <(sed -nE 's/^void (collector_[a-z_]+)\(.*/\1/p' libcollector/api/collectorAPI.h)
[ "$checked" -gt 40 ] || breach "only $checked rows were found in the tables: has a table changed its form?"
[ $broken -eq 0 ] && echo "$checked rows"
exit $broken
