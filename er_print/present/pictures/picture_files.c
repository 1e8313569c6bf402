/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The styles and the scripts of pictures, as they are in this folder, inside the program. */
#include "picture_files.h"

#define EMBED(name, file)                                                                                              \
	__asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"er_print/present/pictures/" file       \
		"\"\n.byte 0\n.popsection\n")
#define SCRIPT(name)                                                                                                   \
	extern const char name##_script[];                                                                             \
	EMBED(name##_script, #name ".js")

EMBED(picture_style, "picture.css");
EMBED(page_style, "page.css");
EMBED(page_body, "page_body.html");
EMBED(recurrence_style, "recurrence.css");
EMBED(heatmap_style, "heatmap.css");
EMBED(timeline_style, "timeline.css");
SCRIPT(frame_text);
SCRIPT(change_text);
SCRIPT(data_reader);
SCRIPT(tree_data);
SCRIPT(tree_view);
SCRIPT(tree_search);
SCRIPT(tree_edit);
SCRIPT(chart_axis);
SCRIPT(chart_time);
SCRIPT(svg_viewer);
SCRIPT(svg_input);
SCRIPT(page_data);
SCRIPT(page_scale);
SCRIPT(page_change);
SCRIPT(page_state);
SCRIPT(page_canvas);
SCRIPT(page_viewer);
SCRIPT(page_controls);
SCRIPT(recurrence);
SCRIPT(heatmap);
SCRIPT(timeline);

#define BEGIN "(function () {\n"
#define END   "})();\n"
const char *const svg_scripts[] = {BEGIN, frame_text_script, change_text_script, data_reader_script, tree_data_script,
	tree_view_script, tree_search_script, chart_axis_script, chart_time_script, svg_viewer_script, svg_input_script,
	END, 0};
const char *const timeline_scripts[] = {
	BEGIN, data_reader_script, chart_axis_script, chart_time_script, timeline_script, END, 0};
const char *const page_scripts[] = {BEGIN, frame_text_script, change_text_script, data_reader_script, tree_data_script,
	tree_view_script, tree_search_script, tree_edit_script, chart_axis_script, chart_time_script, page_data_script,
	page_scale_script, page_change_script, page_state_script, page_canvas_script, page_viewer_script,
	page_controls_script, END, 0};

/* The Makefile computes them of the same parts. */
#include "page_hashes.inc"
const char page_style_hash[] = PAGE_STYLE_HASH, page_script_hash[] = PAGE_SCRIPT_HASH;
