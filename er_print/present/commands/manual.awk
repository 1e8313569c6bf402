# SPDX-License-Identifier: GPL-3.0-or-later
# Makes rows of C, {"name", "text"}, of the manual's text about each command. Reads the section COMMANDS of er_print.1, which is mdoc,
# and writes plain text of at most WIDTH columns. It knows the macros that the section uses and refuses others, so that none is lost.
BEGIN {
	WIDTH = 78
	enclosures["Op"] = "[ ]"; enclosures["Oo"] = "[ ]"; enclosures["Ql"] = "' '"; enclosures["Sq"] = "' '"
	enclosures["Dq"] = "\" \""; enclosures["Aq"] = "< >"; enclosures["Pq"] = "( )"
	plain = " Ic Ar Cm Li Em Pa Ev Dv Sx No "
	print "/* Made from man/er_print.1 by manual.awk. */"
}
function fail(what)
{
	printf "%s:%d: manual.awk does not know %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}
# Escapes of roff.
function unescape(text)
{
	gsub(/\\\(dq/, "\"", text)
	gsub(/\\&/, "", text)
	gsub(/\\~/, " ", text)
	gsub(/\\-/, "-", text)
	gsub(/\\e/, "\\", text)
	return text
}
function is_closing(word)
{
	return word ~ /^[.,:;)?!]$/ || word == "]"
}
# Adds a word to the line that is being composed, with a space before it unless something has taken that away.
function add(word)
{
	line = line (line == "" || joined || spacing_off ? "" : " ") word
	joined = 0
}
# The words of a macro's line, from number `at` on.
function compose(words, at, count,    end, word, macro, pair, depth, closers)
{
	depth = 0
	for (; at <= count; at++) {
		word = words[at]
		if (quoted[at]) {
			add(unescape(word))
		} else if (word in enclosures) {
			split(enclosures[word], pair, " ")
			add(pair[1])
			joined = 1
			closers[++depth] = pair[2]
			explicit[depth] = word == "Oo"
		} else if (word == "Oc") {
			line = line closers[depth--]
		} else if (index(plain, " " word " ")) {
			macro = word
			if (word == "Ar" && (at == count || is_closing(words[at + 1])))
				add("file ...")
		} else if (word == "Fl") {
			add("-")
			joined = at < count && !is_closing(words[at + 1]) && words[at + 1] != "Ns"
		} else if (word == "Ns") {
			joined = 1
		} else if (word == "Nm") {
			add("er_print")
		} else if (word == "Xr") {
			add(words[at + 1] "(" words[at + 2] ")")
			at += 2
		} else if (word == "Fn") {
			add(words[++at] "()")
		} else if (is_closing(word)) {
			# Closing signs at the end of the line stand outside of what the macro encloses.
			for (end = at; end <= count && is_closing(words[end]);)
				end++
			while (end > count && depth && !explicit[depth])
				line = line closers[depth--]
			line = line word
		} else {
			add(unescape(word))
			joined = word == "(" || word == "["
		}
	}
	while (depth)
		line = line closers[depth--]
}
# Parts a macro's line into words; double quotes hold blanks together.
function split_line(text, words,    count, word)
{
	count = 0
	while (text != "") {
		sub(/^ +/, "", text)
		if (text == "")
			break
		if (substr(text, 1, 1) == "\"") {
			match(text, /^"[^"]*"?/)
			word = substr(text, 2, RLENGTH - 1)
			sub(/"$/, "", word)
			quoted[++count] = 1
		} else {
			match(text, /^[^ ]+/)
			word = substr(text, 1, RLENGTH)
			quoted[++count] = 0
		}
		words[count] = word
		text = substr(text, RLENGTH + 1)
	}
	return count
}
function indent()
{
	return sprintf("%" 4 * (depth > 1 ? depth : 1) "s", "")
}
# Ends a paragraph: breaks it into lines.
function flush(    words, count, i, row)
{
	count = split(line, words, " ")
	row = ""
	for (i = 1; i <= count; i++) {
		if (row != "" && length(indent() row " " words[i]) > WIDTH) {
			put(indent() row)
			row = ""
		}
		row = row (row == "" ? "" : " ") words[i]
	}
	if (row != "")
		put(indent() row)
	line = ""
}
function put(text)
{
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	entry = entry "\n\t\"" text "\\n\""
}
# Ends an item. One without a text of its own has that of the next one.
function end_entry(    i)
{
	if (name != "") {
		flush()
		names[++items] = name
		headings[items] = heading
		if (entry != "") {
			for (i = 1; i <= items; i++)
				printf "{\"%s\",%s%s},\n", names[i], headings[i], entry
			items = 0
		}
	}
	name = entry = line = ""
}
/^\.Sh / { end_entry(); inside = $2 == "COMMANDS"; next }
!inside || /^\.\\"/ { next }
/^\.Ss / { end_entry(); depth = 0; next }
/^\.Bl / { if (name != "") flush(); depth++; next }
/^\.El/ { if (name != "") flush(); depth--; if (!depth) end_entry(); next }
/^\.It Ic / {
	if (depth == 1) {
		end_entry()
		name = $3
		count = split_line(substr($0, 5), words)
		compose(words, 1, count)
		put("  " line)
		heading = entry
		entry = line = ""
		next
	}
}
name == "" { next }
/^\.It/ {
	flush()
	count = split_line(substr($0, 5), words)
	depth--
	compose(words, 1, count)
	flush()
	depth++
	next
}
/^\.Pp/ { flush(); put(""); next }
/^\.Dl / {
	flush()
	put(indent() "    " unescape(substr($0, 5)))
	next
}
/^\.Sm/ { spacing_off = $2 == "off"; if (spacing_off) { line = line " " } else joined = 0; next }
/^\./ {
	count = split_line(substr($0, 2), words)
	if (!(words[1] in enclosures) && !index(plain " Nm Xr Fn Fl ", " " words[1] " "))
		fail("." words[1])
	compose(words, 1, count)
	next
}
{ add(unescape($0)) }
END { if (!failed) end_entry() }
