/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style and the scripts of pictures, as they are in this folder, inside the program. */
#include "picture_files.h"

#define EMBED(name, file)                                                                                              \
	__asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"er_print/present/pictures/" file       \
		"\"\n.byte 0\n.popsection\n")

EMBED(picture_style, "picture.css");
EMBED(tree_data_script, "tree_data.js");
EMBED(tree_view_script, "tree_view.js");
EMBED(tree_search_script, "tree_search.js");
EMBED(svg_viewer_script, "svg_viewer.js");
EMBED(svg_input_script, "svg_input.js");
