# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of er_print in bash: commands, metrics, the choices of settings, files, experiments. The words stand in front of this.

# The whole word that is typed, and the one before it: bash parts words at colons, which metrics have.
_er_print_take_words()
{
	local line=${COMP_LINE:0:COMP_POINT}
	word=${line##*[[:space:]]}
	line=${line%"$word"}
	line=${line%"${line##*[![:space:]]}"}
	before=${line##*[[:space:]]}
}

# The names of metrics behind what is typed of a list of them: with its flavours and visibility, or exclusive and inclusive.
_er_print_metric_words()
{
	local last=${word##*:} marks="" name
	[[ $last =~ ^-?[eia]*[.+%!]+ ]] && marks=${BASH_REMATCH[0]}
	for name in $_er_print_metrics; do
		[ -n "$marks" ] && echo "$marks$name" || echo "e.$name i.$name"
	done
	[ -n "$marks" ] || echo "size address name default"
}

_er_print()
{
	local word before command choices
	_er_print_take_words
	command=${before#-}
	command=${command#-}
	choices=${_er_print_choices#*,"$command" }
	if [[ $before == -?* && $_er_print_specified == *" $command "* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_er_print_metric_words)" -- "${word##*:}")
		compopt -o nospace 2>/dev/null
	elif [[ $before == -?* && $choices != "$_er_print_choices" ]]; then
		mapfile -t COMPREPLY < <(compgen -W "${choices%%,*}" -- "$word")
	elif [ "$before" = -help ] && [[ $word != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$_er_print_commands" -- "$word")
	elif [[ $before == -?* && $_er_print_files == *" $command "* ]]; then
		COMPREPLY=() # bash's own: any file
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -P "${word%%[!-]*}" -W "$_er_print_commands" -- "${word#"${word%%[!-]*}"}")
	else
		mapfile -t COMPREPLY < <(compgen -f -X '!*.@(er|erg)' -- "$word"; compgen -d -X '*.er' -- "$word")
		compopt -o filenames 2>/dev/null
	fi
}
complete -o default -F _er_print er_print
