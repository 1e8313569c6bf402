# SPDX-License-Identifier: GPL-3.0-or-later
# Variables of the shell with what er_print completes, from the rows of words.h as the preprocessor leaves them.
BEGIN { FS = "\"" }
/^command (RC_ONLY|HIDDEN|NOT_ARGUMENT) / { next }
/^command / {
	# command WHERE KIND "name" 0|"alias" "text"
	alias = $3 ~ /0/ ? "" : $4
	text = alias == "" ? $4 : $6
	commands = commands " " $2 (alias == "" ? "" : " " alias)
	if (text ~ /^\[?(file|folder|directory)/) {
		files = files " " $2
	} else if ($1 ~ / (TEXT|EXPRESSION) / && text ~ /^[a-z|]+\|/) {
		gsub(/\|/, " ", text)
		gsub(/ [A-Z]$|\[.*/, "", text)
		sub(/ +$/, "", text)
		choices = choices "," $2 " " text " "
	}
	if ($1 ~ / (TEXT|SIGNED) / && text == "specification")
		metrics = metrics " " $2
}
/^metric / { names = names " " $2 }
END {
	printf "_er_print_commands='%s '\n_er_print_files='%s '\n_er_print_choices='%s,'\n", commands, files, choices
	printf "_er_print_specified='%s '\n_er_print_metrics='%s '\n", metrics, names
}
