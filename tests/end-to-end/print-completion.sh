#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Completion in bash, and in zsh where it is installed: every command of the help, metrics within a list, the choices of settings,
# files, experiments.
set -eu
er_print=$BUILD/bin/er_print
mkdir one.er two.er folder
touch group.erg other.txt
cat >try.bash <<'END'
set -u
shopt -s extglob
source "$BUILD/completion/er_print"
complete -p er_print >/dev/null
while read -r line; do
	COMP_LINE=${line%|} COMP_POINT=${#COMP_LINE} COMPREPLY=()
	_er_print
	printf '%s> %s\n' "$COMP_LINE" "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)"
done
END
cat >lines <<'END'
er_print -fun|
er_print --calle|
er_print -metrics e.tot|
er_print -metrics e.%totalcpu:i.sys|
er_print -metrics ei.%us|
er_print -sort -e.us|
er_print -metrics siz|
er_print -viewmode |
er_print -printmode ht|
er_print -builds |
er_print -compare |
er_print -name m|
er_print -help csi|
er_print -outfile oth|
er_print -functions |
er_print -limit 5 -functions on|
END
cat >expected <<'END'
er_print -fun> -functions
er_print --calle> --callers-callees
er_print -metrics e.tot> e.total e.totalcpu
er_print -metrics e.%totalcpu:i.sys> i.system
er_print -metrics ei.%us> ei.%user
er_print -sort -e.us> -e.user
er_print -metrics siz> size
er_print -viewmode > expert machine user
er_print -printmode ht> html
er_print -builds > apart together
er_print -compare > delta off on ratio
er_print -name m> mangled
er_print -help csi> csingle
er_print -outfile oth> 
er_print -functions > folder group.erg one.er two.er
er_print -limit 5 -functions on> one.er
END
bash try.bash <lines >replies
diff expected replies
# Every command of the help that may be an argument, and no other.
echo 'er_print -|' | bash try.bash | sed 's/.*> //' | tr ' ' '\n' | sort >offered
"$er_print" -help | sed '/^In \.er\.rc only/,$d' | sed -nE 's/^  ([A-Za-z0-9_-]+)( \(([a-z_-]+)\))? .*/\1 \3/p' | tr ' ' '\n' | sed '/^$/d; s/^/-/' |
	grep -vxE -- '-(add_exp|drop_exp|open_exp)' | sort | diff - offered
# The metrics that every experiment could have: those of the table.
sed -nE 's/^(METRIC|PASS|RATIO)\(([a-z]+),.*/i.\2/p' "$TESTS/../er_print/aggregate/metrics.def" | sort >metrics
echo 'er_print -metrics i.|' | bash try.bash | sed 's/.*> //' | tr ' ' '\n' | sort | diff metrics -

command -v zsh >/dev/null || exit 0
cat >try.zsh <<'END'
set -u
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" | grep -F -- "$PREFIX" | sort | xargs }
compset() { PREFIX=${PREFIX##*:} }
_files() { print -r -- files "$@" }
while read -r line; do
	line=${line%|}
	words=(${=line}) PREFIX=${line##* } CURRENT=$(( ${#words} + (${#PREFIX} == 0) ))
	print -r -- "$line> $(source "$BUILD/completion/_er_print")"
done
END
cat >expected <<'END'
er_print -fun> -functions
er_print -metrics e.%totalcpu:i.sys> i.system
er_print -metrics ei.%us> ei.%user
er_print -viewmode > expert machine user
er_print -help csi> csingle
er_print -outfile oth> files
er_print -functions > files -g *.(er|erg)
er_print -limit 5 -functions on> files -g *.(er|erg)
END
grep -F -e '-fun' -e 'i.sys' -e 'ei.' -e viewmode -e help -e outfile lines | zsh -f try.zsh | diff expected -
