/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the frames of an SVG picture. */
#ifndef SVG_FRAMES_H
#define SVG_FRAMES_H

#include "picture.h"

/* All panels, row by row: the rectangles of a row with their tooltips, then the names that fit into them. */
void svg_frames_write(const struct picture *picture);

#endif
