/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells characters from bytes that are none. */
#include "xml_character.h"

unsigned xml_character(const unsigned char *text)
{
	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f ? 1 : 0;
	unsigned size = text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc2 ? 2 : 0;
	if (text[0] >= 0xf5)
		size = 0;
	for (unsigned i = 1; i < size; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if (size == 3 && ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
				 (text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe)))
		return 0;
	if (size == 4 && ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90)))
		return 0;
	return size;
}
