/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours and the words for how frames have changed, in a picture of a difference. */
#ifndef PICTURE_CHANGE_H
#define PICTURE_CHANGE_H

#include "picture.h"

/* White where nothing has changed, or sampling alone makes as much; else a shade of red or blue, as flamegraph.pl has them, or of
   two colours that colour-blind readers tell apart. */
struct colour picture_change_colour(const struct picture *picture, uint32_t node);
/* The fill of what is missing after, with the pattern that it names. */
#define MISSING_FILL "url(#missing)"
void picture_change_pattern(const struct picture *picture);
/* "+ " or "- " before the name of a frame that is coloured, else "". */
const char *picture_change_sign(const struct picture *picture, uint32_t node);
/* Writes "10 before, 16.67%; 40 after, 57.14%; +30, +300.00%", of inclusive values, and of exclusive ones too if colours show
   these. change_text.js has the same words. */
void picture_change_write(const struct picture *picture, uint32_t node);
/* Writes the total of a row: "60"; of DIFFERENCE_DRAWN, by how much that has changed: "+10". */
void picture_change_total(const struct picture *picture, enum difference_row row);
/* Writes what widths and colours mean; the caller frees it. */
char *picture_change_legend(const struct picture *picture);

#endif
