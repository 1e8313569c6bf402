/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images as files of PNG (W3C Recommendation, second edition, 2003). */
#ifndef PNG_IMAGE_H
#define PNG_IMAGE_H

#include "data_bytes.h"

/* Appends an image of width * height pixels, from left to right and from the top, each red, green, blue and opaqueness, 0 to
   255. */
void png_image(struct data_bytes *bytes, const unsigned char *pixels, uint32_t width, uint32_t height);

#endif
