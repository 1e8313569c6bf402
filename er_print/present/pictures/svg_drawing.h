/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that SVG pictures without a tree share: head, texts and file. */
#ifndef SVG_DRAWING_H
#define SVG_DRAWING_H

#include "picture.h"
#include "session.h"

/* Writes all before the picture's own elements, with title and subtitle cut to its width. `style`: beside that of all pictures. */
void svg_drawing_head(
	FILE *file, unsigned width, unsigned height, const char *style, const char *title, const char *subtitle);
/* A text element with these attributes and a place, cut to so many characters. */
void svg_drawing_text(FILE *file, const char *attributes, double x, double y, const char *text, size_t room);

typedef void svg_draw(void *context, FILE *file);
/* Opens the file and has it drawn; says afterwards that `what` ("Heat map") was written. False: it could not, and has said so. */
bool svg_drawing_write(struct session *session, const char *path, const char *what, svg_draw *draw, void *context);

#endif
