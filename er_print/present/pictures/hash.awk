# SPDX-License-Identifier: GPL-3.0-or-later
# Turns the hexadecimal digits of sha256sum into base64, as a macro: three digits are two characters, and one is left.
function value(digit) { return index("0123456789abcdef", digit) - 1 }
function character(number) { return substr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", number + 1, 1) }
{
	text = ""
	for (i = 1; i < 64; i += 3) {
		twelve = value(substr($1, i, 1)) * 256 + value(substr($1, i + 1, 1)) * 16 + value(substr($1, i + 2, 1))
		text = text character(int(twelve / 64)) character(twelve % 64)
	}
	print "#define " name " \"" text character(value(substr($1, 64, 1)) * 4) "=\""
}
