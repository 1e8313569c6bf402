/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See svg_drawing.h. */
#include "svg_drawing.h"
#include "export_file.h"
#include "picture_files.h"
#include "svg_text.h"

#include <errno.h>
#include <string.h>

void svg_drawing_text(FILE *file, const char *attributes, double x, double y, const char *text, size_t room)
{
	fprintf(file, "<text %s x=\"%.1f\" y=\"%.1f\">", attributes, x, y);
	svg_text_cut(file, text, strlen(text), room);
	fputs("</text>\n", file);
}

/* In the middle of a line, with characters so wide. */
static void put_line(FILE *file, const char *id, unsigned width, unsigned y, double character, const char *text)
{
	svg_drawing_text(file, id, width / 2.0, y, text, (size_t)((width - 2 * PICTURE_MARGIN) / character));
}

void svg_drawing_head(
	FILE *file, unsigned width, unsigned height, const char *style, const char *title, const char *subtitle)
{
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
		"%u %u\" width=\"%u\" height=\"%u\">\n<title>",
		width, height, width, height);
	svg_text(file, title, strlen(title));
	fprintf(file, "</title>\n<style>\n%s%s</style>\n<rect id=\"back\" width=\"100%%\" height=\"100%%\"/>\n",
		picture_style, style);
	put_line(file, "id=\"title\"", width, 22, PICTURE_TITLE_CHARACTER, title);
	put_line(file, "id=\"subtitle\"", width, 40, PICTURE_CHARACTER, subtitle);
}

bool svg_drawing_write(struct session *session, const char *path, const char *what, svg_draw *draw, void *context)
{
	FILE *file = export_file_open(path, false);
	if (!file)
		return session_error(session, "Unable to open file: %s (%s)", path, strerror(errno));
	draw(context, file);
	int why = export_file_close(file);
	if (why)
		return session_error(session, "%s: the picture cannot be written whole: %s", path, strerror(why));
	if (!export_file_is_standard(path))
		fprintf(stderr, "%s written to %s\n", what, path);
	return true;
}
