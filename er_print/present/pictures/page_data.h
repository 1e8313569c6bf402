/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a page with a picture (page_data.js reads it): data_bytes.h, deflated by zlib, in base64.

     texts   one: facts, as a JSON object
     texts   names; texts: load objects; texts: source files
     kinds   of frames, in the order of the functions' names. Their number; of each: the number of its function, of its name, of its
             load object, of its file, and for each palette of the facts red, green and blue, a byte each
     nodes   with a value of any metric, in preorder, siblings in the order of their names. Their number; of each: 0 if its
             parent is the node before, n if that is the n-th ancestor of the node before; its kind; its exclusive value of each
             metric
   In a chart by time there is more, as picture_data.h says. */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include "picture.h"

/* Palettes that a page offers besides those by a metric. */
enum { PAGE_PALETTES_MOST = 5 };
struct page {
	const unsigned *metrics; /* rows of the tree's metrics, which have sums */
	unsigned metric_count;
	enum picture_palette palettes[PAGE_PALETTES_MOST];
	unsigned palette_count;
	const char *facts; /* JSON */
};

/* False and *error if it cannot be deflated. */
bool page_data_write(const struct picture *picture, const struct page *page, struct error *error);

#endif
