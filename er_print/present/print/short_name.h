/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long names of functions for lists that people read. */
#ifndef SHORT_NAME_H
#define SHORT_NAME_H

#include <stddef.h>

/* Makes a text of at most `width` bytes (from 8) where it stands: the longest template arguments or parameters become "<...>" or
   "(...)", one after another, and if that is not enough the middle becomes "...". Text in angle brackets at the beginning, as
   <Total> has it, stays as long as it can. */
void shorten_name(char *text, size_t width);

#endif
