/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of classes of sizes in bytes. */
#ifndef SIZE_CLASS_TEXT_H
#define SIZE_CLASS_TEXT_H

#include "table.h"

/* "256 < n <= 1KB": what is larger than 2 to the power of `above` (0: than nothing) and at most 2 to the power of `most`, which is
   4 or more. A text of the table. */
const char *size_class_text(struct table *table, unsigned above, unsigned most);

#endif
