# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of er_print in zsh: commands, metrics, the choices of settings, files, experiments. The words stand in front of this.

_er_print_metric_words()
{
	local last=${PREFIX##*:} marks="" name
	[[ $last =~ '^-?[eia]*[.+%!]+' ]] && marks=$MATCH
	for name in ${=_er_print_metrics}; do
		if [[ -n $marks ]]; then
			print -r -- "$marks$name"
		else
			print -r -- "e.$name" "i.$name"
		fi
	done
	[[ -n $marks ]] || print -r -- size address name default
}

_er_print()
{
	local before=${words[CURRENT - 1]} command choices
	command=${${before#-}#-}
	choices=${_er_print_choices#*,$command }
	if [[ $before == -?* && $_er_print_specified == *" $command "* ]]; then
		local -a metrics=(${=$(_er_print_metric_words)})
		compset -P '*:'
		compadd -S '' -- $metrics
	elif [[ $before == -?* && $choices != $_er_print_choices ]]; then
		compadd -- ${=choices%%,*}
	elif [[ $before == -help && $PREFIX != -* ]]; then
		compadd -- ${=_er_print_commands}
	elif [[ $before == -?* && $_er_print_files == *" $command "* ]]; then
		_files
	elif [[ $PREFIX == -* ]]; then
		compadd -- -${^=_er_print_commands}
	else
		_files -g '*.(er|erg)'
	fi
}
_er_print "$@"
