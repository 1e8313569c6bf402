/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters that may stand in files for other tools: names come from object files and may hold anything. */
#ifndef XML_CHARACTER_H
#define XML_CHARACTER_H

/* The bytes of the character at `text` if it is well-formed UTF-8 that XML allows and no control character, else 0. */
unsigned xml_character(const unsigned char *text);

#endif
