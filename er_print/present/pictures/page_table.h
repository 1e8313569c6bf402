/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a page as a table, for browsers that run no script. */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include "picture.h"

/* Writes those with the largest exclusive values of the drawn metric, if the options have functions. */
void page_table_write(FILE *file, const struct picture *picture);

#endif
